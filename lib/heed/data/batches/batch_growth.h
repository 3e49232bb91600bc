// What grows during a training: the batch, and the pairs that it sees. Both depend on the epochs that are done at the
// beginning of a window (window_plan.h), so a resumed training has the same batches.
#pragma once

#include <cstdint>
#include <vector>

#include "heed/data/corpus/data_options.h"
#include "heed/data/encoded/encoded_corpus.h"

namespace heed::data {

/// The batch size after this many epochs, in batch_tokens (batching.h): from initial_step_tokens evenly to step_tokens
/// over growth_epochs (Smith et al. 2018, https://arxiv.org/abs/1711.00489).
int64_t grown_step_tokens(const SentenceContext& options, double epochs);

/// A competence-based curriculum (Platanios et al. 2019, https://arxiv.org/abs/1903.09848, equation 4). The difficulty
/// of a pair is the length of its source, of a language model's that of its line. After e of T epochs a training sees
/// the easiest part of the corpus, of this size:
///   competence = min(1, sqrt(e / T * (1 - c^2) + c^2))  with c = 0.01
class Curriculum {
 public:
  /// epochs: T; 0: all pairs are seen from the beginning on.
  Curriculum(const EncodedCorpus& corpus, double epochs);

  /// The longest source that is seen after this many epochs.
  int64_t longest(double epochs) const;
  static int64_t length(const EncodedPairs& from, int64_t pair);

 private:
  double epochs_;
  std::vector<int64_t> pairs_up_to_;  // by length: the number of pairs that are not longer
};

}  // namespace heed::data
