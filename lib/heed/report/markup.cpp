#include "heed/report/markup.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"

namespace heed::report {
namespace {

constexpr double kMargin = 12;

/// XML 1.0, production 2.
bool is_xml_character(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c != 0xFFFE && c != 0xFFFF;
}

/// The width in DejaVu Sans, the widest of the typefaces in `font-family`.
double character_width(std::string_view character) {
  constexpr double kOther = 0.63;
  if (character.size() > 1) return display_width(character) == 2 ? 1.0 : display_width(character) == 0 ? 0.0 : kOther;
  const char c = character[0];
  const auto any_of = [c](std::string_view set) { return set.find(c) != set.npos; };
  if (any_of("ijl.,;:'|I ")) return 0.32;
  if (any_of("ftr()[]-\"/\\!")) return 0.41;
  if (any_of("mwMW@%")) return 0.95;
  return c >= 'A' && c <= 'Z' ? 0.7 : kOther;
}

/// Control characters that XML allows, and characters that change the direction of the text around them.
bool is_hidden(char32_t c) {
  return (c >= 0x7F && c <= 0x9F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char32_t c : to_code_points(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        if (is_hidden(c))
          safe += fmt::format("⟨U+{:04X}⟩", static_cast<uint32_t>(c));
        else
          append_utf8(safe, is_xml_character(c) ? c : U'\uFFFD');
    }
  }
  return safe;
}

std::string short_number(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals > 0) text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view text) {
  double width = 0;
  for (const std::string_view character : characters(text)) width += character_width(character);
  return width;
}

std::string shortened_to_width(std::string_view text, double width) {
  if (text_width(text) <= width) return std::string(text);
  constexpr double kEllipsis = 1;
  std::string kept;
  double taken = kEllipsis;
  for (const std::string_view character : characters(text)) {
    taken += character_width(character);
    if (taken > width) break;
    kept += character;
  }
  return kept + "…";
}

std::string svg_text(double x, double y, std::string_view text, std::string_view attributes) {
  return fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", short_number(x), short_number(y),
                     attributes.empty() ? "" : " ", attributes, escaped(text));
}

Drawing stacked(std::span<const Drawing> drawings, double gap) {
  Drawing all;
  for (const Drawing& drawing : drawings) {
    if (all.height > 0) all.height += gap;
    all.elements +=
        fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", short_number(all.height), drawing.elements);
    all.height += drawing.height;
    all.width = std::max(all.width, drawing.width);
  }
  return all;
}

bool has_ending(std::string_view path, std::string_view ending) {
  if (path.size() < ending.size()) return false;
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(path.substr(path.size() - ending.size()), ending, {}, small);
}

void check_picture_file(const std::string& option, std::string_view path) {
  for (const std::string_view ending : {".png", ".pdf", ".jpg", ".jpeg", ".gif", ".eps", ".webp"}) {
    if (!has_ending(path, ending)) continue;
    throw ConfigError(option, fmt::format("cannot be a {} file: figures are written as .svg, which a browser or "
                                          "rsvg-convert can convert",
                                          ending));
  }
}

std::string svg_document(const Drawing& drawing, std::string_view title, std::string_view description) {
  const std::string width = short_number(drawing.width + 2 * kMargin);
  const std::string height = short_number(drawing.height + 2 * kMargin);
  return fmt::format(R"svg(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}"
 role="img" font-family="'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
 font-size="13" fill="#222222">
<title>{2}</title>
<desc>{3}</desc>
<style>{6}</style>
<rect width="{0}" height="{1}" fill="#ffffff"/>
<g transform="translate({4} {4})">
{5}</g>
</svg>
)svg",
                     width, height, escaped(title), escaped(description), short_number(kMargin), drawing.elements,
                     kDarkFigures);
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t begin = 0; begin < bytes.size(); begin += 3) {
    const size_t taken = std::min<size_t>(3, bytes.size() - begin);
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < taken ? static_cast<uint8_t>(bytes[begin + i]) : 0);
    }
    for (size_t i = 0; i < 4; ++i) text += i <= taken ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

}  // namespace heed::report
