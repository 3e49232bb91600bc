#include "heed/text/bpe/bpe_segmenter.h"

#include <algorithm>
#include <array>
#include <queue>
#include <utility>

#include "heed/core/error.h"
#include "heed/text/bpe/word_counts.h"

namespace heed::text {
namespace {

constexpr size_t kShortWord = 64;  // symbols

size_t character_size(std::string_view text, size_t begin, bool bytes) {
  size_t end = begin + 1;
  while (!bytes && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) ++end;
  return end - begin;
}

/// Drops as many characters as the end-of-word mark has, whatever they are.
void drop_mark(std::string& text, bool bytes) {
  for (size_t i = 0; i < kEndOfWord.size() && !text.empty(); ++i) {
    do {
      const bool inner = !bytes && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80;
      text.pop_back();
      if (!inner) break;
    } while (!text.empty());
  }
}

}  // namespace

BpeVocabulary read_bpe_vocabulary(const std::string& path, std::optional<int64_t> threshold) {
  const WordCounts counts = read_dictionary(path, LineEnds::Unicode);
  BpeVocabulary vocabulary;
  for (uint32_t i = 0; i < counts.size(); ++i) {
    if (!threshold || counts.count(i) >= *threshold) vocabulary.emplace(counts.word(i));
  }
  return vocabulary;
}

BpeSegmenter::BpeSegmenter(const BpeCodes& codes, BpeSegmenterOptions options)
    : options_(std::move(options)), version_(codes.version), bytes_(codes.bytes), glossaries_(options_.glossaries, codes.bytes) {
  symbols_.reserve(2 * codes.merges.size());
  pairs_.reserve(codes.merges.size());
  std::vector<size_t> last_line;  // of each pair, which may be listed more than once
  for (size_t line = 0; line < codes.merges.size(); ++line) {
    const Merge& merge = codes.merges[line];
    const uint32_t pair = pairs_.add(symbols_.add(merge.left), symbols_.add(merge.right));
    if (pair == joined_.size()) {
      joined_.push_back(symbols_.add(merge.left + merge.right));
      last_line.push_back(line);
    }
    last_line[pair] = line;
  }
  for (size_t c = 0; c < 128; ++c) {
    const std::string character(1, static_cast<char>(c));
    short_symbols_[c] = symbols_.find(character);
    short_symbols_[128 + c] = symbols_.find(std::string(character).append(kEndOfWord));
  }
  made_from_.assign(symbols_.size(), PairTable::kNone);
  for (uint32_t pair = 0; pair < joined_.size(); ++pair) {
    uint32_t& maker = made_from_[joined_[pair]];
    if (maker == PairTable::kNone || last_line[pair] < last_line[maker]) maker = pair;
  }
}

void BpeSegmenter::segment(std::string_view word, std::vector<std::string>& units) const { segment(word, nullptr, units); }

void BpeSegmenter::segment(std::string_view word, const Dropout& dropout, std::vector<std::string>& units) const {
  segment(word, &dropout, units);
}

void BpeSegmenter::segment(std::string_view word, const Dropout* dropout, std::vector<std::string>& units) const {
  if (glossaries_.empty()) return encode(word, dropout, units);
  for (const std::string& part : glossaries_.isolate(word)) encode(part, dropout, units);
}

/// The symbol of a character, `final`: with the end-of-word mark.
uint32_t BpeSegmenter::symbol_of(std::string_view character, bool final) const {
  const auto first = static_cast<unsigned char>(character[0]);
  if (first < 128) return short_symbols_[final ? 128U + first : first];
  return symbols_.find(final ? std::string(character).append(kEndOfWord) : character);
}

BpeSegmenter::Symbols BpeSegmenter::symbols_of(std::string_view part) const {
  Symbols symbols;
  symbols.reserve(part.size() + 1);
  const bool own_mark = version_ == BpeCodes::Version::V01;
  for (size_t begin = 0; begin < part.size();) {
    const size_t size = character_size(part, begin, bytes_);
    const bool final = !own_mark && begin + size == part.size();
    symbols.push_back({symbol_of(part.substr(begin, size), final), static_cast<uint32_t>(begin)});
    begin += size;
  }
  if (own_mark) symbols.push_back({symbols_.find(kEndOfWord), static_cast<uint32_t>(part.size())});
  return symbols;
}

void BpeSegmenter::encode(std::string_view part, const Dropout* dropout, std::vector<std::string>& units) const {
  if (part.empty()) return;
  if (glossaries_.whole(part) || character_size(part, 0, bytes_) == part.size()) {
    units.emplace_back(part);
    return;
  }
  Symbols symbols = symbols_of(part);
  if (dropout != nullptr) merge_some(symbols, *dropout);
  else merge_all(symbols);
  if (symbols.back().begin == part.size()) symbols.pop_back();  // an end-of-word mark that nothing joined
  for (size_t i = 0; i < symbols.size(); ++i) {
    const bool final = i + 1 == symbols.size();
    const size_t end = final ? part.size() : symbols[i + 1].begin;
    const std::string unit(part.substr(symbols[i].begin, end - symbols[i].begin));
    if (options_.vocabulary.empty()) units.push_back(unit);
    else add_known(unit, final, units);
  }
}

/// Merges the pair of the lowest rank wherever it stands, from left to right, until no pair is left.
void BpeSegmenter::merge_all(Symbols& symbols) const {
  if (symbols.size() <= kShortWord) merge_short(symbols);
  else merge_long(symbols);
}

/// Seeks the lowest rank among all: quadratic, but the fastest for words of everyday length.
void BpeSegmenter::merge_short(Symbols& symbols) const {
  std::array<uint32_t, kShortWord> ranks;
  const auto rank = [&](size_t left) { ranks[left] = pairs_.find(symbols[left].id, symbols[left + 1].id); };
  for (size_t i = 0; i + 1 < symbols.size(); ++i) rank(i);
  while (symbols.size() > 1) {
    const auto end = ranks.begin() + static_cast<int64_t>(symbols.size()) - 1;
    const auto first = std::min_element(ranks.begin(), end);
    const uint32_t lowest = *first;
    if (lowest == PairTable::kNone) break;
    for (auto i = static_cast<size_t>(first - ranks.begin()); i + 1 < symbols.size(); ++i) {
      if (ranks[i] != lowest) continue;
      symbols[i].id = joined_[lowest];
      symbols.erase(symbols.begin() + static_cast<int64_t>(i) + 1);
      std::copy(ranks.begin() + static_cast<int64_t>(i) + 1, end, ranks.begin() + static_cast<int64_t>(i));
      if (i > 0) rank(i - 1);
      if (i + 1 < symbols.size()) rank(i);
    }
  }
}

/// A queue holds the places of pairs by rank; places that an earlier merge changed are passed over.
void BpeSegmenter::merge_long(Symbols& symbols) const {
  constexpr uint32_t kGone = StringTable::kNone - 1;
  struct Place {
    uint32_t rank, left;
    bool operator>(const Place& other) const { return std::pair(rank, left) > std::pair(other.rank, other.left); }
  };
  const auto size = static_cast<uint32_t>(symbols.size());
  std::vector<uint32_t> next(size);
  std::vector<uint32_t> previous(size);
  std::priority_queue<Place, std::vector<Place>, std::greater<>> queue;
  const auto push = [&](uint32_t left) {
    const uint32_t rank = pairs_.find(symbols[left].id, symbols[next[left]].id);
    if (rank != PairTable::kNone) queue.push({rank, left});
  };
  for (uint32_t i = 0; i < size; ++i) {
    next[i] = i + 1;
    previous[i] = i == 0 ? size : i - 1;
  }
  for (uint32_t i = 0; i + 1 < size; ++i) push(i);
  std::vector<uint32_t> merged;
  while (!queue.empty()) {
    const uint32_t rank = queue.top().rank;
    const auto [left_id, right_id] = pairs_[rank];
    merged.clear();
    for (; !queue.empty() && queue.top().rank == rank; queue.pop()) {
      const uint32_t left = queue.top().left;
      const uint32_t right = next[left];
      if (symbols[left].id != left_id || right >= size || symbols[right].id != right_id) continue;
      symbols[left].id = joined_[rank];
      symbols[right].id = kGone;
      next[left] = next[right];
      if (next[left] < size) previous[next[left]] = left;
      merged.push_back(left);
    }
    // New pairs wait until all places of this rank are merged: theirs may be lower.
    for (const uint32_t place : merged) {
      if (previous[place] < size) push(previous[place]);
      if (next[place] < size) push(place);
    }
  }
  std::erase_if(symbols, [](const Symbol& symbol) { return symbol.id == kGone; });
}

void BpeSegmenter::merge_some(Symbols& symbols, const Dropout& dropout) const {
  std::vector<uint32_t> ranks;
  while (symbols.size() > 1) {
    ranks.assign(symbols.size(), PairTable::kNone);
    uint32_t lowest = PairTable::kNone;
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      if (dropout.uniform() <= dropout.probability) continue;
      ranks[i] = pairs_.find(symbols[i].id, symbols[i + 1].id);
      lowest = std::min(lowest, ranks[i]);
    }
    if (lowest == PairTable::kNone) return;
    size_t kept = 0;
    for (size_t i = 0; i < symbols.size(); ++i) {
      symbols[kept] = symbols[i];
      if (ranks[i] == lowest) symbols[kept].id = joined_[ranks[i++]];
      ++kept;
    }
    symbols.resize(kept);
  }
}

bool BpeSegmenter::known(const std::string& unit, bool final) const {
  return options_.vocabulary.contains(final ? unit : unit + options_.separator);
}

void BpeSegmenter::add_known(const std::string& unit, bool final, std::vector<std::string>& units) const {
  if (known(unit, final)) units.push_back(unit);
  else split(unit, final, units);
}

/// Undoes the merge that gave a unit, again and again, until the parts are known or no merge gives them.
void BpeSegmenter::split(const std::string& unit, bool final, std::vector<std::string>& units) const {
  const uint32_t symbol = symbols_.find(final ? std::string(unit).append(kEndOfWord) : unit);
  const uint32_t pair = symbol == StringTable::kNone ? PairTable::kNone : made_from_[symbol];
  if (pair == PairTable::kNone) {
    units.push_back(unit);
    return;
  }
  const std::string left(symbols_[pairs_[pair].left]);
  std::string right(symbols_[pairs_[pair].right]);
  if (final) drop_mark(right, bytes_);
  add_known(left, false, units);
  if (right == unit) units.push_back(right);  // nothing but the mark was split off
  else add_known(right, final, units);
}

}  // namespace heed::text
