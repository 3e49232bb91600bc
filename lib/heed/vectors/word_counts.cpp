#include "heed/vectors/word_counts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/text/unicode.h"

namespace heed::vectors {
namespace {

/// Replaces the ids in `lines` by `ranks`; ids with rank -1 are removed.
void renumber(std::vector<std::vector<int32_t>>& lines, const std::vector<int32_t>& ranks) {
  for (auto& line : lines) {
    for (int32_t& id : line) id = ranks[static_cast<size_t>(id)];
    std::erase(line, -1);
  }
}

}  // namespace

CountedText count_words(const std::vector<std::string>& files, int64_t min_count) {
  CountedText text;
  std::unordered_map<std::string, int32_t> ids;
  std::vector<std::string> words;
  std::vector<int64_t> counts;
  for (const std::string& file : files) {
    LineReader reader(file);
    for (std::string line; reader.next(line);) {
      auto& numbers = text.lines.emplace_back();
      for (const std::string_view word : split_whitespace(line)) {
        const auto [found, added] = ids.try_emplace(std::string(word), static_cast<int32_t>(words.size()));
        if (added) {
          words.emplace_back(word);
          counts.push_back(0);
        }
        ++counts[static_cast<size_t>(found->second)];
        numbers.push_back(found->second);
      }
    }
  }
  std::vector<int32_t> order(words.size());
  std::iota(order.begin(), order.end(), 0);
  const auto count_of = [&](int32_t id) { return counts[static_cast<size_t>(id)]; };
  const auto word_of = [&](int32_t id) -> const std::string& { return words[static_cast<size_t>(id)]; };
  std::ranges::sort(order, [&](int32_t a, int32_t b) {
    return count_of(a) != count_of(b) ? count_of(a) > count_of(b) : word_of(a) < word_of(b);
  });
  std::vector<int32_t> ranks(words.size(), -1);
  for (const int32_t id : order) {
    if (count_of(id) < min_count) break;
    ranks[static_cast<size_t>(id)] = static_cast<int32_t>(text.words.size());
    text.words.push_back(word_of(id));
    text.counts.push_back(count_of(id));
    text.tokens += count_of(id);
  }
  if (text.words.empty()) {
    throw Error(fmt::format("no word occurs {} times or more in the text (--min-count)", min_count));
  }
  renumber(text.lines, ranks);
  return text;
}

NoiseWords::NoiseWords(const std::vector<int64_t>& counts) {
  double sum = 0;
  for (const int64_t count : counts) sums_.push_back(sum += std::pow(static_cast<double>(count), 0.75));
}

int32_t NoiseWords::draw(RandomStream& random) const {
  const auto found = std::ranges::upper_bound(sums_, random.uniform() * sums_.back());
  return static_cast<int32_t>(std::min<int64_t>(found - sums_.begin(), std::ssize(sums_) - 1));
}

}  // namespace heed::vectors
