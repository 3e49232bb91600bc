// What the writers of SVG and HTML share: escaped text, short numbers, the width of text, images in URLs.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heed::report {

constexpr double kFont = 13;  ///< font size of labels

/// A part of an image: SVG elements between (0, 0) and (width, height), in pixels.
struct Drawing {
  double width = 0;
  double height = 0;
  std::string elements;
};

/// `text`, escaped for an element or a quoted attribute. Characters that XML does not allow become U+FFFD. Control
/// characters that it allows, and embeddings, overrides and isolates of bidirectional text, become ⟨U+XXXX⟩.
std::string escaped(std::string_view text);

/// A number with at most `decimals` decimals and without trailing zeros: "12.5", "3", "-0.25".
std::string short_number(double value, int decimals = 2);

/// The approximate width of `text` in a sans-serif typeface, in ems.
double text_width(std::string_view text);
/// `text`, shortened with an ellipsis to `width` ems if it is longer.
std::string shortened_to_width(std::string_view text, double width);

/// `<text x= y= ATTRIBUTES>text</text>`. attributes: copied into the element; may be empty.
std::string svg_text(double x, double y, std::string_view text, std::string_view attributes = {});

/// The drawings below each other, with `gap` between them.
Drawing stacked(std::span<const Drawing> drawings, double gap);

/// Whether a file name has this ending, ignoring case. ending: lowercase.
bool has_ending(std::string_view path, std::string_view ending);

/// Throws ConfigError if the file's ending is that of another image format (.png, .pdf, ...). The error names `option`.
void check_picture_file(const std::string& option, std::string_view path);

/// CSS that shows figures in dark colors to readers who prefer them: lightness is inverted, hues stay. Elements of the
/// class `as-is`, such as photos, stay as they are. Programs that draw SVG without it, such as rsvg-convert, show light
/// colors.
constexpr std::string_view kDarkFigures =
    "@media (prefers-color-scheme:dark){svg{filter:invert(.93) hue-rotate(180deg)}"
    ".as-is{filter:invert(1) hue-rotate(180deg)}}";

/// The drawing as an SVG file in light and dark colors. Screen readers read `title` and `description`.
std::string svg_document(const Drawing& drawing, std::string_view title, std::string_view description);

/// Base64 (RFC 4648, section 4), as in `data:` URLs, without line breaks, padded with "=".
std::string base64(std::string_view bytes);

}  // namespace heed::report
