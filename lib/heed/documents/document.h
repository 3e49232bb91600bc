// A document to translate: its text as segments with inline markup. The document with its translations is the original,
// byte for byte, except for the text of the segments.
//
//   auto document = read_document(DocumentFormat::Html, bytes, "page.html");
//   std::vector<SegmentTranslation> translations = translate(document->segments());
//   std::string translated = document->translated(translations);
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heed/text/alignment.h"
#include "heed/text/protected_text.h"

namespace heed::documents {

/// A range of bytes, [begin, end).
struct Range {
  size_t begin = 0, end = 0;

  size_t size() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

enum class MarkKind {
  Pair,      ///< markup around text, such as `<b>...</b>`
  Point,     ///< markup without text to translate, such as `<img>`
  Verbatim,  ///< text that must not change, such as code, URLs and %s
};

/// Inline markup of a segment.
struct Mark {
  MarkKind kind = MarkKind::Point;
  Range text = {};   ///< the range of Segment::text that it encloses; empty for a point
  Range open = {};   ///< the opening markup in the document. A point or verbatim text: all of it; empty: the text
                     ///< itself, escaped
  Range close = {};  ///< the closing markup of a pair in the document
  bool space_before = false, space_after = false;  ///< of a point: whether there is white space next to it
};

/// How the characters of a segment are written in the document.
enum class Escape { None, Markup, DoubleQuoted, SingleQuoted, PoString, Markdown, MarkdownTable, Subtitle };

/// A piece of text that is translated as a whole: a paragraph, a heading, a table cell, an attribute.
struct Segment {
  std::string text = {};         ///< one line of UTF-8 with single spaces, none at its ends
  std::vector<Mark> marks = {};  ///< properly nested, in the order of the document
  Range original = {};           ///< its range in the document
  Escape escape = Escape::None;
  std::vector<std::pair<char32_t, std::string>> spellings = {};  ///< characters that the document does not write as
                                                                 ///< themselves: `&nbsp;`
  std::string markup = {};  ///< what the ranges of the marks refer to, instead of the document; empty: the document
  /// Ranges of `markup`, in their order, and the ranges of the document that they are copied from. These may have
  /// segments of their own: a text box in a paragraph.
  std::vector<std::pair<Range, Range>> inner = {};
  bool breakable = false;  ///< whether a line break may replace a space
};

/// The translation of a segment's text.
struct SegmentTranslation {
  std::string text = {};
  /// The weights decide where the marks go. If its words are not those of the texts, the marks keep their relative
  /// positions.
  text::Alignment alignment = {};
};

class Document {
 public:
  virtual ~Document() = default;
  /// The segments that have words, in the order of the document.
  virtual const std::vector<Segment>& segments() const = 0;
  /// Marks further text as verbatim.
  virtual void protect(const text::ProtectedText& rules) = 0;
  /// The document with the translation of each segment. A segment whose translation equals its text keeps its bytes.
  virtual std::string translated(std::span<const SegmentTranslation> translations) const = 0;
};

}  // namespace heed::documents
