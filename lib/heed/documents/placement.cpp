#include "heed/documents/placement.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include "heed/core/text/unicode.h"
#include "heed/documents/word_weights.h"

namespace heed::documents {
namespace {

constexpr size_t kNone = std::numeric_limits<size_t>::max();

bool is_punctuation(char32_t code) { return character_class(code) == CharacterClass::Punctuation; }

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// Whether a word character is on both sides of a position.
bool is_inside_word(std::string_view text, size_t at) {
  if (at == 0 || at >= text.size()) return false;
  const auto is_word = [&](size_t begin) {
    size_t end = begin + 1;
    while (end < text.size() && is_continuation(text[end])) ++end;
    const char32_t code = to_code_points(text.substr(begin, end - begin))[0];
    return !is_space(code) && character_class(code) < CharacterClass::Punctuation;
  };
  size_t before = at - 1;
  while (before > 0 && is_continuation(text[before])) --before;
  return is_word(before) && is_word(at);
}

bool has_word_character(std::string_view text) {
  return std::ranges::any_of(to_code_points(text), [](char32_t code) {
    return !is_space(code) && character_class(code) < CharacterClass::Punctuation;
  });
}

/// Ranges that have no bytes in common.
class DisjointRanges {
 public:
  void add(Range range) { ends_.emplace(range.begin, range.end); }
  bool empty() const { return ends_.empty(); }
  bool overlaps(Range range) const {
    const auto after = ends_.lower_bound(range.end);
    return after != ends_.begin() && std::prev(after)->second > range.begin;
  }
  /// Whether a position is inside one of them, not at its ends.
  bool has_inside(size_t at) const { return overlaps({at, at}); }

 private:
  std::map<size_t, size_t> ends_;  // by the begin of the range
};

/// A mark with the marks that it encloses, and its place in the translation.
struct Node {
  size_t mark = kNone;  // kNone: the segment itself
  std::vector<size_t> children = {};
  Range place = {};                                // in the translation; empty for a point
  bool space_before = false, space_after = false;  // to add around it
  bool replaces = false;                           // verbatim text: whether it replaces the text in `place`
  std::string_view before = {}, after = {};  // verbatim text that replaces other text: the rest of its source word
};

class Placer {
 public:
  Placer(const Segment& segment, const SegmentTranslation& translation)
      : segment_(segment), source_(segment.text), target_(translation.text), words_(segment.text, translation) {}

  std::vector<Piece> pieces() {
    build_tree();
    anchor_copies();
    nodes_[0].place = {0, target_.size()};
    place_children(0);
    remove_further_copies();
    write(0);
    return std::move(pieces_);
  }

 private:
  const Mark& mark_of(const Node& node) const { return segment_.marks[node.mark]; }
  std::string_view text_of(const Node& node) const {
    const Range text = mark_of(node).text;
    return source_.substr(text.begin, text.size());
  }

  /// Node 0 is the segment, node i + 1 mark i.
  void build_tree() {
    nodes_.emplace_back();
    std::vector<size_t> open{0};
    for (size_t i = 0; i < segment_.marks.size(); ++i) {
      const Mark& mark = segment_.marks[i];
      while (open.size() > 1 && !encloses(mark_of(nodes_[open.back()]), mark)) open.pop_back();
      nodes_.push_back({.mark = i});
      nodes_[open.back()].children.push_back(nodes_.size() - 1);
      if (mark.kind == MarkKind::Pair) open.push_back(nodes_.size() - 1);
    }
  }

  static bool encloses(const Mark& pair, const Mark& mark) {
    if (mark.open.size() == 0) {  // verbatim text without markup
      return pair.text.begin <= mark.text.begin && mark.text.end <= pair.text.end;
    }
    return pair.open.end <= mark.open.begin && mark.open.end <= pair.close.begin;
  }

  /// Finds the copies of verbatim texts. Their words attend to them only.
  void anchor_copies() {
    for (Node& node : nodes_) {
      if (node.mark == kNone || mark_of(node).kind != MarkKind::Verbatim) continue;
      const Range copy = best_copy(node);
      if (copy.size() == 0) continue;
      node.place = copy;
      node.replaces = true;
      anchors_.add(copy);
      const auto [first, end] = words_at(copy);
      for (size_t k = first; k < end; ++k) words_.attend_only(k, mark_of(node).text);
    }
  }

  /// The free copy of verbatim text whose words attend to it most; empty: none.
  Range best_copy(const Node& node) const {
    const std::string_view text = text_of(node);
    Range best;
    double best_share = -1;
    for (size_t at = target_.find(text); at != target_.npos; at = target_.find(text, at + 1)) {
      const Range copy{at, at + text.size()};
      if (is_inside_word(target_, copy.begin) || is_inside_word(target_, copy.end)) continue;
      if (anchors_.overlaps(copy)) continue;
      double share = 0;
      const auto [first, end] = words_at(copy);
      for (size_t k = first; k < end; ++k) share += words_.share(k, mark_of(node).text);
      if (share > best_share) {
        best = copy;
        best_share = share;
      }
    }
    return best;
  }

  /// The words that overlap a range of the translation, [first, end).
  std::pair<size_t, size_t> words_at(Range range) const {
    const std::vector<Range>& words = words_.target();
    const auto first = std::ranges::partition_point(words, [&](Range word) { return word.end <= range.begin; });
    const auto end = std::partition_point(first, words.end(), [&](Range word) { return word.begin < range.end; });
    return {static_cast<size_t>(first - words.begin()), static_cast<size_t>(end - words.begin())};
  }

  /// The words in a range of the translation, [first, end).
  std::pair<size_t, size_t> words_in(Range range) const {
    size_t first = 0, end = words_.target().size();
    while (first < end && words_.target()[first].begin < range.begin) ++first;
    while (end > first && words_.target()[end - 1].end > range.end) --end;
    // A window that begins or ends inside a word, after punctuation was left out, has that word.
    if (first > 0 && words_.target()[first - 1].end > range.begin && range.size() > 0) --first;
    if (end < words_.target().size() && words_.target()[end].begin < range.end && range.size() > 0) ++end;
    return {first, std::max(first, end)};
  }

  void place_children(size_t parent) {
    const Range window = nodes_[parent].place;
    std::vector<std::tuple<double, size_t>> by_score;
    for (const size_t child : nodes_[parent].children) {
      if (mark_of(nodes_[child]).kind == MarkKind::Point) continue;
      if (nodes_[child].replaces &&
          !(window.begin <= nodes_[child].place.begin && nodes_[child].place.end <= window.end)) {
        nodes_[child].replaces = false;  // its copy is outside of the enclosing pair
        nodes_[child].place = {};
      }
      by_score.emplace_back(nodes_[child].replaces ? -1e9 : -best_run(child, window, {}).score, child);
    }
    std::ranges::stable_sort(by_score);
    DisjointRanges taken;
    for (const auto& [score, child] : by_score) {
      if (!nodes_[child].replaces) place_text(child, parent, taken);
      if (nodes_[child].place.size() > 0) taken.add(nodes_[child].place);
    }
    for (const size_t child : nodes_[parent].children) {
      if (nodes_[child].place.size() == 0) place_point(nodes_[child], window, taken);
    }
    for (const size_t child : nodes_[parent].children) place_children(child);
  }

  struct Run {
    double score = 0;
    size_t first = 0, end = 0;
  };

  /// The run of free words that maximizes the sum of (share - 1/2), less kPerExtraWord for each word more than the mark
  /// has. Never empty if a word is free.
  Run best_run(size_t child, Range window, const DisjointRanges& taken) const {
    constexpr double kPerExtraWord = 0.45;
    const Mark& mark = mark_of(nodes_[child]);
    const size_t own = words_.source_words(mark.text).size();
    const size_t most = mark.kind == MarkKind::Verbatim ? own : 2 * own + 8;
    const auto [first, end] = words_in(window);
    Run best{.score = -std::numeric_limits<double>::infinity()};
    for (size_t begin = first; begin < end; ++begin) {
      double sum = 0;
      for (size_t k = begin; k < end && k < begin + most; ++k) {
        if (taken.overlaps(words_.target()[k])) break;
        sum += words_.share(k, mark.text) - 0.5;
        const double score = sum - kPerExtraWord * static_cast<double>(std::max(k + 1 - begin, own) - own);
        if (score > best.score) best = {.score = score, .first = begin, .end = k + 1};
      }
    }
    return best;
  }

  /// Whether the text of a mark has all words of the enclosing text.
  bool has_all_words(Range text, Range enclosing) const {
    return words_.source_words(text) == words_.source_words(enclosing);
  }

  void place_text(size_t child, size_t parent, const DisjointRanges& taken) {
    Node& node = nodes_[child];
    const Mark& mark = mark_of(node);
    const Range window = nodes_[parent].place;
    const Range enclosing = parent == 0 ? Range{0, source_.size()} : mark_of(nodes_[parent]).text;
    const auto [first, end] = words_in(window);
    if (mark.kind == MarkKind::Pair && taken.empty() && has_all_words(mark.text, enclosing) && first < end) {
      node.place = without_punctuation(in_window(first, end, window), mark.text, enclosing);
      return;
    }
    const Run run = best_run(child, window, taken);
    if (run.end <= run.first) return;
    constexpr double kLeastScore = -0.2;  // a share of 0.3 of the attention of one word
    if (mark.kind == MarkKind::Verbatim && run.score <= kLeastScore) return;
    node.place = without_punctuation(in_window(run.first, run.end, window), mark.text, enclosing);
    if (mark.kind == MarkKind::Verbatim) {
      node.replaces = true;
      add_rest_of_word(node, enclosing);
    }
    if (run.end == run.first + 1) place_inside_word(node, run.first);
  }

  Range in_window(size_t first, size_t end, Range window) const {
    return {std::max(words_.target()[first].begin, window.begin), std::min(words_.target()[end - 1].end, window.end)};
  }

  /// `result`'s: what is next to verbatim text in its word goes with it.
  void add_rest_of_word(Node& node, Range enclosing) const {
    const Range text = mark_of(node).text;
    const auto is_rest = [&](size_t at) {
      return source_[at] != ' ' && std::ranges::none_of(segment_.marks, [&](const Mark& mark) {
               return mark.kind != MarkKind::Point && overlap(mark.text, {at, at + 1}) &&
                      mark.text.size() < enclosing.size();
             });
    };
    size_t begin = text.begin, end = text.end;
    while (begin > enclosing.begin && is_rest(begin - 1)) --begin;
    while (end < enclosing.end && is_rest(end)) ++end;
    while (begin < text.begin && is_ascii_punctuation(source_[begin])) ++begin;
    while (end > text.end && is_ascii_punctuation(source_[end - 1])) --end;
    const std::string_view before = source_.substr(begin, text.begin - begin),
                           after = source_.substr(text.end, end - text.end);
    if (has_word_character(before)) node.before = before;
    if (has_word_character(after)) node.after = after;
  }

  /// If a part of a word is marked and the translation has the same word, the same part of it.
  void place_inside_word(Node& node, size_t k) const {
    const Range text = mark_of(node).text, word = words_.target()[k];
    if (!is_inside_word(source_, text.begin) && !is_inside_word(source_, text.end)) return;
    for (const Range own : words_.source()) {
      if (!overlap(own, text)) continue;
      if (own.begin > text.begin || own.end < text.end) return;
      if (source_.substr(own.begin, own.size()) != target_.substr(word.begin, word.size())) return;
      node.place = {word.begin + text.begin - own.begin, word.begin + text.end - own.begin};
    }
  }

  /// Leaves out punctuation at the ends if the text has none there, else as much as is next to the text. At an end that
  /// the text shares with the enclosing mark, that was done before.
  Range without_punctuation(Range place, Range text, Range enclosing) const {
    const auto own = characters(source_.substr(text.begin, text.size()));
    const auto all = characters(target_.substr(place.begin, place.size()));
    if (own.empty()) return place;
    const auto is_mark = [](std::string_view character) { return is_punctuation(to_code_points(character)[0]); };
    size_t most_before = all.size(), most_after = all.size();
    if (is_mark(own.front())) most_before = punctuation_before(text.begin);
    if (is_mark(own.back())) most_after = punctuation_from(text.end);
    const bool is_inner = enclosing.size() < source_.size();
    if (is_inner && text.begin == enclosing.begin) most_before = 0;
    if (is_inner && text.end == enclosing.end) most_after = 0;
    size_t first = 0, end = all.size();
    while (all.size() - end < most_after && end > 0 && is_mark(all[end - 1])) --end;
    while (first < most_before && first < end && is_mark(all[first])) ++first;
    if (first >= end) return place;
    for (size_t i = 0; i < first; ++i) place.begin += all[i].size();
    for (size_t i = end; i < all.size(); ++i) place.end -= all[i].size();
    return place;
  }

  /// The punctuation marks of the source that end before a byte, and those that begin there.
  size_t punctuation_before(size_t at) const {
    size_t count = 0;
    for (; at > 0 && is_ascii_punctuation(source_[at - 1]); --at) ++count;
    return count;
  }
  size_t punctuation_from(size_t at) const {
    size_t count = 0;
    for (; at < source_.size() && is_ascii_punctuation(source_[at]); ++at) ++count;
    return count;
  }
  static bool is_ascii_punctuation(char c) { return std::ispunct(static_cast<unsigned char>(c)) != 0; }

  /// Puts a mark without words of its own between two words.
  void place_point(Node& node, Range window, const DisjointRanges& taken) const {
    const Mark& mark = mark_of(node);
    const bool is_word = mark.kind == MarkKind::Verbatim;  // it is not joined with another word
    node.space_before = mark.space_before;
    node.space_after = mark.space_after;
    if (is_word) {
      node.space_before = mark.text.begin > 0 && source_[mark.text.begin - 1] == ' ';
      node.space_after = mark.text.end < source_.size() && source_[mark.text.end] == ' ';
    }
    const auto [first, end] = words_in(window);
    if (first == end) {
      node.place = {window.begin, window.begin};
      return;
    }
    const size_t k = best_boundary(mark.text.begin, window, taken);
    const size_t begin_of_window = std::max(words_.target()[first].begin, window.begin);
    const size_t end_of_window = std::min(words_.target()[end - 1].end, window.end);
    if (k == end) {
      node.place = {end_of_window, end_of_window};
      node.space_before |= is_word;
      node.space_after = false;
    } else if (k == first) {
      node.place = {begin_of_window, begin_of_window};
      node.space_before = false;
      node.space_after |= is_word;
    } else if (node.space_before) {
      node.place = {words_.target()[k].begin, words_.target()[k].begin};
      node.space_before = false;
      node.space_after |= is_word;
    } else {
      node.place = {words_.target()[k - 1].end, words_.target()[k - 1].end};
      node.space_after = false;
      node.space_before = is_word;
    }
    if (k > first && !is_word && !mark.space_before) place_before_punctuation(node, window.begin);
  }

  /// A point before the punctuation of a source word is before that of the target word too.
  void place_before_punctuation(Node& node, size_t window_begin) const {
    const size_t at = mark_of(node).text.begin;
    if (at == 0 || at >= source_.size() || !is_punctuation(to_code_points(source_.substr(at))[0])) return;
    const auto before = characters(target_.substr(window_begin, node.place.begin - window_begin));
    for (size_t i = before.size(); i > 1 && is_punctuation(to_code_points(before[i - 1])[0]); --i) {
      node.place.begin -= before[i - 1].size();
    }
    node.place.end = node.place.begin;
  }

  /// The word before which a point crosses the least attention.
  size_t best_boundary(size_t source_at, Range window, const DisjointRanges& taken) const {
    const auto [first, end] = words_in(window);
    const Range before{0, source_at};
    double cost = 0;
    for (size_t k = first; k < end; ++k) cost += words_.share(k, before);
    double best_cost = std::numeric_limits<double>::infinity();
    size_t best = first;
    for (size_t k = first; k <= end; ++k) {
      const size_t at = k < end ? words_.target()[k].begin : words_.target()[end - 1].end;
      if (!taken.has_inside(at) && cost < best_cost - 1e-6) {
        best_cost = cost;
        best = k;
      }
      if (k < end) cost += 1 - 2 * words_.share(k, before);
    }
    return best;
  }

  static std::vector<Range> copies_in(std::string_view text, std::string_view part) {
    std::vector<Range> copies;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) {
      copies.push_back({at, at + part.size()});
    }
    return copies;
  }

  /// Removes URLs and placeholders that the model has written more often than the source has them.
  void remove_further_copies() {
    DisjointRanges used;
    for (const Node& node : nodes_) {
      if (node.mark != kNone && node.replaces) used.add(node.place);
    }
    std::unordered_set<std::string_view> known;
    for (const Node& node : nodes_) {
      if (node.mark == kNone || mark_of(node).kind != MarkKind::Verbatim || mark_of(node).open.size() > 0) continue;
      if (!known.insert(text_of(node)).second) continue;
      const auto copies = copies_in(target_, text_of(node));
      if (copies.size() <= copies_in(source_, text_of(node)).size()) continue;
      for (const Range copy : copies) {
        if (is_inside_word(target_, copy.begin) || is_inside_word(target_, copy.end)) continue;  // 1 in 10
        if (!used.overlaps(copy)) removed_.push_back(copy);
      }
    }
    std::ranges::sort(removed_, {}, &Range::begin);
  }

  void write_text(Range range) {
    for (const Range removed : removed_) {
      if (removed.begin < range.begin || removed.end > range.end) continue;
      write_plain({range.begin, removed.begin});
      range.begin = removed.end;
      const bool after_space = removed.begin == 0 || target_[removed.begin - 1] == ' ';
      if (after_space && range.begin < range.end && target_[range.begin] == ' ') ++range.begin;
    }
    write_plain(range);
  }
  void write_plain(Range range) {
    if (range.begin < range.end) pieces_.push_back({.kind = Piece::Kind::Text, .text = range});
  }
  void write_literal(std::string_view text) {
    if (!text.empty()) pieces_.push_back({.kind = Piece::Kind::Text, .literal = std::string(text)});
  }
  void write_space(bool is_needed) { write_literal(is_needed ? " " : ""); }

  void write(size_t index) {
    const Node& node = nodes_[index];
    std::vector<size_t> children = node.children;
    std::ranges::stable_sort(children, {}, [&](size_t child) { return nodes_[child].place.begin; });
    size_t at = node.place.begin;
    for (const size_t child : children) {
      const Node& inner = nodes_[child];
      write_text({at, inner.place.begin});
      at = std::max(at, inner.place.end);
      write_space(inner.space_before);
      if (mark_of(inner).kind == MarkKind::Pair) {
        pieces_.push_back({.kind = Piece::Kind::Open, .mark = inner.mark});
        write(child);
        pieces_.push_back({.kind = Piece::Kind::Close, .mark = inner.mark});
      } else {
        write_literal(inner.before);
        pieces_.push_back({.kind = Piece::Kind::Whole, .mark = inner.mark});
        write_literal(inner.after);
      }
      write_space(inner.space_after);
    }
    write_text({at, node.place.end});
  }

  const Segment& segment_;
  std::string_view source_, target_;
  WordWeights words_;
  std::vector<Node> nodes_;
  DisjointRanges anchors_;
  std::vector<Range> removed_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::vector<Piece> place_marks(const Segment& segment, const SegmentTranslation& translation) {
  return Placer(segment, translation).pieces();
}

}  // namespace heed::documents
