#include "heed/text/bpe/bpe_segmenter.h"

#include <algorithm>
#include <array>
#include <utility>

#include "heed/core/error.h"
#include "heed/text/bpe/words/word_counts.h"

namespace heed::text {
namespace {

constexpr size_t kShortWord = 64;  // bytes

size_t character_size(std::string_view text, size_t begin, bool bytes) {
  size_t end = begin + 1;
  while (!bytes && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) ++end;
  return end - begin;
}

/// Drops as many characters as the end-of-word mark has, without comparing them.
std::string_view without_mark(std::string_view text, bool bytes) {
  for (size_t i = 0; i < kEndOfWord.size() && !text.empty(); ++i) {
    bool inner = true;
    while (inner && !text.empty()) {
      inner = !bytes && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80;
      text.remove_suffix(1);
    }
  }
  return text;
}

}  // namespace

BpeVocabulary read_bpe_vocabulary(const std::string& path, std::optional<int64_t> threshold) {
  BpeVocabulary vocabulary;
  for_each_entry(path, LineEnds::Unicode, [&](std::string_view unit, int64_t count) {
    if (!threshold || count >= *threshold) vocabulary.emplace(unit);
  });
  return vocabulary;
}

BpeSegmenter::BpeSegmenter(const BpeCodes& codes, BpeSegmenterOptions options)
    : options_(std::move(options)),
      version_(codes.version),
      bytes_(codes.bytes),
      glossaries_(options_.glossaries, codes.bytes),
      merges_(codes.merges.size()) {
  const size_t count = codes.merges.size();
  symbols_.reserve(count + count / 8);
  std::vector<size_t> last_line;  // last line of each pair, which may be listed more than once
  last_line.reserve(count);
  std::string joined;
  for (size_t line = 0; line < count; ++line) {
    const Merge& merge = codes.merges[line];
    const uint32_t left = symbols_.add(merge.left);
    const uint32_t right = symbols_.add(merge.right);
    const uint32_t known = merges_.find(left, right).rank;
    if (known != MergeTable::kNone) {
      last_line[known] = line;
      continue;
    }
    joined.assign(merge.left).append(merge.right);
    merges_.add({.left = left, .right = right, .joined = symbols_.add(joined)});
    last_line.push_back(line);
  }
  for (size_t c = 0; c < 128; ++c) {
    const std::string character(1, static_cast<char>(c));
    short_symbols_[c] = symbols_.find(character);
    short_symbols_[128 + c] = symbols_.find(std::string(character).append(kEndOfWord));
  }
  made_by_.assign(symbols_.size(), MergeTable::kNone);
  for (uint32_t rank = 0; rank < merges_.size(); ++rank) {
    uint32_t& maker = made_by_[merges_[rank].joined];
    if (maker == MergeTable::kNone || last_line[rank] < last_line[maker]) maker = rank;
  }
}

void BpeSegmenter::segment(std::string_view word, UnitList& units) const { segment(word, nullptr, units); }

void BpeSegmenter::segment(std::string_view word, const Dropout& dropout, UnitList& units) const {
  segment(word, &dropout, units);
}

void BpeSegmenter::segment(std::string_view word, const Dropout* dropout, UnitList& units) const {
  if (glossaries_.empty()) return encode(word, dropout, units);
  for (const std::string& part : glossaries_.isolate(word)) encode(part, dropout, units);
}

/// The symbol of a character; with the end-of-word mark if `final`.
uint32_t BpeSegmenter::symbol_of(std::string_view character, bool final) const {
  const auto first = static_cast<unsigned char>(character[0]);
  if (first < 128) return short_symbols_[final ? 128U + first : first];
  return symbols_.find(final ? std::string(character).append(kEndOfWord) : character);
}

size_t BpeSegmenter::fill_symbols(std::string_view part, Symbol* symbols) const {
  size_t count = 0;
  const bool own_mark = version_ == BpeCodes::Version::V01;
  for (size_t begin = 0; begin < part.size();) {
    const size_t size = character_size(part, begin, bytes_);
    const bool final = !own_mark && begin + size == part.size();
    symbols[count++] = {symbol_of(part.substr(begin, size), final), static_cast<uint32_t>(begin)};
    begin += size;
  }
  if (own_mark) symbols[count++] = {symbols_.find(kEndOfWord), static_cast<uint32_t>(part.size())};
  return count;
}

void BpeSegmenter::encode(std::string_view part, const Dropout* dropout, UnitList& units) const {
  if (part.empty()) return;
  if (glossaries_.whole(part) || character_size(part, 0, bytes_) == part.size()) return units.add(part);
  std::array<Symbol, kShortWord> few;
  std::vector<Symbol> many;
  if (part.size() >= few.size()) many.resize(part.size() + 1);
  Symbol* const symbols = many.empty() ? few.data() : many.data();
  size_t count = fill_symbols(part, symbols);
  count = dropout != nullptr ? merge_some({symbols, count}, *dropout) : merge_word(merges_, {symbols, count});
  if (symbols[count - 1].begin == part.size()) --count;  // an end-of-word mark that was not merged
  for (size_t i = 0; i < count; ++i) {
    const bool final = i + 1 == count;
    const size_t end = final ? part.size() : symbols[i + 1].begin;
    const std::string_view unit = part.substr(symbols[i].begin, end - symbols[i].begin);
    if (options_.vocabulary.empty())
      units.add(unit);
    else
      add_known(unit, final, units);
  }
}

size_t BpeSegmenter::merge_some(Symbols symbols, const Dropout& dropout) const {
  std::vector<uint32_t> ranks;
  size_t size = symbols.size();
  while (size > 1) {
    ranks.assign(size, MergeTable::kNone);
    uint32_t lowest = MergeTable::kNone;
    for (size_t i = 0; i + 1 < size; ++i) {
      if (dropout.uniform() <= dropout.probability) continue;
      ranks[i] = merges_.find(symbols[i].id, symbols[i + 1].id).rank;
      lowest = std::min(lowest, ranks[i]);
    }
    if (lowest == MergeTable::kNone) break;
    size_t kept = 0;
    for (size_t i = 0; i < size; ++i) {
      symbols[kept] = symbols[i];
      if (ranks[i] == lowest) symbols[kept].id = merges_[ranks[i++]].joined;
      ++kept;
    }
    size = kept;
  }
  return size;
}

bool BpeSegmenter::known(std::string_view unit, bool final) const {
  return options_.vocabulary.contains(std::string(unit).append(final ? "" : options_.separator));
}

void BpeSegmenter::add_known(std::string_view unit, bool final, UnitList& units) const {
  if (known(unit, final))
    units.add(unit);
  else
    split(unit, final, units);
}

/// Undoes the merge that made a unit, recursively, until the parts are known or cannot be split.
void BpeSegmenter::split(std::string_view unit, bool final, UnitList& units) const {
  const uint32_t symbol = symbols_.find(std::string(unit).append(final ? kEndOfWord : ""));
  const uint32_t maker = symbol == StringTable::kNone ? MergeTable::kNone : made_by_[symbol];
  if (maker == MergeTable::kNone) return units.add(unit);
  const std::string_view left = symbols_[merges_[maker].left];
  std::string_view right = symbols_[merges_[maker].right];
  if (final) right = without_mark(right, bytes_);
  add_known(left, false, units);
  if (right == unit)
    units.add(right);  // only the mark was split: splitting again would never end
  else
    add_known(right, final, units);
}

}  // namespace heed::text
