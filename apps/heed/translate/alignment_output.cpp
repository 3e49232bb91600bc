#include "translate/alignment_output.h"

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::apps {
namespace {

using report::AlignmentFormat;

/// The format of the output; throws before anything is written.
AlignmentFormat checked_format(const std::string& path, const AlignmentOptions& options, std::string_view prefix) {
  report::check_picture_file(prefix.empty() ? "--output" : "--alignment", path);
  const auto by_ending = report::alignment_format_of(path);
  const AlignmentFormat format = options.format ? *options.format : by_ending.value_or(AlignmentFormat::Pharaoh);
  if (options.threshold && !report::shows_links(format)) {
    throw ConfigError(fmt::format("--{}threshold", prefix),
                      fmt::format("chooses links, which the format {} does not show",
                                  format == AlignmentFormat::Soft ? "soft" : "blocks"));
  }
  if (options.aligner.shown.all_heads && !report::shows_maps(format)) {
    throw ConfigError(fmt::format("--{}all-heads", prefix),
                      fmt::format("goes with `--{}format` json, svg or html", prefix));
  }
  return format;
}

/// The same for maps of items.
AlignmentFormat checked_item_format(const std::string& path, const AlignmentOptions& options, std::string_view prefix) {
  const AlignmentFormat format = checked_format(path, options, prefix);
  if (!report::shows_maps(format)) {
    throw ConfigError(fmt::format("--{}format", prefix),
                      "must be json, svg or html, or the file must end in .json, .svg or .html: the model's source is "
                      "not text");
  }
  for (const auto& [given, name] : {std::pair{options.threshold.has_value(), "threshold"},
                                    std::pair{options.aligner.shown.all_heads, "all-heads"}}) {
    if (given) throw ConfigError(fmt::format("--{}{}", prefix, name), "applies only to attention to text");
  }
  return format;
}

/// "layer 2, mean of its heads"
std::string shown_text(const translation::AttentionSelection& shown) {
  if (!shown.layer && !shown.head) return "the last layer, mean of its heads if it has several";
  return fmt::format("{}, {}", shown.layer ? fmt::format("layer {}", *shown.layer) : "the last layer",
                     shown.head ? fmt::format("head {}", *shown.head) : "mean of its heads");
}

}  // namespace

void describe(AlignmentOptions& o, OptionVisitor& visit, const std::string& prefix) {
  visit(prefix + "format", o.format,
        "pharaoh: links such as 0-0 1-2, source word first; soft: all weights in Marian's form, without "
        "end-of-sentence; json: a line of JSON; blocks: a heat map for the terminal; svg, html: heat maps for papers "
        "and browsers; none: as the file's ending says (.json, .svg, .html), else pharaoh");
  visit(prefix + "threshold", o.threshold,
        "link all pairs of words whose weight is at least this; none: "
        "link each target word with the source word of largest weight",
        between(0, 1));
  describe(o.aligner, visit, prefix);
}

AlignmentOutput::AlignmentOutput(const std::string& path, report::AlignmentReportOptions options)
    : report_(std::move(options)), output_(path) {}

AlignmentOutput::AlignmentOutput(const std::string& path, const AlignmentOptions& options, const std::string& model,
                                 std::string_view prefix)
    : AlignmentOutput(path, {.format = checked_format(path, options, prefix),
                             .threshold = options.threshold,
                             .title = "Attention of " + model,
                             .shown = shown_text(options.aligner.shown)}) {}

AlignmentOutput AlignmentOutput::of_items(const std::string& path, const AlignmentOptions& options,
                                          const std::string& model, std::string_view prefix) {
  return {path,
          {.format = checked_item_format(path, options, prefix), .title = "Attention of " + model, .of_items = true}};
}

Output& AlignmentOutput::end() {
  output_.write(report_.finish());
  return output_;
}

}  // namespace heed::apps
