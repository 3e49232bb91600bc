#include "alignment_output.h"

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::apps {
namespace {

using report::AlignmentFormat;

/// Checks before anything is written.
AlignmentFormat checked_format(const std::string& path, const AlignmentForm& form, std::string_view prefix) {
  report::check_picture_file(prefix.empty() ? "--output" : "--alignment", path);
  const auto by_ending = report::alignment_format_of(path);
  const AlignmentFormat format = form.format ? *form.format : by_ending.value_or(AlignmentFormat::Pharaoh);
  if (form.threshold && !report::shows_links(format)) {
    throw ConfigError(fmt::format("--{}threshold", prefix),
                      fmt::format("chooses links, which the format {} does not show",
                                  format == AlignmentFormat::Soft ? "soft" : "blocks"));
  }
  return format;
}

}  // namespace

AlignmentOutput::AlignmentOutput(const std::string& path, const AlignmentForm& form, std::string_view prefix,
                                 std::string title, std::string shown)
    : format_(checked_format(path, form, prefix)),
      report_({.format = format_, .threshold = form.threshold, .title = std::move(title), .shown = std::move(shown)}),
      output_(path) {}

void AlignmentOutput::finish() {
  output_.write(report_.finish());
  output_.finish();
}

}  // namespace heed::apps
