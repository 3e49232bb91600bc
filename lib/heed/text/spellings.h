// All ways in which the tokens of a vocabulary spell a phrase: "Haus" may be one token, or "Ha" and "us".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "heed/text/tokenizer.h"

namespace heed::text {

/// A graph of places in the phrase, from 0 to end(); each path from the first to the last is a way to spell it.
struct Spellings {
  struct Step {
    int32_t token;
    size_t to;  ///< the place behind it
  };
  std::vector<std::vector<Step>> steps;  ///< from each place but the last; empty: the vocabulary cannot spell it

  size_t end() const { return steps.size(); }
  /// These tokens alone.
  static Spellings one_way(const Ids& ids);
};

class Speller {
 public:
  /// tokenizer: must outlive it.
  explicit Speller(const Tokenizer& tokenizer);

  /// The phrase as the tokenizer segments it, and any other way. Letters within a longer word are not it, but its
  /// letters at the begin of a longer word are where the vocabulary marks the begin of words and not their end.
  Spellings of(std::string_view phrase) const;

 private:
  const Tokenizer& tokenizer_;
  std::unordered_map<std::string, int32_t> tokens_;  // by their spelling
};

}  // namespace heed::text
