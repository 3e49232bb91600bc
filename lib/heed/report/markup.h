// What the writers of SVG and HTML share: text that is safe to stand in markup, short numbers, the room text takes.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heed::report {

constexpr double kFont = 13;  ///< size of the letters of labels

/// A part of a picture: SVG elements that lie between (0, 0) and (width, height), in pixels.
struct Drawing {
  double width = 0;
  double height = 0;
  std::string elements;
};

/// `text` as the content of an element or of an attribute in quotes. Characters that XML cannot hold become U+FFFD.
std::string escaped(std::string_view text);

/// At most so many digits behind the point and no zeros at its end: "12.5", "3", "-0.25".
std::string short_number(double value, int decimals = 2);

/// About how wide `text` is in a sans-serif typeface, in ems.
double text_width(std::string_view text);
/// `text`, or as much of it as takes `width` ems and an ellipsis.
std::string shortened_to_width(std::string_view text, double width);

/// `<text x= y= ATTRIBUTES>text</text>`; attributes: as they stand in the element, or nothing.
std::string svg_text(double x, double y, std::string_view text, std::string_view attributes = {});

/// The drawings below each other, `gap` between them.
Drawing stacked(std::span<const Drawing> drawings, double gap);

/// Whether a file's name ends so, in capital letters too. ending: small letters.
bool has_ending(std::string_view path, std::string_view ending);

/// Throws ConfigError for a file that by its ending is a picture of another kind (.png, .pdf, ...): `option` names it.
void check_picture_file(const std::string& option, std::string_view path);

/// The drawing as a file of its own. `title` and `description` are read out where the picture cannot be seen.
std::string svg_document(const Drawing& drawing, std::string_view title, std::string_view description);

}  // namespace heed::report
