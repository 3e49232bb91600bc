#include "heed/curation/learned/language_profile.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>

namespace heed::curation {
namespace {

constexpr char32_t kWordEnd = U' ';
constexpr int kTrimmings = 3;
constexpr double kMostDeviation = 3;    // of a line that is kept
constexpr int64_t kTrigramsOfLine = 8;  // of a line that may be left out

bool has_letter(std::u32string_view word) {
  return std::ranges::any_of(word, [](char32_t c) { return c > '9'; });
}

/// Calls use(a, b, c) for each trigram of a word.
template <class Use>
void for_each_trigram(std::u32string_view word, const Use& use) {
  if (!has_letter(word)) return;
  char32_t before = kWordEnd;
  for (size_t i = 0; i < word.size(); ++i) {
    use(before, word[i], i + 1 < word.size() ? word[i + 1] : kWordEnd);
    before = word[i];
  }
}

uint64_t key_of(char32_t a, char32_t b, char32_t c) { return uint64_t{a} << 42U | uint64_t{b} << 21U | c; }

std::vector<std::u32string_view> views(const std::vector<std::u32string>& words) {
  return {words.begin(), words.end()};
}

uint64_t hash_of_line(std::span<const std::u32string_view> words) {
  uint64_t hash = 0;
  for (const std::u32string_view word : words) hash = hash * 31 + hash_of(word);
  return hash;
}
size_t half_of(std::span<const std::u32string_view> words) { return hash_of_line(words) >> 63U; }

/// The trigrams and the mean score of each line.
std::vector<std::pair<int64_t, double>> scores_of(std::span<const std::vector<std::u32string>> lines,
                                                  const LanguageProfile& profile) {
  std::vector<std::pair<int64_t, double>> scores;
  for (const auto& line : lines) {
    const LanguageScore score = profile.score(views(line));
    scores.emplace_back(score.trigrams, score.mean);
  }
  return scores;
}

/// The count such that more frequent characters make up this share of all.
int64_t count_of_share(const std::unordered_map<char32_t, int64_t>& characters, int64_t total, double share) {
  std::vector<int64_t> counts;
  for (const auto& [character, count] : characters) counts.push_back(count);
  std::ranges::sort(counts, std::greater{});
  int64_t sum = 0;
  for (const int64_t count : counts) {
    sum += count;
    if (static_cast<double>(sum) >= share * static_cast<double>(total)) return count;
  }
  return 0;
}

}  // namespace

LanguageProfile::LanguageProfile(std::span<const std::vector<std::u32string>> lines) {
  std::vector<bool> left_out(lines.size());
  learn(lines, left_out);
  for (int i = 0; i < kTrimmings; ++i) {
    const std::vector<std::pair<int64_t, double>> scores = scores_of(lines, *this);
    const SpreadByLength spreads(scores, {});
    for (size_t line = 0; line < lines.size(); ++line) {
      const auto& [trigrams, mean] = scores[line];
      left_out[line] = trigrams >= kTrigramsOfLine && spreads.deviation(trigrams, mean) < -kMostDeviation;
    }
    learn(lines, left_out);
  }
}

void LanguageProfile::learn(std::span<const std::vector<std::u32string>> lines, const std::vector<bool>& left_out) {
  std::unordered_map<uint64_t, int64_t> trigrams;
  std::unordered_map<char32_t, int64_t> characters;
  int64_t total = 0, letters = 0;
  for (size_t line = 0; line < lines.size(); ++line) {
    if (left_out[line]) continue;
    for (const std::u32string& word : lines[line]) {
      for_each_trigram(word, [&](char32_t a, char32_t b, char32_t c) {
        ++trigrams[key_of(a, b, c)];
        ++total;
        ++characters[b];
        ++letters;
      });
      ++characters[kWordEnd];
      ++letters;
    }
  }
  constexpr double kAdded = 0.2;  // to each count
  const double all = static_cast<double>(total) + kAdded * static_cast<double>(trigrams.size() + 1);
  const double all_letters = static_cast<double>(letters + std::ssize(characters) + 1);
  constexpr double kUsual = 0.97;  // share of the characters that are not rare
  const int64_t rare = count_of_share(characters, letters, kUsual);
  characters_.clear();
  for (const auto& [character, count] : characters) {
    characters_[character] = static_cast<float>(std::log(static_cast<double>(std::max(count, rare) + 1) / all_letters));
  }
  scores_.clear();
  for (const auto& [key, count] : trigrams) {
    scores_[key] = static_cast<float>(std::log((static_cast<double>(count) + kAdded) / all));
  }
  unseen_ = static_cast<float>(std::log(kAdded / all));
  rare_ = static_cast<float>(std::log(static_cast<double>(rare + 1) / all_letters));
}

LanguageScore LanguageProfile::score(std::span<const std::u32string_view> words) const {
  constexpr float kMost = 4;  // of a trigram: a single unseen one must not decide
  LanguageScore score;
  double sum = 0;
  const auto character = [&](char32_t c) {
    const auto found = characters_.find(c);
    return found == characters_.end() ? rare_ : found->second;
  };
  for (const std::u32string_view word : words) {
    for_each_trigram(word, [&](char32_t a, char32_t b, char32_t c) {
      const auto found = scores_.find(key_of(a, b, c));
      const float own = found == scores_.end() ? unseen_ : found->second;
      sum += static_cast<double>(std::clamp(own - character(a) - character(b) - character(c), -kMost, kMost));
      ++score.trigrams;
    });
  }
  score.mean = score.trigrams > 0 ? sum / static_cast<double>(score.trigrams) : 0;
  return score;
}

SideLanguage::SideLanguage(std::span<const std::vector<std::u32string>> lines) {
  std::vector<std::vector<std::u32string>> halves[2];
  for (const auto& line : lines) halves[half_of(views(line))].push_back(line);
  for (size_t half = 0; half < 2; ++half) halves_[1 - half] = LanguageProfile(halves[half]);
  std::vector<std::pair<int64_t, double>> scores;
  for (size_t half = 0; half < 2; ++half)
    std::ranges::copy(scores_of(halves[half], halves_[half]), std::back_inserter(scores));
  spreads_ = SpreadByLength(scores, {});
}

LanguageScore SideLanguage::score(const SideText& text) const {
  return halves_[half_of(text.words())].score(text.words());
}

}  // namespace heed::curation
