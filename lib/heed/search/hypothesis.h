// A finished translation of one sentence as the search found it.
#pragma once

#include <cstdint>
#include <vector>

namespace heed::search {

struct Hypothesis {
  std::vector<int32_t> ids;                    ///< without bos and eos
  double log_probability = 0;                  ///< natural log of p(ids, eos | source), summed over tokens
  double score = 0;                            ///< what hypotheses are ranked by: log_probability after all penalties
  double penalty = 0;                          ///< of repeated tokens: what the length penalty adds to log_probability
  double coverage = 0;                         ///< what is added behind the length penalty
  std::vector<float> token_log_probabilities;  ///< per id, then eos; empty unless asked for
  std::vector<std::vector<float>> attention;   ///< per id, then eos: over the source's positions; if asked for
  std::vector<float> required_log_probabilities;  ///< of each required phrase: the mean of its tokens
  bool complete = true;         ///< false when the length limit ended it: something else was likelier than eos
  bool ended_by_rules = false;  ///< no token was allowed to follow: eos is not in the probability, its number is 0
};

}  // namespace heed::search
