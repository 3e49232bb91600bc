// The output of `heed align` and `heed translate --alignment`: alignments in the format and to the file that the
// options name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "heed/report/alignment_report.h"
#include "heed/translation/shown_attention.h"
#include "output.h"

namespace heed::apps {

struct AlignmentOptions {
  std::optional<report::AlignmentFormat> format = {};  ///< none: as the file's ending says, else pharaoh
  std::optional<double> threshold = {};                ///< see text::Alignment::links
  translation::AlignerOptions aligner = {};
};
/// prefix: what the options' names begin with.
void describe(AlignmentOptions& o, OptionVisitor& visit, const std::string& prefix = "");

class AlignmentOutput {
 public:
  /// model: its directory, for a page's title. prefix: of the options' names in messages. Throws ConfigError for a
  /// threshold or heads that the format does not show, FileError.
  AlignmentOutput(const std::string& path, const AlignmentOptions& options, const std::string& model,
                  std::string_view prefix = "");
  /// The same of maps of items. Throws ConfigError for a format of words, and for options that choose links or show all
  /// heads.
  static AlignmentOutput of_items(const std::string& path, const AlignmentOptions& options, const std::string& model,
                                  std::string_view prefix = "");

  /// Throws FileError.
  void add(const text::Alignment& alignment) { output_.write(report_.add(alignment)); }
  void add(const report::ItemMap& map) { output_.write(report_.add(map)); }
  /// Throws FileError; without it a file does not appear.
  void finish() { end().finish(); }
  /// Writes the report's end and gives the output, which is to be finished. Throws FileError.
  Output& end();

 private:
  AlignmentOutput(const std::string& path, report::AlignmentReportOptions options);

  report::AlignmentReport report_;
  Output output_;
};

}  // namespace heed::apps
