#include "alignment_output.h"

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::apps {
namespace {

using report::AlignmentFormat;

/// Checks before anything is written.
AlignmentFormat checked_format(const std::string& path, const AlignmentForm& form,
                               const translation::ShownAttention& shown, std::string_view prefix) {
  report::check_picture_file(prefix.empty() ? "--output" : "--alignment", path);
  const auto by_ending = report::alignment_format_of(path);
  const AlignmentFormat format = form.format ? *form.format : by_ending.value_or(AlignmentFormat::Pharaoh);
  if (form.threshold && !report::shows_links(format)) {
    throw ConfigError(fmt::format("--{}threshold", prefix),
                      fmt::format("chooses links, which the format {} does not show",
                                  format == AlignmentFormat::Soft ? "soft" : "blocks"));
  }
  if (shown.all_heads && !report::shows_heads(format)) {
    throw ConfigError(fmt::format("--{}all-heads", prefix),
                      fmt::format("goes with `--{}format` json, svg or html", prefix));
  }
  return format;
}

/// "layer 2, mean of its heads"
std::string shown_text(const translation::ShownAttention& shown) {
  if (!shown.layer && !shown.head) return "the last layer, mean of its heads if it has several";
  return fmt::format("{}, {}", shown.layer ? fmt::format("layer {}", *shown.layer) : "the last layer",
                     shown.head ? fmt::format("head {}", *shown.head) : "mean of its heads");
}

}  // namespace

AlignmentOutput::AlignmentOutput(const std::string& path, const AlignmentForm& form,
                                 const translation::ShownAttention& shown, const std::string& model,
                                 std::string_view prefix)
    : report_({.format = checked_format(path, form, shown, prefix),
               .threshold = form.threshold,
               .title = "Attention of " + model,
               .shown = shown_text(shown)}),
      output_(path) {}

void AlignmentOutput::finish() {
  output_.write(report_.finish());
  output_.finish();
}

}  // namespace heed::apps
