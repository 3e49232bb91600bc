// The output of `heed align` and `heed translate --alignment`: writes alignments to a file in the selected format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "heed/report/alignment_report.h"
#include "heed/translation/attention_selection.h"
#include "output.h"

namespace heed::apps {

struct AlignmentOptions {
  std::optional<report::AlignmentFormat> format = {};  ///< absent: from the file's extension, else pharaoh
  std::optional<double> threshold = {};                ///< see text::Alignment::links
  translation::AlignerOptions aligner = {};
};
/// prefix: added before the options' names.
void describe(AlignmentOptions& o, OptionVisitor& visit, const std::string& prefix = "");

class AlignmentOutput {
 public:
  /// model: its directory, for a page's title. prefix: for the options' names in messages. Throws FileError, and
  /// ConfigError if the format cannot show the threshold or the heads.
  AlignmentOutput(const std::string& path, const AlignmentOptions& options, const std::string& model,
                  std::string_view prefix = "");
  /// The same for maps of items. Throws ConfigError for formats of words, and for options that select links or show all
  /// heads.
  static AlignmentOutput of_items(const std::string& path, const AlignmentOptions& options, const std::string& model,
                                  std::string_view prefix = "");

  /// Throws FileError.
  void add(const text::Alignment& alignment) { output_.write(report_.add(alignment)); }
  void add(const report::SourceAttentionMap& map) { output_.write(report_.add(map)); }
  /// Must be called for the file to appear. Throws FileError.
  void finish() { end().finish(); }
  /// Writes the report's end and returns the output, which the caller must finish. Throws FileError.
  Output& end();

 private:
  AlignmentOutput(const std::string& path, report::AlignmentReportOptions options);

  report::AlignmentReport report_;
  Output output_;
};

}  // namespace heed::apps
