#include "heed/documents/word_weights.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "heed/core/text/unicode.h"

namespace heed::documents {
namespace {

Range range_in(std::string_view text, std::string_view part) {
  const auto begin = static_cast<size_t>(part.data() - text.data());
  return {begin, begin + part.size()};
}

std::vector<Range> words_of(std::string_view text) {
  std::vector<Range> ranges;
  for (const std::string_view word : split_whitespace(text)) ranges.push_back(range_in(text, word));
  return ranges;
}

/// The ranges of words in their order. Absent if one does not follow the other or a letter is left over.
std::optional<std::vector<Range>> located(std::string_view text, const std::vector<std::string>& words) {
  std::vector<Range> ranges;
  size_t at = 0;
  for (const std::string& word : words) {
    const size_t begin = text.find(word, at);
    if (word.empty() || begin == text.npos || !strip(text.substr(at, begin - at)).empty()) return std::nullopt;
    at = begin + word.size();
    ranges.push_back({begin, at});
  }
  if (!strip(text.substr(at)).empty()) return std::nullopt;
  return ranges;
}

bool fits(const text::Alignment& alignment) {
  return alignment.weights.size() == alignment.target.size() &&
         std::ranges::all_of(alignment.weights, [&](const auto& row) { return row.size() == alignment.source.size(); });
}

/// A word's attention with a share of that of the word before. Attention is often ahead of the words: `Click OK`
/// becomes `Klicken Sie auf OK`, and `Sie` and `auf` attend to `OK`. With this share, tags of help pages enclosed the
/// words of the reference in 88 of 147 cases instead of 76 with one model, and in 80 of 129 instead of 76 with another.
std::vector<float> mixed(std::vector<float> row, const std::vector<float>& before) {
  constexpr float kBefore = 0.3F;
  for (size_t i = 0; i < row.size(); ++i) row[i] = (1 - kBefore) * row[i] + kBefore * before[i];
  return row;
}

/// The sums of the weights before each word, for weights that sum to 1 (or to 0).
std::vector<float> sums_of(const std::vector<float>& row) {
  std::vector<float> sums{0};
  for (const float weight : row) sums.push_back(sums.back() + std::max(weight, 0.0F));
  const float all = sums.back();
  if (all > 0) {
    for (float& sum : sums) sum /= all;
  }
  return sums;
}

std::unordered_map<std::string_view, size_t> unique_words(std::string_view text, const std::vector<Range>& ranges) {
  std::unordered_map<std::string_view, size_t> places;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const auto [place, is_new] = places.emplace(text.substr(ranges[i].begin, ranges[i].size()), i);
    if (!is_new) place->second = ranges.size();
  }
  return places;
}

}  // namespace

WordWeights::WordWeights(std::string_view source, const SegmentTranslation& translation) {
  const text::Alignment& alignment = translation.alignment;
  auto sources = located(source, alignment.source), targets = located(translation.text, alignment.target);
  if (sources && targets && fits(alignment)) {
    source_ = std::move(*sources);
    target_ = std::move(*targets);
    for (size_t k = 0; k < alignment.weights.size(); ++k) {
      sums_.push_back(sums_of(k == 0 ? alignment.weights[0] : mixed(alignment.weights[k], alignment.weights[k - 1])));
    }
  } else {
    source_ = words_of(source);
    target_ = words_of(translation.text);
    align_by_position();
  }
  align_equal_words(source, translation.text);
}

/// Each target word belongs to the source word at the same relative position.
void WordWeights::align_by_position() {
  const size_t sources = source_.size(), targets = target_.size();
  sums_.assign(targets, std::vector<float>(sources + 1, 0.0F));
  for (size_t k = 0; k < targets && sources > 0; ++k) {
    attend_only(k, source_[std::min(sources - 1, (2 * k + 1) * sources / (2 * targets))]);
  }
}

void WordWeights::align_equal_words(std::string_view source, std::string_view target) {
  const auto sources = unique_words(source, source_), targets = unique_words(target, target_);
  for (const auto& [word, k] : targets) {
    const auto same = sources.find(word);
    if (word.size() < 2 || k == target_.size() || same == sources.end() || same->second == source_.size()) continue;
    attend_only(k, source_[same->second]);
  }
}

Range WordWeights::source_words(Range range) const {
  const auto first = std::ranges::partition_point(source_, [&](Range word) { return word.end <= range.begin; });
  const auto end = std::ranges::partition_point(source_, [&](Range word) { return word.begin < range.end; });
  const auto index = [&](auto place) { return static_cast<size_t>(place - source_.begin()); };
  return range.size() == 0 ? Range{} : Range{index(first), std::max(index(first), index(end))};
}

double WordWeights::share(size_t target_word, Range source_range) const {
  const Range words = source_words(source_range);
  return sums_[target_word][words.end] - sums_[target_word][words.begin];
}

void WordWeights::attend_only(size_t target_word, Range source_range) {
  const Range words = source_words(source_range);
  if (words.size() == 0) return;
  std::vector<float>& sums = sums_[target_word];
  for (size_t i = 0; i < sums.size(); ++i) {
    sums[i] =
        static_cast<float>(std::clamp(i, words.begin, words.end) - words.begin) / static_cast<float>(words.size());
  }
}

}  // namespace heed::documents
