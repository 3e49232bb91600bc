// The pairs of a validation text, for a search in the training text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "heed/data/corpus/corpus_files.h"

namespace heed::data {

/// Maps keys (pair_key.h) to the lines that have them. Takes about 50 bytes per key.
class LinesByKey {
 public:
  void add(uint64_t key, int64_t line);
  /// The first line with this key.
  std::optional<int64_t> first(uint64_t key) const;
  /// Marks the lines with this key as found. Further calls with the same key change nothing.
  void mark(uint64_t key);
  int64_t marked() const { return marked_; }

 private:
  struct Lines {
    int64_t first = 0;
    int64_t count = 0;
    bool marked = false;
  };
  std::unordered_map<uint64_t, Lines> keys_;
  int64_t marked_ = 0;
};

class ValidationPairs {
 public:
  /// Reads the text and logs advice about it (PairReader::log_advice). Throws what PairReader does.
  ValidationPairs(const CorpusFiles& files, const TextFormat& format, const std::string& prefix);

  /// The place of the first equal validation pair, such as "dev.tsv:3".
  std::optional<std::string> place_of(const TextPair& pair) const;
  /// Marks the pairs and the sources of the validation text that equal this pair. Returns whether a whole pair is
  /// equal.
  bool mark(const TextPair& pair);

  int64_t size() const { return size_; }
  /// Validation pairs that were found.
  int64_t found_pairs() const { return pairs_.marked(); }
  /// Validation pairs whose source was found; 0 if there are no sources.
  int64_t found_sources() const { return sources_.marked(); }

 private:
  bool has_source_;
  LinesByKey pairs_, sources_;
  LineLocations places_;
  int64_t size_ = 0;  // pairs that are compared
};

}  // namespace heed::data
