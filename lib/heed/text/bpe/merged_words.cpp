#include "heed/text/bpe/merged_words.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/text/bpe/bpe_codes.h"

namespace heed::text {
namespace {

/// What \s of a regular expression matches. In bytes it is only ASCII white space.
bool is_blank(char32_t c, bool bytes) { return bytes ? c == ' ' || (c >= 0x09 && c <= 0x0D) : is_space(c); }

std::u32string code_points(std::string_view text, bool bytes) {
  if (!bytes) return to_code_points(text);
  std::u32string points;
  for (const char c : text) points.push_back(static_cast<unsigned char>(c));
  return points;
}

bool has_run_of_three(const std::vector<uint32_t>& symbols, uint32_t symbol) {
  for (size_t i = 2; i < symbols.size(); ++i) {
    if (symbols[i - 2] == symbol && symbols[i - 1] == symbol && symbols[i] == symbol) return true;
  }
  return false;
}

bool has_pair(const std::vector<uint32_t>& symbols, uint32_t left, uint32_t right) {
  for (size_t i = 1; i < symbols.size(); ++i) {
    if (symbols[i - 1] == left && symbols[i] == right) return true;
  }
  return false;
}

}  // namespace

MergedWords::MergedWords(const WordCounts& words, bool bytes) : bytes_(bytes) {
  words_.reserve(words.size());
  for (uint32_t i = 0; i < words.size(); ++i) add_word(words.word(i), words.count(i), bytes);
  last_merge_.assign(words_.size(), 0);
  for (uint32_t i = 0; i < words_.size(); ++i) {
    const Word& word = words_[i];
    for (uint64_t at = word.begin + 1; at < word.begin + word.length; ++at) {
      const uint32_t pair = pairs_.add(text_[at - 1], text_[at]);
      if (pair == places_.size()) places_.emplace_back();
      if (places_[pair].empty() || places_[pair].back() != i) places_[pair].push_back(i);
    }
    if (word.odd) make_odd(i, PairTable::kNone);
  }
}

void MergedWords::add_word(std::string_view word, int64_t count, bool bytes) {
  Word added{.begin = text_.size(), .length = 0, .odd = false, .count = count};
  const auto is_inner = [&](size_t i) { return !bytes && (static_cast<unsigned char>(word[i]) & 0xC0U) == 0x80; };
  for (size_t begin = 0; begin < word.size();) {
    size_t end = begin + 1;
    while (end < word.size() && is_inner(end)) ++end;
    const std::string_view character = word.substr(begin, end - begin);
    if (end < word.size())
      text_.push_back(symbols_.add(character));
    else
      text_.push_back(symbols_.add(std::string(character).append(kEndOfWord)));
    added.odd = added.odd || is_blank(code_points(character, bytes)[0], bytes);
    ++added.length;
    begin = end;
  }
  words_.push_back(added);
}

/// Starts to keep the word's counts, which are still correct. The count of `except` was just reset.
void MergedWords::make_odd(uint32_t number, uint32_t except) {
  Word& word = words_[number];
  word.odd = true;
  for (uint64_t at = word.begin + 1; at < word.begin + word.length; ++at) {
    const uint32_t pair = pairs_.add(text_[at - 1], text_[at]);
    if (pair != except) ++odd_counts_[pair][number];
  }
}

void MergedWords::count(PairStatistics& statistics) const {
  for (const Word& word : words_) {
    for (uint64_t at = word.begin + 1; at < word.begin + word.length; ++at) {
      statistics.add(pairs_.find(text_[at - 1], text_[at]), word.count);
    }
  }
}

MergedWords::Characters MergedWords::characters() const {
  std::unordered_set<uint32_t> internal;
  std::unordered_set<uint32_t> final;
  for (const Word& word : words_) {
    const auto begin = text_.begin() + static_cast<int64_t>(word.begin);
    internal.insert(begin, begin + word.length - 1);
    final.insert(begin[word.length - 1]);
  }
  return {.internal = static_cast<int64_t>(internal.size()), .final = static_cast<int64_t>(final.size())};
}

void MergedWords::merge(uint32_t pair, PairStatistics& statistics) {
  const auto [left, right] = pairs_[pair];
  const std::string text = std::string(symbols_[left]).append(symbols_[right]);
  const Join join{.pair = pair, .left = left, .right = right, .joined = symbols_.add(text)};
  std::vector<uint32_t> places;
  places.swap(places_[pair]);
  OddCounts odd_counts;
  if (const auto found = odd_counts_.find(pair); found != odd_counts_.end()) {
    odd_counts = std::move(found->second);
    odd_counts_.erase(found);
  }
  statistics.set_zero(pair);
  ++merge_number_;
  for (const uint32_t word : places) {
    if (last_merge_[word] == merge_number_) continue;
    last_merge_[word] = merge_number_;
    merge_in(word, join, odd_counts, statistics);
  }
  statistics.set_zero(pair);
}

void MergedWords::merge_in(uint32_t number, const Join& join, const OddCounts& odd_counts, PairStatistics& statistics) {
  Word& word = words_[number];
  const auto begin = text_.begin() + static_cast<int64_t>(word.begin);
  before_.assign(begin, begin + word.length);
  if (word.odd) {
    const auto found = odd_counts.find(number);
    if (found == odd_counts.end() || found->second < 1) return;
  } else {
    if (!has_pair(before_, join.left, join.right)) return;
    if ((join.left == join.right && has_run_of_three(before_, join.left)) ||
        std::ranges::count(before_, join.joined) > 0) {
      make_odd(number, join.pair);
    }
  }
  this->join(before_, join, word.odd);
  forget_before(number, join, statistics);
  count_after(number, join, statistics);
  std::ranges::copy(after_, begin);
  word.length = static_cast<uint32_t>(after_.size());
}

/// Sets after_ to the symbols of `before` with the pair merged, from left to right.
void MergedWords::join(const Symbols& before, const Join& join, bool odd) {
  after_.clear();
  if (odd) return join_as_text(before, join);
  for (size_t i = 0; i < before.size(); ++i) {
    const bool here = before[i] == join.left && i + 1 < before.size() && before[i + 1] == join.right;
    after_.push_back(here ? join.joined : before[i]);
    if (here) ++i;
  }
}

/// The same, but like subword-nmt. It joins the symbols with spaces and searches for "left right" between white space.
void MergedWords::join_as_text(const Symbols& before, const Join& join) {
  std::string joined_text;
  for (const uint32_t symbol : before) {
    if (!joined_text.empty()) joined_text += ' ';
    joined_text += symbols_[symbol];
  }
  const std::u32string text = code_points(joined_text, bytes_);
  const std::u32string left = code_points(symbols_[join.left], bytes_);
  const std::u32string right = code_points(symbols_[join.right], bytes_);
  const std::u32string sought = left + U' ' + right;
  std::u32string symbol;
  const auto end_symbol = [&] {
    std::string bytes;
    for (const char32_t c : symbol) {
      if (bytes_)
        bytes += static_cast<char>(c);
      else
        append_utf8(bytes, c);
    }
    after_.push_back(symbols_.add(bytes));
    symbol.clear();
  };
  const auto blank_at = [&](size_t i) { return i >= text.size() || is_blank(text[i], bytes_); };
  for (size_t i = 0; i < text.size();) {
    if (text.compare(i, sought.size(), sought) == 0 && (i == 0 || blank_at(i - 1)) && blank_at(i + sought.size())) {
      symbol += left + right;
      i += sought.size();
    } else {
      if (text[i] == U' ')
        end_symbol();
      else
        symbol += text[i];
      ++i;
    }
  }
  end_symbol();
}

void MergedWords::change(uint32_t left, uint32_t right, int sign, uint32_t number, PairStatistics& statistics) {
  const uint32_t pair = pairs_.add(left, right);
  if (pair == places_.size()) places_.emplace_back();
  const Word& word = words_[number];
  statistics.add(pair, sign * word.count);
  if (word.odd) odd_counts_[pair][number] += sign;
  if (sign > 0 && (places_[pair].empty() || places_[pair].back() != number)) places_[pair].push_back(number);
}

/// Subtracts the pairs around each place where the two symbols were.
void MergedWords::forget_before(uint32_t number, const Join& join, PairStatistics& statistics) {
  const Symbols& old = before_;
  for (size_t i = 0; i + 1 < old.size();) {
    if (old[i] != join.left || old[i + 1] != join.right) {
      ++i;
      continue;
    }
    if (i > 0) change(old[i - 1], old[i], -1, number, statistics);
    // In A B C B C the pair C B is counted with the second B C.
    const bool again = i + 3 < old.size() && old[i + 2] == join.left && old[i + 3] == join.right;
    if (i + 2 < old.size() && !again) change(old[i + 1], old[i + 2], -1, number, statistics);
    i += 2;
  }
}

/// Adds the pairs around each joined symbol.
void MergedWords::count_after(uint32_t number, const Join& join, PairStatistics& statistics) {
  for (size_t i = 0; i < after_.size(); ++i) {
    if (after_[i] != join.joined) continue;
    if (i > 0) change(after_[i - 1], after_[i], +1, number, statistics);
    if (i + 1 < after_.size() && after_[i + 1] != join.joined) change(after_[i], after_[i + 1], +1, number, statistics);
  }
}

}  // namespace heed::text
