// What `heed align` and `heed translate --alignment` share: alignments in the form that was asked for, to where it was
// asked for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "heed/report/alignment_report.h"
#include "heed/translation/forced_attention.h"
#include "output.h"

namespace heed::apps {

struct AlignmentForm {
  std::optional<report::AlignmentFormat> format = {};  ///< none: as the file's ending says, else pharaoh
  std::optional<double> threshold = {};                ///< see text::Alignment::links
};

inline constexpr std::string_view kFormatHelp =
    "pharaoh: links such as 0-0 1-2, source word first; soft: all weights in Marian's form, without end-of-sentence; "
    "json: a line of JSON; blocks: a picture for the terminal; svg, html: heat maps for papers and browsers; none: as "
    "the file's ending says (.json, .svg, .html), else pharaoh";
inline constexpr std::string_view kThresholdHelp =
    "link all pairs of words with at least this weight; none: each target word with the source word of most weight";

class AlignmentOutput {
 public:
  /// model: its directory, for a page's title. prefix: of the options' names in messages. Throws ConfigError for a
  /// threshold or heads that the format does not show, FileError.
  AlignmentOutput(const std::string& path, const AlignmentForm& form, const translation::ShownAttention& shown,
                  const std::string& model, std::string_view prefix = "");

  /// Throws FileError.
  void add(const text::Alignment& alignment) { output_.write(report_.add(alignment)); }
  /// Throws FileError; without it a file does not appear.
  void finish();

 private:
  report::AlignmentReport report_;
  Output output_;
};

}  // namespace heed::apps
