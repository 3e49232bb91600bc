#include "heed/documents/text_document.h"

#include <algorithm>
#include <vector>

#include "heed/core/text/unicode.h"
#include "heed/documents/escaped_text.h"
#include "heed/documents/placement.h"
#include "heed/documents/segment_builder.h"

namespace heed::documents {
namespace {

/// Whether a line of Markdown that begins with the word could begin another block.
bool may_begin_block(std::string_view word) {
  const size_t digits = word.find_first_not_of("0123456789");
  if (digits == word.npos) return false;
  if (digits > 0) return word[digits] == '.' || word[digits] == ')';
  return std::string_view("-+*#>=|~`<:!_[").find(word[0]) != std::string_view::npos;
}

std::vector<std::string_view> broken_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(kBreak, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::string wrapped(std::string_view text, const Layout& layout) {
  std::string out;
  size_t column = 0;
  for (const std::string_view word : broken_words(text)) {
    const size_t width = display_width(word);
    if (out.empty()) {
      column = width;
    } else if (column + 1 + width > layout.width && !word.empty() && !may_begin_block(word)) {
      out += "\n" + layout.prefix;
      column = display_width(layout.prefix) + width;
    } else {
      out += ' ';
      column += 1 + width;
    }
    out += word;
  }
  return out;
}

/// Lines of about the same length, at most `layout.width`.
std::string balanced(std::string_view text, const Layout& layout) {
  const auto words = broken_words(text);
  size_t width = 0;
  for (const std::string_view word : words) width += display_width(word) + 1;
  std::string out;
  size_t written = 0, line = 1;
  for (const std::string_view word : words) {
    const size_t own = display_width(word) + 1;
    if (!out.empty()) {
      // A line ends where the middle of the next word is beyond its share.
      const bool ends = line < layout.width && (2 * written + own) * layout.width >= 2 * width * line;
      out += ends ? "\n" + layout.prefix : " ";
      line += ends ? 1 : 0;
    }
    out += word;
    written += own;
  }
  return out;
}

/// The quoted lines of gettext: one line, or "" and lines of at most 77 columns that end after spaces and \n.
std::string po_lines(std::string_view text) {
  constexpr size_t kColumns = 77;
  const bool has_lines = text.find("\\n") < text.size() - std::min<size_t>(text.size(), 2);
  if (!has_lines && display_width(text) + 9 <= kColumns) return '"' + std::string(text) + '"';
  std::string out = "\"\"", line;
  const auto end_line = [&] {
    if (!line.empty()) out += "\n\"" + line + '"';
    line.clear();
  };
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    bool new_line = false;
    while (end < text.size()) {
      const bool is_escape = text[end] == '\\' && end + 1 < text.size();
      end += is_escape ? 2 : 1;
      if (is_escape && text[end - 1] == 'n') {
        new_line = true;
        break;
      }
      if (text[end - 1] == ' ' && (end == text.size() || text[end] != ' ')) break;
    }
    const std::string_view word = text.substr(begin, end - begin);
    if (!line.empty() && display_width(line) + display_width(word) + 2 > kColumns) end_line();
    line += word;
    if (new_line) end_line();
    begin = end;
  }
  end_line();
  return out;
}

std::string without(std::string text, std::string_view part) {
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at)) text.erase(at, part.size());
  return text;
}

std::string laid_out(const std::string& text, const Layout& layout) {
  switch (layout.kind) {
    case Layout::Kind::None:
      return text;
    case Layout::Kind::Wrap:
      return wrapped(text, layout);
    case Layout::Kind::Balance:
      return balanced(text, layout);
    case Layout::Kind::PoString:
      return po_lines(text);
    case Layout::Kind::Without:
      return without(text, layout.prefix);
  }
  return text;
}

}  // namespace

int64_t TextDocument::line_of(size_t offset) const {
  return 1 + std::count(source_.begin(),
                        source_.begin() + static_cast<std::ptrdiff_t>(std::min(offset, source_.size())), '\n');
}

size_t TextDocument::add_segment(Segment segment) {
  segments_.push_back(std::move(segment));
  return segments_.size() - 1;
}

void TextDocument::add(Segment segment, Layout layout) {
  const Range range = segment.original;
  const size_t index = add_segment(std::move(segment));
  slots_.push_back({.range = range, .parts = {{.segment = index}}, .layout = std::move(layout)});
}

void TextDocument::protect(const text::ProtectedText& rules) {
  for (Segment& segment : segments_) mark_protected(segment, rules);
}

void TextDocument::sort_slots() {
  std::ranges::stable_sort(slots_, [](const Slot& a, const Slot& b) {
    return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
  });
}

std::string TextDocument::translated(Translations translations) const {
  std::string out;
  out.reserve(source_.size() + source_.size() / 8);
  copy({0, source_.size()}, 0, translations, out);
  return out;
}

/// Copies a range with the slots in it replaced. first_slot: no slot before it counts.
void TextDocument::copy(Range range, size_t first_slot, Translations translations, std::string& out) const {
  const auto from = slots_.begin() + static_cast<std::ptrdiff_t>(first_slot);
  auto slot = std::lower_bound(from, slots_.end(), range.begin,
                               [](const Slot& a, size_t begin) { return a.range.begin < begin; });
  size_t at = range.begin;
  for (; slot != slots_.end() && slot->range.begin <= range.end; ++slot) {
    if (slot->range.begin < at || slot->range.end > range.end) continue;  // inside the slot before
    out += this->at({at, slot->range.begin});
    write_slot(static_cast<size_t>(slot - slots_.begin()), translations, out);
    at = slot->range.end;
  }
  out += this->at({at, range.end});
}

/// Whether the slot is the place of segments whose translations equal their texts.
bool TextDocument::is_copy(const Slot& slot, Translations translations) const {
  const bool is_own =
      slot.parts.size() == 1 && slot.parts[0].segment && segments_[*slot.parts[0].segment].original == slot.range;
  return (is_own || slot.keeps_copies) && std::ranges::all_of(slot.parts, [&](const SlotPart& part) {
           return !part.segment || translations[*part.segment].text == segments_[*part.segment].text;
         });
}

void TextDocument::write_slot(size_t index, Translations translations, std::string& out) const {
  const Slot& slot = slots_[index];
  if (is_copy(slot, translations)) return copy(slot.range, index + 1, translations, out);
  std::string content;
  for (const SlotPart& part : slot.parts) {
    content += part.literal;
    if (!part.segment) continue;
    write_segment(segments_[*part.segment], translations[*part.segment], index + 1, translations, content);
  }
  const std::string text = laid_out(content, slot.layout);
  if (!has_carriage_returns_ || slot.layout.kind == Layout::Kind::None) {
    out += text;
    return;
  }
  for (const char c : text) {
    if (c == '\n' && !out.ends_with('\r')) out += '\r';
    out += c;
  }
}

void TextDocument::write_segment(const Segment& segment, const SegmentTranslation& translation, size_t first_slot,
                                 Translations translations, std::string& out) const {
  if (segment.marks.empty()) return append_escaped(out, translation.text, segment, true);
  if (translation.text == segment.text && segment.original.size() > 0 && !segment.breakable && segment.markup.empty()) {
    return copy(segment.original, first_slot, translations, out);
  }
  const size_t begin = out.size();
  const auto add_text = [&](std::string_view text) { append_escaped(out, text, segment, out.size() == begin); };
  const auto add_markup = [&](Range range) {
    if (segment.markup.empty()) return copy(range, first_slot, translations, out);
    const std::string_view markup = segment.markup;
    if (segment.escape == Escape::PoString) return add_text(markup.substr(range.begin, range.size()));
    auto inner =
        std::ranges::lower_bound(segment.inner, range.begin, {}, [](const auto& part) { return part.first.begin; });
    for (; inner != segment.inner.end() && inner->first.end <= range.end; ++inner) {
      out += markup.substr(range.begin, inner->first.begin - range.begin);
      copy(inner->second, first_slot, translations, out);
      range.begin = inner->first.end;
    }
    out += markup.substr(range.begin, range.size());
  };
  for (const Piece& piece : place_marks(segment, translation)) {
    if (piece.kind == Piece::Kind::Text) {
      add_text(piece.literal.empty() ? std::string_view(translation.text).substr(piece.text.begin, piece.text.size())
                                     : std::string_view(piece.literal));
      continue;
    }
    const Mark& mark = segment.marks[piece.mark];
    if (piece.kind == Piece::Kind::Close) {
      add_markup(mark.close);
    } else if (mark.open.size() > 0) {
      add_markup(mark.open);
    } else {  // verbatim text
      add_text(std::string_view(segment.text).substr(mark.text.begin, mark.text.size()));
    }
  }
}

}  // namespace heed::documents
