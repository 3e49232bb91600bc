// A validation or test text, whose pairs are looked up among the pairs of the training text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "heed/curation/duplicates/min_hash.h"
#include "heed/curation/files/pair_format.h"

namespace heed::curation {

enum class Overlap { None, Source, Near, Equal };  ///< Source: only the sources are equal

class HeldOutText {
 public:
  /// Reads the text. name: "validation", "test". Throws what open_pairs() throws.
  HeldOutText(std::string name, const CorpusText& corpus, double similarity);

  struct Match {
    Overlap overlap = Overlap::None;
    int64_t line = 0;  ///< of the held-out text, from 1
  };
  /// The held-out pair that a training pair is most like. pair_key, source_key: of its sides (key_of).
  Match match(uint64_t pair_key, uint64_t source_key, const Sketch& sketch) const;
  /// Counts a match, for found().
  void mark(const Match& match);

  const std::string& name() const { return name_; }
  int64_t pairs() const { return static_cast<int64_t>(marks_.size()); }
  /// Its pairs whose best match is this.
  int64_t found(Overlap overlap) const;

 private:
  std::string name_;
  double similarity_;
  std::unordered_map<uint64_t, int64_t> pairs_, sources_;     // first line with this key
  std::unordered_map<uint64_t, std::vector<int64_t>> bands_;  // lines with this band
  std::vector<std::array<uint8_t, kSketch>> sketches_;        // by line
  std::vector<Overlap> marks_;                                // by line
};

/// Keys that find equal texts; space around them is ignored.
uint64_t side_key(std::string_view text);
uint64_t pair_key(std::string_view source, std::string_view target);

}  // namespace heed::curation
