// Makes a segment of the text and markup that a reader finds one after the other.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/documents/character_references.h"
#include "heed/documents/document.h"
#include "heed/text/protected_text.h"

namespace heed::documents {

class SegmentBuilder {
 public:
  using Decode = std::function<DecodedText(std::string_view raw)>;
  /// source: the document; must outlive the builder. decode: gives the text that bytes of it represent.
  SegmentBuilder(const std::string& source, Escape escape, Decode decode)
      : source_(source), escape_(escape), decode_(std::move(decode)) {}

  void text(Range range) { elements_.push_back({.kind = Kind::Text, .range = range}); }
  /// Opening markup. verbatim: whether its content must not change.
  void open(Range range, std::string_view name, bool verbatim = false) {
    elements_.push_back({.kind = Kind::Open, .range = range, .name = std::string(name), .verbatim = verbatim});
  }
  /// Closing markup: of the last open one of this name.
  void close(Range range, std::string_view name) {
    elements_.push_back({.kind = Kind::Close, .range = range, .name = std::string(name)});
  }
  /// White space between words that the document does not write as such.
  void space() { elements_.push_back({.kind = Kind::Text, .decoded = " "}); }
  void point(Range range) { elements_.push_back({.kind = Kind::Point, .range = range}); }

  bool empty() const { return elements_.empty(); }
  /// The segment; begins a new one. White space and markup at its ends, also pairs around all of it, do not belong to
  /// it. Absent if there are no letters to translate. Markup that is not closed, or that crosses other markup, becomes
  /// points.
  std::optional<Segment> take();

 private:
  enum class Kind { Text, Open, Close, Point };
  struct Element {
    Kind kind = Kind::Text;
    Range range = {};  // empty: white space that is not in the document
    std::string name = {};
    bool verbatim = false;
    size_t partner = 0;        // Open, Close: the index of the other
    std::string decoded = {};  // Text
    size_t mark = 0;           // Close: the index of the pair in the segment
  };
  void decode_texts();
  void pair_elements();
  void drop_ends();
  bool blank_from(size_t begin, size_t end) const;
  void write_element(size_t& i, Segment& segment);
  void append(std::string_view decoded, Segment& segment);

  const std::string& source_;
  Escape escape_;
  Decode decode_;
  std::vector<Element> elements_;
  std::vector<std::pair<char32_t, std::string>> spellings_;
  bool is_complete_ = true;
  bool space_ = false;                // white space that is not yet written
  std::vector<size_t> after_points_;  // marks of points with nothing after them yet
};

/// The decoder of text without escapes.
inline DecodedText as_written(std::string_view raw) { return {.text = std::string(raw)}; }
/// Marks URLs, mail addresses and placeholders such as %s as verbatim, outside of other verbatim text.
void mark_protected(Segment& segment, const text::ProtectedText& rules);
/// URLs, mail addresses and placeholders.
const text::ProtectedText& usual_protected_text();
/// Whether there is a letter to translate.
bool has_letters(std::string_view text);

}  // namespace heed::documents
