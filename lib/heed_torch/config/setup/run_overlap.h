// The comparison of a training's text with itself and with its validation text (data/corpus/overlap), as it is kept in
// the model directory.
#pragma once

#include <optional>
#include <string>

#include "heed/data/overlap/left_out_lines.h"
#include "heed/data/overlap/text_overlap.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/config/setup/start_rules.h"

namespace heed::config {

/// Compares text that is stored. The counts of an earlier start are used again if the texts are the same.
class RunOverlap {
 public:
  /// texts: files that can be read again. sums: of them.
  RunOverlap(const checkpoint::RunDirectory& directory, const RunOptions& options, data::ComparedTexts texts,
             const Checksums& sums);

  /// Whether the counts are known without reading the texts.
  bool known() const { return counts_.has_value(); }
  /// Reads the texts. Throws what find_overlap does.
  void find();

  /// Reads the texts where that was not done before, as the next ones.
  const data::OverlapCounts& counts();
  /// Which lines the options leave out.
  data::LeftOutLines left_out();
  /// LeftOutLines::origin of them.
  const std::string& origin() const { return origin_; }
  /// Writes the counts into the model directory. texts: the same, under the names that their files have from now on.
  void keep(data::ComparedTexts texts);

 private:
  std::string path_;
  data::ComparedTexts texts_;
  data::PairFilters filters_;
  std::string key_;     // of the texts, and how they are read
  std::string origin_;  // the same; empty: no line is left out
  std::optional<data::OverlapCounts> counts_;
  std::optional<data::TextOverlap> found_;
};

}  // namespace heed::config
