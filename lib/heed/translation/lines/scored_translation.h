// The score that a model gives to an existing translation.
#pragma once

#include <vector>

namespace heed::translation {

struct ScoredTranslation {
  double log_probability = 0;                  ///< natural log of p(target, eos | source), or p(target, eos) under a
                                               ///< language model, summed over tokens
  std::vector<float> token_log_probabilities;  ///< per target id, then end-of-sentence
};

}  // namespace heed::translation
