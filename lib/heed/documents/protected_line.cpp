#include "heed/documents/protected_line.h"

#include "heed/documents/placement.h"
#include "heed/documents/segment_builder.h"

namespace heed::documents {

std::string with_protected_text(const std::string& line, const SegmentTranslation& translation,
                                const text::ProtectedText& rules) {
  Segment segment{.text = line};
  mark_protected(segment, rules);
  if (segment.marks.empty()) return translation.text;
  std::string out;
  for (const Piece& piece : place_marks(segment, translation)) {
    const auto add = [&](const std::string& text, Range range) { out.append(text, range.begin, range.size()); };
    if (piece.kind != Piece::Kind::Text) {
      add(line, segment.marks[piece.mark].text);
    } else if (!piece.literal.empty()) {
      out += piece.literal;
    } else {
      add(translation.text, piece.text);
    }
  }
  return out;
}

}  // namespace heed::documents
