// A finished translation of one sentence, as found by the search.
#pragma once

#include <cstdint>
#include <vector>

namespace heed::search {

struct Hypothesis {
  std::vector<int32_t> ids;                    ///< without bos and eos
  double log_probability = 0;                  ///< natural log of p(ids, eos | source), summed over tokens
  double score = 0;                            ///< what hypotheses are ranked by: log_probability with all penalties
  double penalty = 0;                          ///< for repeated tokens; added to log_probability before the length
                                               ///< penalty
  double coverage = 0;                         ///< coverage penalty; added after the length penalty
  std::vector<float> token_log_probabilities;  ///< per id, then eos; empty unless asked for
  std::vector<std::vector<float>> attention;   ///< per id, then eos: over the source positions; empty unless asked for
  std::vector<float> required_log_probabilities;  ///< per required phrase: the mean over its tokens
  bool complete = true;         ///< false: the length limit ended it, and another token was more probable than eos
  bool ended_by_rules = false;  ///< no token was allowed to follow: eos is not in log_probability, and its own entry is
                                ///< 0
};

}  // namespace heed::search
