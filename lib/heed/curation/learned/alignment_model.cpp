#include "heed/curation/learned/alignment_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "heed/core/random.h"
#include "heed/curation/learned/logistic_regression.h"

namespace heed::curation {
namespace {

constexpr size_t kPrefix = 6;           // characters of a word that count
constexpr size_t kMostWords = 60;       // of a side
constexpr size_t kVocabulary = 50'000;  // words of a side
constexpr int64_t kTableIterations = 4;
constexpr size_t kExamples = 20'000;
constexpr size_t kEnoughPairs = 500;  // pairs to learn from

/// Log-ratios of the words of one side given the other.
struct Evidence {
  double sum = 0;
  int64_t words = 0;
  double mean() const { return words > 0 ? sum / static_cast<double>(words) : 0; }
};

/// For each known word f: log p(f | given) / p(f), where p(f | given) is the mean of t(f | e) over the words e and of
/// p(f). learned: the pair is in the sample.
Evidence evidence_of(const data::TranslationTable& table, const text::Ids& given, const text::Ids& generated,
                     const std::vector<double>& frequencies, bool learned) {
  constexpr double kPrior = 2;  // counts of p(f) that are added to those of e
  constexpr double kLeast = -2.5, kMost = 4;
  Evidence evidence;
  std::vector<double> t(given.size());
  for (const int32_t f : generated) {
    const double usual = frequencies[static_cast<size_t>(f)];
    double sum = usual;
    for (size_t i = 0; i < given.size(); ++i) {
      t[i] = static_cast<double>(table.probability(given[i], f));
      sum += t[i];
    }
    double explained = usual;
    for (size_t i = 0; i < given.size(); ++i) {
      const double count = static_cast<double>(table.expected_count(given[i]));
      const double own = learned ? t[i] / sum : 0;
      explained += (std::max(0.0, t[i] * count - own) + kPrior * usual) / (std::max(0.0, count - own) + kPrior);
    }
    explained /= static_cast<double>(given.size() + 1);
    evidence.sum += std::clamp(std::log(explained / usual), kLeast, kMost);
    ++evidence.words;
  }
  return evidence;
}

}  // namespace

void AlignmentModel::words_of(const SideText& text, std::vector<uint64_t>& words) {
  text.hash_words(kPrefix, words);
  if (words.size() > kMostWords) words.resize(kMostWords);
}

AlignmentModel::Side AlignmentModel::count(std::span<const WordPair> pairs, std::vector<uint64_t> WordPair::* side) {
  std::unordered_map<uint64_t, int64_t> counts;
  int64_t total = 0;
  for (const WordPair& pair : pairs) {
    for (const uint64_t word : pair.*side) ++counts[word];
    total += std::ssize(pair.*side);
  }
  std::vector<std::pair<int64_t, uint64_t>> words;
  for (const auto& [word, times] : counts) {
    if (times > 1) words.emplace_back(-times, word);
  }
  std::ranges::sort(words);
  if (words.size() > kVocabulary) words.resize(kVocabulary);
  Side known;
  for (const auto& [times, word] : words) {
    known.ids[word] = static_cast<int32_t>(known.frequencies.size());
    known.frequencies.push_back(static_cast<double>(-times) / static_cast<double>(total));
  }
  return known;
}

AlignmentModel::IdPair AlignmentModel::ids_of(const WordPair& pair) const {
  const auto look_up = [](const std::vector<uint64_t>& words, const WordIds& ids) {
    text::Ids found;
    for (const uint64_t word : words) {
      if (const auto id = ids.find(word); id != ids.end()) found.push_back(id->second);
    }
    std::ranges::sort(found);
    const auto rest = std::ranges::unique(found);
    found.erase(rest.begin(), rest.end());
    return found;
  };
  return {look_up(pair.source, source_.ids), look_up(pair.target, target_.ids)};
}

uint64_t AlignmentModel::key_of(const IdPair& pair) {
  uint64_t key = 0xcbf29ce484222325U;
  for (const text::Ids* ids : {&pair.source, &pair.target}) {
    for (const int32_t id : *ids) key = (key ^ static_cast<uint64_t>(id + 1)) * 0x9E3779B97F4A7C15U;
    key = (key ^ (key >> 29U)) * 0xBF58476D1CE4E5B9U;
  }
  return key;
}

AlignmentModel::AlignmentModel(std::span<const WordPair> pairs, const LengthModel& lengths, uint64_t seed)
    : lengths_(lengths), source_(count(pairs, &WordPair::source)), target_(count(pairs, &WordPair::target)) {
  if (pairs.size() < kEnoughPairs) return;
  std::vector<IdPair> ids;
  for (const WordPair& pair : pairs) {
    ids.push_back(ids_of(pair));
    learned_.insert(key_of(ids.back()));
  }
  const auto size = std::ssize(ids);
  const auto pair_at = [&](int64_t i) { return &ids[static_cast<size_t>(i)]; };
  forward_ = std::make_unique<data::TranslationTable>(
      size, [&](int64_t i) { return data::TokenPair{pair_at(i)->source, pair_at(i)->target}; },
      std::ssize(source_.frequencies), kTableIterations);
  backward_ = std::make_unique<data::TranslationTable>(
      size, [&](int64_t i) { return data::TokenPair{pair_at(i)->target, pair_at(i)->source}; },
      std::ssize(target_.frequencies), kTableIterations);
  fit(pairs, ids, seed);
}

AlignmentModel::Features AlignmentModel::features(const WordPair& pair, const IdPair& ids, bool learned) const {
  const Evidence forward = evidence_of(*forward_, ids.source, ids.target, target_.frequencies, learned);
  const Evidence backward = evidence_of(*backward_, ids.target, ids.source, source_.frequencies, learned);
  const auto scaled = [](const Evidence& e) { return e.sum / std::sqrt(static_cast<double>(e.words) + 1); };
  int64_t equal = 0;
  for (const uint64_t word : pair.target) equal += std::ranges::find(pair.source, word) != pair.source.end();
  const double words = static_cast<double>(std::min(pair.source.size(), pair.target.size()));
  const double length = lengths_.deviation(pair.source_length, pair.target_length);
  return {1,
          forward.mean(),
          backward.mean(),
          scaled(forward),
          scaled(backward),
          std::min(length * length, 25.0) / 5,
          std::log(1 + words),
          static_cast<double>(equal) / (words + 1),
          std::min(forward.mean(), backward.mean())};
}

/// Negative examples have the target of another pair, whose length is the closest of a few.
void AlignmentModel::fit(std::span<const WordPair> pairs, std::span<const IdPair> ids, uint64_t seed) {
  constexpr int kCandidates = 3;
  RandomStream random(seed, Purpose::Shuffle, 64);
  const size_t step = std::max<size_t>(1, pairs.size() / kExamples);
  std::vector<Features> positive, negative;
  for (size_t i = 0; i < pairs.size(); i += step) {
    positive.push_back(features(pairs[i], ids[i], true));
    size_t other = i;
    for (int k = 0; k < kCandidates; ++k) {
      const size_t candidate = random.below(pairs.size());
      const auto distance = [&](size_t j) { return std::abs(pairs[j].target_length - pairs[i].target_length); };
      if (candidate != i && (other == i || distance(candidate) < distance(other))) other = candidate;
    }
    WordPair wrong = pairs[i];
    wrong.target = pairs[other].target;
    wrong.target_length = pairs[other].target_length;
    negative.push_back(features(wrong, {ids[i].source, ids[other].target}, false));
  }
  weights_ = fit_logistic_regression<kFeatures>(positive, negative);
  // Again, without the pairs of the corpus that look wrong.
  std::erase_if(positive, [&](const Features& x) { return logistic(weights_, x) < 0.3; });
  weights_ = fit_logistic_regression<kFeatures>(positive, negative);
  useful_ = !positive.empty();
}

double AlignmentModel::probability(const WordPair& pair) const {
  if (!useful_) return 0.5;
  const IdPair ids = ids_of(pair);
  return logistic(weights_, features(pair, ids, learned_.contains(key_of(ids))));
}

}  // namespace heed::curation
