// What is learned from a sample of a corpus, to judge each of its pairs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <unicode/uscript.h>

#include "heed/curation/learned/alignment_model.h"
#include "heed/curation/learned/language_profile.h"
#include "heed/curation/learned/length_model.h"

namespace heed::curation {

/// Collects a sample of different pairs: those with the smallest keys. It depends neither on the order of the pairs nor
/// on how often one is repeated.
class PairSample {
 public:
  explicit PairSample(size_t size) : size_(size) {}
  /// key: pair_key().
  void add(uint64_t key, const std::string& source, const std::string& target);
  /// The pairs, in the order of their keys.
  std::vector<std::pair<std::string, std::string>> take();

 private:
  struct Entry {
    uint64_t key;
    std::string source, target;
  };
  void shrink();

  size_t size_;
  uint64_t largest_ = ~uint64_t{0};  // keys above it are not taken
  std::vector<Entry> entries_;
};

/// The scripts that a side is written in.
class SideScripts {
 public:
  void add(const SideText& text);
  /// Whether most letters of a text are in a script that less than a quarter of the side's letters are in.
  bool is_foreign(const SideText& text) const;

 private:
  static std::vector<std::pair<UScriptCode, int64_t>> count(const SideText& text);

  std::vector<std::pair<UScriptCode, int64_t>> counts_;
  int64_t letters_ = 0;
};

class CorpusModel {
 public:
  CorpusModel(const std::vector<std::pair<std::string, std::string>>& sample, uint64_t seed);
  CorpusModel(const CorpusModel&) = delete;
  CorpusModel& operator=(const CorpusModel&) = delete;

  const SideLanguage& source_language() const { return *source_language_; }
  const SideLanguage& target_language() const { return *target_language_; }
  const SideScripts& source_scripts() const { return source_scripts_; }
  const SideScripts& target_scripts() const { return target_scripts_; }
  const LengthModel& lengths() const { return *lengths_; }
  const AlignmentModel& alignment() const { return *alignment_; }
  int64_t learned_pairs() const { return learned_pairs_; }

 private:
  std::unique_ptr<SideLanguage> source_language_, target_language_;
  SideScripts source_scripts_, target_scripts_;
  std::unique_ptr<LengthModel> lengths_;
  std::unique_ptr<AlignmentModel> alignment_;
  int64_t learned_pairs_ = 0;
};

/// The share of the words with letters of `target` that are in `source` too.
double share_of_copied_words(const SideText& source, const SideText& target);

}  // namespace heed::curation
