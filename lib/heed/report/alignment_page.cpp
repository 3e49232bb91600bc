#include "heed/report/alignment_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/report/heat_map.h"
#include "heed/report/markup.h"

namespace heed::report {
namespace {

constexpr std::string_view kStyle = R"(
body { margin: 0 auto; padding: 24px 32px 64px; max-width: 1500px; background: #f4f5f7; color: #222222;
       font: 15px/1.5 "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 24px; margin: 0 0 4px; }
header p { margin: 4px 0; max-width: 72em; }
.pair { background: #ffffff; border: 1px solid #dde1e6; border-radius: 8px; padding: 16px 24px 20px; margin: 20px 0;
        break-inside: avoid; }
.pair h2 { font-size: 13px; margin: 0; float: right; font-weight: normal; }
.pair h2 a { color: #6b7280; text-decoration: none; }
.line { display: flex; margin: 0 48px 2px 0; } .line span { flex: 0 0 4.5em; color: #6b7280; font-size: 13px; }
.maps { display: flex; flex-wrap: wrap; gap: 16px 40px; align-items: flex-start; margin-top: 14px; }
.stage { overflow-x: auto; max-width: 100%; }
figure { margin: 0; } figcaption { color: #6b7280; font-size: 13px; text-align: right; }
.map rect:hover { stroke: #222222; stroke-width: 1.5; }
.heads { display: grid; gap: 6px; align-items: center; font-size: 12px; color: #6b7280; margin: 0; border: 0;
         padding: 0; }
.heads .layer { grid-column: 1; text-align: right; padding-right: 4px; white-space: nowrap; }
.heads .head { text-align: center; white-space: nowrap; }
.heads label { display: block; cursor: pointer; border-radius: 3px; position: relative; padding: 2px; line-height: 0; }
.heads label:hover { box-shadow: 0 0 0 2px #b9c2cd; }
.heads label:has(:checked) { box-shadow: 0 0 0 2px #e66100; }
.heads label:has(:focus-visible) { box-shadow: 0 0 0 3px #222222; }
.heads input { position: absolute; opacity: 0; }
.heads svg { width: 100%; height: auto; overflow: visible; pointer-events: none; }
.heads legend { padding: 0 0 6px; }
.heads .shown { grid-column: 1 / -1; line-height: 1.5; padding: 2px 8px; justify-self: start; }
@media (prefers-color-scheme: dark) {
  body { background: #0d1117; color: #e6edf3; }
  .pair { background: #121212; border-color: #30363d; }
  .heads label:has(:focus-visible) { box-shadow: 0 0 0 3px #e6edf3; }
}
@media print { body { background: none; padding: 0; } .pair { border: 0; padding: 8px 0; } }
)";

std::string size_of(const Drawing& drawing) {
  return fmt::format("viewBox=\"0 0 {} {}\"", short_number(drawing.width), short_number(drawing.height));
}

std::string picture(const Drawing& drawing, const std::string& name) {
  return fmt::format("<svg {} width=\"{}\" height=\"{}\" role=\"img\" aria-label=\"{}\">\n{}</svg>", size_of(drawing),
                     short_number(drawing.width), short_number(drawing.height), escaped(name), drawing.elements);
}

/// The page up to the end of the introduction.
std::string page_head(const std::string& title, const std::string& introduction) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}{3}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n<p>{2}</p>\n",
      escaped(title), kStyle, escaped(introduction), kDarkFigures);
}

std::string section_begin(int64_t number) {
  return fmt::format("<section class=\"pair\" id=\"line{0}\">\n<h2><a href=\"#line{0}\">{0}</a></h2>\n", number);
}
std::string line_of_words(std::string_view side, const std::vector<std::string>& words) {
  return fmt::format("<p class=\"line\"><span>{}</span><bdi>{}</bdi></p>\n", side,
                     escaped(fmt::format("{}", fmt::join(words, " "))));
}

/// The maps of one pair. The first is visible when the page opens, the others when they are selected.
class PairMaps {
 public:
  PairMaps(int64_t number, const text::Alignment& alignment, std::span<const text::Link> links,
           const std::string& shown)
      : number_(number),
        alignment_(alignment),
        links_(links),
        shown_(shown.empty() ? "overview" : shown),
        frame_(alignment.source, alignment.target) {}

  std::string stage() const {
    Drawing first = frame_.labels;
    first.elements = fmt::format("<g id=\"p{}\">\n{}</g>\n", number_, first.elements);
    first.elements += at_corner(
        "", draw_cells(alignment_.weights, frame_.cell, &alignment_).elements + draw_links(links_, frame_.cell));
    std::string stage = "<div class=\"stage\">\n" +
                        figure("m", first, describe_links(alignment_, links_), alignment_.heads.empty() ? "" : shown_);
    for_each_head([&](size_t layer, size_t head, const text::AlignmentWeights& weights) {
      Drawing map = frame_.labels;
      map.elements = fmt::format("<use href=\"#p{}\"/>\n", number_);
      map.elements += at_corner(place(layer, head), draw_cells(weights, frame_.cell, &alignment_).elements);
      const std::string name = fmt::format("layer {}, head {}", layer + 1, head + 1);
      stage += figure(fmt::format("m{}-{}", layer + 1, head + 1), map, name, name);
    });
    return stage + "</div>\n";
  }

  /// A small image of each map, to select it.
  std::string choice() const {
    if (alignment_.heads.empty()) return {};
    size_t heads = 0;
    for (const auto& layer : alignment_.heads) heads = std::max(heads, layer.size());
    const double width = std::clamp(8.0 * static_cast<double>(alignment_.source.size()), 48.0, 120.0);
    std::string text = fmt::format(
        "<fieldset class=\"heads\" style=\"grid-template-columns:auto repeat({},minmax(36px,{}px))\">\n"
        "<legend>Show (click, or use the arrow keys):</legend>\n"
        "<label class=\"shown\"><input type=\"radio\" name=\"p{}\" class=\"c\" checked>{}</label>\n"
        "<div></div>",
        heads, short_number(width), number_, escaped(shown_));
    for (size_t head = 1; head <= heads; ++head) text += fmt::format("<div class=\"head\">head {}</div>", head);
    const Drawing cells = draw_cells(alignment_.weights, frame_.cell);
    for_each_head([&](size_t layer, size_t head, const text::AlignmentWeights&) {
      if (head == 0) text += fmt::format("\n<div class=\"layer\">layer {}</div>\n", layer + 1);
      text += fmt::format(
          "<label title=\"layer {0}, head {1}\"><input type=\"radio\" name=\"p{2}\" class=\"c{0}-{1}\" "
          "aria-label=\"layer {0}, head {1}\"><svg {3}><use href=\"#{4}\"/></svg></label>\n",
          layer + 1, head + 1, number_, size_of(cells), place(layer, head));
    });
    return text + "</fieldset>\n";
  }

 private:
  std::string place(size_t layer, size_t head) const { return fmt::format("p{}-{}-{}", number_, layer + 1, head + 1); }

  std::string at_corner(const std::string& id, const std::string& elements) const {
    return fmt::format("<g transform=\"translate({} {})\"><g{}>\n{}</g></g>\n", short_number(frame_.corner_x),
                       short_number(frame_.corner_y), id.empty() ? "" : fmt::format(" id=\"{}\"", id), elements);
  }

  static std::string figure(const std::string& name, const Drawing& drawing, const std::string& description,
                            const std::string& caption) {
    std::string text = fmt::format("<figure class=\"map {}\">{}", name, picture(drawing, description));
    if (!caption.empty()) text += fmt::format("<figcaption>{}</figcaption>", escaped(caption));
    return text + "</figure>\n";
  }

  template <class Take>
  void for_each_head(Take&& take) const {
    for (size_t layer = 0; layer < alignment_.heads.size(); ++layer) {
      for (size_t head = 0; head < alignment_.heads[layer].size(); ++head) {
        take(layer, head, alignment_.heads[layer][head]);
      }
    }
  }

  int64_t number_;
  const text::Alignment& alignment_;
  std::span<const text::Link> links_;
  std::string shown_;
  HeatMapFrame frame_;
};

}  // namespace

std::string page_begin(const std::string& title, const std::string& shown) {
  const std::string introduction =
      "A row of a map is a word of the translation, a column a word of the source: the darker the cell, the more the "
      "model looked at that source word as it wrote this one. Point at a cell to read its weight.";
  const std::string legend = "white is a weight of 0, dark blue of 1; a link has an orange outline";
  return page_head(title, introduction + (shown.empty() ? "" : " Shown: " + shown + '.')) +
         picture(draw_heat_legend(), legend) + "\n</header>\n";
}

std::string item_page_begin(const std::string& title) {
  return page_head(
             title,
             "A map for each word that the model wrote: over an image, what it did not look at is dark; over audio or "
             "another sequence, time goes to the right, and the darker the place, the more it looked there. The number "
             "next to a word is its largest weight, where its scale ends.") +
         "</header>\n";
}

std::string page_head_rules(size_t layers, size_t heads) {
  // Browsers without :has show all maps below each other.
  std::string rules = "<style>\n@supports selector(:has(*)) {\n.pair:has(.heads) .map { display: none; }\n";
  const auto rule = [&](const std::string& place) {
    rules += fmt::format(".pair:has(.c{0}:checked) .m{0} {{ display: block; }}\n", place);
  };
  rule("");
  for (size_t layer = 1; layer <= layers; ++layer) {
    for (size_t head = 1; head <= heads; ++head) rule(fmt::format("{}-{}", layer, head));
  }
  return rules + "}\n</style>\n";
}

std::string page_pair(int64_t number, const text::Alignment& alignment, std::span<const text::Link> links,
                      const std::string& shown) {
  std::string text =
      section_begin(number) + line_of_words("source", alignment.source) + line_of_words("target", alignment.target);
  if (!alignment.source.empty() && !alignment.target.empty()) {
    const PairMaps maps(number, alignment, links, shown);
    text += "<div class=\"maps\">\n" + maps.stage() + maps.choice() + "</div>\n";
  }
  return text + "</section>\n";
}

std::string page_item(int64_t number, const SourceAttentionMap& map) {
  std::string text = section_begin(number);
  if (!map.words.source.empty()) text += line_of_words("source", map.words.source);
  text += line_of_words("target", map.words.target) + "<div class=\"maps\">\n<div class=\"stage\">";
  text += picture(draw_item_map(map, fmt::format("item{}", number)), describe_item_map(map)) + "</div>\n";
  if (!map.words.source.empty()) {
    text += "<div class=\"stage\">" + picture(draw_heat_map(map.words, {}), describe_links(map.words, {})) + "</div>\n";
  }
  return text + "</div>\n</section>\n";
}

std::string page_end() { return "</body>\n</html>\n"; }

}  // namespace heed::report
