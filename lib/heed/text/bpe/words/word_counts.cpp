#include "heed/text/bpe/words/word_counts.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/python_notation.h"
#include "heed/text/bpe/words/parallel_blocks.h"

namespace heed::text {
namespace {

/// The fields of a line `word count`.
struct Entry {
  std::string_view word;
  int64_t count = 0;
};

std::optional<Entry> parse_entry(std::string_view line) {
  const std::string_view fields = split_ends(line).words;
  const size_t space = fields.find(' ');
  if (space == std::string_view::npos || fields.find(' ', space + 1) != std::string_view::npos) return std::nullopt;
  const auto count = parse_python_int(fields.substr(space + 1));
  if (!count) return std::nullopt;
  return Entry{.word = fields.substr(0, space), .count = *count};
}

}  // namespace

void WordCounts::add_line(std::string_view line) {
  for_each_word(split_ends(line).words, [this](std::string_view word) { add(word); });
}

void WordCounts::add_block(std::string_view block, LineEnds ends) {
  while (!block.empty()) {
    size_t size = scan_plain_lines(block, plain_words_);
    if (size > 0) {
      for (const PlainWord& word : plain_words_) numbers_.prefetch(word.key);
      for (const PlainWord& word : plain_words_) add_plain(word, ends);
    } else {
      size = first_line(block, ends);
      add_line(block.substr(0, size));
    }
    block.remove_prefix(size);
  }
}

void WordCounts::add_plain(const PlainWord& word, LineEnds ends) {
  const uint32_t* known = word.key.empty() ? nullptr : numbers_.find(word.key);
  if (known != nullptr) {
    ++counts_[*known];
    return;
  }
  if (first_line(word.text, ends) < word.text.size()) {
    for_each_line(word.text, ends, [this](std::string_view line) { add(line); });
    return;
  }
  const uint32_t number = add(word.text);
  if (!word.key.empty()) numbers_.add(word.key, number);
}

void WordCounts::add(const WordCounts& other) {
  for (uint32_t i = 0; i < other.size(); ++i) add(other.word(i), other.count(i));
}

WordCounts count_words(const std::string& path, LineEnds ends, int64_t threads) {
  TextBlocks blocks(path, ends);
  std::vector<WordCounts> counts(static_cast<size_t>(std::max<int64_t>(threads, 1)));
  for_each_block(
      blocks, threads, [&](size_t worker, size_t, const std::string& block) { counts[worker].add_block(block, ends); },
      [](size_t) {});
  for (size_t i = 1; i < counts.size(); ++i) counts[0].add(counts[i]);
  return std::move(counts[0]);
}

void for_each_entry(const std::string& path, LineEnds ends, const std::function<void(std::string_view, int64_t)>& use) {
  TextBlocks blocks(path, ends);
  int64_t line_number = 0;
  for (std::string block; blocks.next(block);) {
    for_each_line(block, ends, [&](std::string_view line) {
      ++line_number;
      const auto entry = parse_entry(line);
      if (!entry) {
        throw InputError(path, line_number,
                         fmt::format("expected a word, a space and its count, found '{}'", split_ends(line).words));
      }
      use(entry->word, entry->count);
    });
  }
}

WordCounts read_dictionary(const std::string& path, LineEnds ends) {
  WordCounts counts;
  int64_t symbols = 0;  // characters of all occurrences: no sum of counts is larger
  for_each_entry(path, ends, [&](std::string_view word, int64_t count) {
    int64_t of_word = 0;
    if (__builtin_mul_overflow(count, static_cast<int64_t>(word.size()), &of_word) ||
        __builtin_add_overflow(symbols, of_word, &symbols)) {
      throw InputError(path, 0, "has counts that are too great to be added up");
    }
    counts.add(word, count);
  });
  return counts;
}

std::string format_dictionary(const WordCounts& counts) {
  std::vector<uint32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return counts.count(a) > counts.count(b); });
  std::string lines;
  for (const uint32_t number : order) {
    lines += counts.word(number);
    fmt::format_to(std::back_inserter(lines), " {}\n", counts.count(number));
  }
  return lines;
}

}  // namespace heed::text
