#include "heed/documents/segment_builder.h"

#include <algorithm>
#include <limits>

#include "heed/core/text/unicode.h"

namespace heed::documents {
namespace {

constexpr size_t kNoPartner = std::numeric_limits<size_t>::max();

bool is_ascii_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

}  // namespace

bool has_letters(std::string_view text) {
  const std::u32string codes = to_code_points(text);
  return std::ranges::any_of(codes, [](char32_t code) {
    return code > ' ' && !is_space(code) && character_class(code) == CharacterClass::Other && code != 0xFFFC &&
           !(code >= 0x7F && code < 0xA0);
  });
}

void SegmentBuilder::decode_texts() {
  for (Element& element : elements_) {
    if (element.kind != Kind::Text || element.range.size() == 0) continue;
    DecodedText read = decode_(std::string_view(source_).substr(element.range.begin, element.range.size()));
    element.decoded = std::move(read.text);
    is_complete_ &= read.is_complete;
    spellings_.insert(spellings_.end(), read.spellings.begin(), read.spellings.end());
  }
}

/// Finds the partner of each opening and closing markup. What has none, or crosses others, becomes a point.
void SegmentBuilder::pair_elements() {
  constexpr size_t kDeepest = 100;  // tags inside so many others are points
  std::vector<size_t> open;
  size_t deeper = 0;
  for (size_t i = 0; i < elements_.size(); ++i) {
    Element& element = elements_[i];
    if (element.kind == Kind::Open) {
      element.partner = kNoPartner;
      if (open.size() < kDeepest)
        open.push_back(i);
      else
        ++deeper;
    } else if (element.kind == Kind::Close) {
      element.partner = kNoPartner;
      if (deeper > 0) {
        --deeper;
        continue;
      }
      const auto same =
          std::find_if(open.rbegin(), open.rend(), [&](size_t k) { return elements_[k].name == element.name; });
      if (same == open.rend()) continue;
      element.partner = *same;
      elements_[*same].partner = i;
      open.erase(std::next(same).base(), open.end());  // those inside are not closed
    }
  }
  for (Element& element : elements_) {
    const bool paired = element.kind == Kind::Open || element.kind == Kind::Close;
    if (paired && element.partner == kNoPartner) element.kind = Kind::Point;
  }
}

bool SegmentBuilder::blank_from(size_t begin, size_t end) const {
  for (size_t i = begin; i < end; ++i) {
    if (elements_[i].kind == Kind::Text && !strip(elements_[i].decoded).empty()) return false;
  }
  return true;
}

/// Removes white space, points and pairs around everything at both ends.
void SegmentBuilder::drop_ends() {
  size_t first = 0, end = elements_.size();
  const auto is_droppable = [&](const Element& element) {
    return element.kind == Kind::Point || (element.kind == Kind::Text && strip(element.decoded).empty());
  };
  for (bool changed = true; changed && first < end;) {
    changed = false;
    const Element &front = elements_[first], &back = elements_[end - 1];
    if (is_droppable(front)) {
      ++first;
      changed = true;
    } else if (is_droppable(back)) {
      --end;
      changed = true;
    } else if (front.kind == Kind::Open && !front.verbatim && front.partner == end - 1) {
      ++first;
      --end;
      changed = true;
    } else if (front.kind == Kind::Open && front.partner < end && blank_from(first, front.partner)) {
      first = front.partner + 1;
      changed = true;
    } else if (back.kind == Kind::Close && back.partner >= first && blank_from(back.partner, end)) {
      end = back.partner;
      changed = true;
    }
  }
  for (Element& element : elements_) element.partner -= element.partner >= first && element.partner < end ? first : 0;
  elements_.erase(elements_.begin() + static_cast<std::ptrdiff_t>(end), elements_.end());
  elements_.erase(elements_.begin(), elements_.begin() + static_cast<std::ptrdiff_t>(first));
  // ASCII white space at the ends stays in the document as it is.
  if (elements_.empty()) return;
  Element &front = elements_.front(), &back = elements_.back();
  if (front.kind == Kind::Text) {
    while (front.range.size() > 0 && is_ascii_space(source_[front.range.begin])) ++front.range.begin;
  }
  if (back.kind == Kind::Text) {
    while (back.range.size() > 0 && is_ascii_space(source_[back.range.end - 1])) --back.range.end;
  }
}

void SegmentBuilder::append(std::string_view decoded, Segment& segment) {
  for (const std::string_view character : characters(decoded)) {
    const char32_t code = to_code_points(character)[0];
    if (is_space(code) && code != 0xA0 && code != 0x202F) {
      space_ = true;
      for (const size_t mark : after_points_) segment.marks[mark].space_after = true;
      continue;
    }
    if (space_ && !segment.text.empty()) segment.text += ' ';
    for (const size_t mark : after_points_) segment.marks[mark].text = {segment.text.size(), segment.text.size()};
    after_points_.clear();
    space_ = false;
    segment.text += character;
  }
}

/// Writes element i and, if its content is verbatim or blank, everything up to its partner.
void SegmentBuilder::write_element(size_t& i, Segment& segment) {
  const Element& element = elements_[i];
  const auto add_point = [&](Range range) {
    after_points_.push_back(segment.marks.size());
    segment.marks.push_back({.kind = MarkKind::Point, .text = Range{}, .open = range, .space_before = space_});
  };
  const auto add_pair = [&](const Element& close) {
    // Its text begins at its first character: after the space that may come before.
    after_points_.push_back(segment.marks.size());
    segment.marks.push_back({.kind = element.verbatim ? MarkKind::Verbatim : MarkKind::Pair,
                             .text = Range{},
                             .open = element.verbatim ? Range{element.range.begin, close.range.end} : element.range,
                             .close = close.range});
    return segment.marks.size() - 1;
  };
  switch (element.kind) {
    case Kind::Text:
      append(element.decoded, segment);
      break;
    case Kind::Point:
      add_point(element.range);
      break;
    case Kind::Open: {
      const Element& close = elements_[element.partner];
      if (blank_from(i, element.partner)) {
        add_point({element.range.begin, close.range.end});
        space_ |= std::any_of(elements_.begin() + static_cast<std::ptrdiff_t>(i),
                              elements_.begin() + static_cast<std::ptrdiff_t>(element.partner),
                              [](const Element& inner) { return !inner.decoded.empty(); });
        i = element.partner;
      } else if (element.verbatim) {
        const size_t mark = add_pair(close), last = element.partner;
        for (size_t k = i + 1; k < last; ++k) {
          if (elements_[k].kind == Kind::Text) append(elements_[k].decoded, segment);
        }
        segment.marks[mark].text.end = segment.text.size();
        i = last;
      } else {
        elements_[element.partner].mark = add_pair(close);
      }
      break;
    }
    case Kind::Close:
      segment.marks[element.mark].text.end = segment.text.size();
      break;
  }
}

std::optional<Segment> SegmentBuilder::take() {
  decode_texts();
  pair_elements();
  drop_ends();
  std::optional<Segment> segment;
  if (!elements_.empty()) {
    segment.emplace();
    segment->escape = escape_;
    segment->original = {elements_.front().range.begin, elements_.back().range.end};
    for (size_t i = 0; i < elements_.size(); ++i) write_element(i, *segment);
    for (const size_t mark : after_points_) segment->marks[mark].text = {segment->text.size(), segment->text.size()};
    segment->spellings = std::move(spellings_);
  }
  const bool is_wanted = is_complete_ && segment && has_letters(segment->text);
  elements_.clear();
  spellings_.clear();
  after_points_.clear();
  is_complete_ = true;
  space_ = false;
  if (!is_wanted) return std::nullopt;
  mark_protected(*segment, usual_protected_text());
  if (std::ranges::any_of(segment->marks, [&](const Mark& mark) {
        return mark.kind == MarkKind::Verbatim && mark.text == Range{0, segment->text.size()};
      })) {
    return std::nullopt;  // nothing to translate
  }
  return segment;
}

void mark_protected(Segment& segment, const text::ProtectedText& rules) {
  const auto matches = rules.find(segment.text);
  for (const auto& match : matches) {
    const Range range{match.begin, match.end};
    const auto meets = [&](const Mark& mark) {
      if (mark.kind == MarkKind::Point) return range.begin < mark.text.begin && mark.text.begin < range.end;
      const bool apart = mark.text.end <= range.begin || range.end <= mark.text.begin;
      const bool encloses = mark.text.begin <= range.begin && range.end <= mark.text.end;
      return !apart && !(encloses && mark.kind == MarkKind::Pair);
    };
    if (std::ranges::any_of(segment.marks, meets)) continue;
    // After the marks that begin before it or enclose it.
    const auto place = std::ranges::find_if(segment.marks, [&](const Mark& mark) {
      return mark.text.begin > range.begin || (mark.text.begin == range.begin && mark.text.end <= range.begin);
    });
    segment.marks.insert(place, Mark{.kind = MarkKind::Verbatim, .text = range});
  }
}

const text::ProtectedText& usual_protected_text() {
  static const text::ProtectedText rules(
      {text::ProtectedKind::Url, text::ProtectedKind::Mail, text::ProtectedKind::Placeholder});
  return rules;
}

}  // namespace heed::documents
