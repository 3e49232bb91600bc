// How probable it is that two texts are translations of each other, by a lexical table and the lengths that are learned
// from the corpus itself.
//
// IBM model 1 (data/lexicon) gives t(f | e) of words f and e. A target word is evidence for the pair if the words of
// the source explain it better than its frequency does: log p(f | source) / p(f), and the same in the other direction.
// A pair must not explain itself: what it has contributed to the table is subtracted (leave-one-out). A logistic
// regression joins both directions, the lengths, and words that are equal on both sides (numbers, names). Its positive
// examples are the pairs of the corpus, its negative ones pairs of sides that do not belong together. Pairs of the
// corpus that it finds improbable are left out and it is learned again, since some of them are wrong.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "heed/curation/checks/side_text.h"
#include "heed/curation/learned/length_model.h"
#include "heed/data/lexicon/translation_table.h"

namespace heed::curation {

/// A pair for learning.
struct WordPair {
  std::vector<uint64_t> source, target;  ///< hashes of words (AlignmentModel::words_of)
  int64_t source_length = 0;             ///< in characters
  int64_t target_length = 0;
};

class AlignmentModel {
 public:
  /// The table of a sample of different pairs. seed: of the negative examples.
  AlignmentModel(std::span<const WordPair> pairs, const LengthModel& lengths, uint64_t seed);

  /// The words of a text as the model sees them.
  static void words_of(const SideText& text, std::vector<uint64_t>& words);

  /// The probability that the sides belong together, if half of all pairs did. 0.5 if the model knows nothing about the
  /// words, or is not useful because the corpus is too small.
  double probability(const WordPair& pair) const;

 private:
  static constexpr size_t kFeatures = 9;
  using Features = std::array<double, kFeatures>;
  using WordIds = std::unordered_map<uint64_t, int32_t>;
  struct Side {
    WordIds ids;
    std::vector<double> frequencies;  // relative, by id
  };
  struct IdPair {
    text::Ids source, target;
  };

  static Side count(std::span<const WordPair> pairs, std::vector<uint64_t> WordPair::* side);
  IdPair ids_of(const WordPair& pair) const;
  static uint64_t key_of(const IdPair& pair);
  Features features(const WordPair& pair, const IdPair& ids, bool learned) const;
  void fit(std::span<const WordPair> pairs, std::span<const IdPair> ids, uint64_t seed);

  const LengthModel& lengths_;
  Side source_, target_;
  std::unordered_set<uint64_t> learned_;  // pairs of the sample
  std::unique_ptr<data::TranslationTable> forward_, backward_;
  Features weights_{};
  bool useful_ = false;
};

}  // namespace heed::curation
