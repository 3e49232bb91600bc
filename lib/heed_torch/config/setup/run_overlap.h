// Compares a training's text with itself and with its validation text (data/corpus/overlap). The result is kept in the
// model directory.
#pragma once

#include <optional>
#include <string>

#include "heed/data/overlap/left_out_lines.h"
#include "heed/data/overlap/text_overlap.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/config/setup/start_rules.h"

namespace heed::config {

/// Compares stored text. The counts of an earlier start are used again if the texts are the same.
class RunOverlap {
 public:
  /// texts: files that can be read again. sums: their checksums.
  RunOverlap(const checkpoint::RunDirectory& directory, const RunOptions& options, data::ComparedTexts texts,
             const Checksums& sums);

  /// Whether the counts are known without reading the texts.
  bool known() const { return counts_.has_value(); }
  /// Reads the texts. Throws what find_overlap throws.
  void find();

  /// This and left_out() read the texts if find() has not.
  const data::OverlapCounts& counts();
  /// The lines that the options leave out.
  data::ExcludedLines left_out();
  /// ExcludedLines::origin of these lines.
  const std::string& origin() const { return origin_; }
  /// Writes the counts into the model directory. texts: the same texts, with the new names of their files.
  void keep(data::ComparedTexts texts);

 private:
  std::string path_;
  data::ComparedTexts texts_;
  data::PairFilters filters_;
  std::string key_;     // identifies the texts, and how they are read
  std::string origin_;  // the same for the lines left out; empty: no line is left out
  std::optional<data::OverlapCounts> counts_;
  std::optional<data::TextOverlap> found_;
};

}  // namespace heed::config
