// Word vectors by negative sampling (Mikolov et al. 2013, https://arxiv.org/abs/1310.4546 and
// https://arxiv.org/abs/1301.3781). Each word w has an input vector v_w, which is the result, and an output vector u_w.
// A vector h predicts a word o against k words n_i that are sampled in proportion to count^(3/4):
//   maximize  ln sigmoid(u_o . h) + sum_i ln sigmoid(-u_{n_i} . h)
//   skip-gram  h = v_c: each word c predicts each word o around it
//   cbow       h = the mean of v_c of the words c around o
// Training is gradient ascent; the learning rate falls linearly to a ten-thousandth of its initial value. As in
// word2vec, each word of cbow's mean receives the whole step of h. "Around" means within a distance that is sampled
// from 1 to the window for each word. Frequent words are left out at random: a word with share f of the text is kept
// with probability sqrt(t / f). Training uses one thread, so that the vectors depend on text, options and seed only.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "heed/core/options.h"
#include "heed/vectors/word_counts.h"
#include "heed/vectors/word_vectors.h"

namespace heed::vectors {

enum class Method { Cbow, SkipGram };
constexpr auto option_names(Method) {
  return std::array{std::pair{Method::Cbow, "cbow"}, std::pair{Method::SkipGram, "skip-gram"}};
}

struct NegativeSamplingOptions {
  Method method = Method::SkipGram;
  int64_t width = 100;                                 ///< components of a vector
  int64_t window = 5;                                  ///< the largest distance of words that count as around
  int64_t negatives = 5;                               ///< k
  double subsample = 1e-3;                             ///< t; 0 keeps every word
  int64_t epochs = 5;                                  ///< passes over the text
  std::optional<double> learning_rate = std::nullopt;  ///< initial learning rate; absent: word2vec's, 0.025, and 0.05
                                                       ///< for cbow
  int64_t seed = 1;
};
void describe(NegativeSamplingOptions& o, AnyOptionVisitor auto& visit) {
  visit("method", o.method, "cbow predicts a word from those around it, skip-gram those around from the word");
  visit("width", o.width, "size of a vector", between(1, 10000));
  visit("window", o.window, "largest distance, in either direction, of a word that counts as around", between(1, 1000));
  visit("negatives", o.negatives, "negative samples for each true word", between(1, 1000));
  visit("subsample", o.subsample, "subsampling: words with a larger share of the text are left out at random; 0: off",
        between(0, 1));
  visit("epochs", o.epochs, "epochs: passes over the text", between(1, 100000));
  visit("learning-rate", o.learning_rate,
        "initial learning rate; it falls linearly to a ten-thousandth; none: 0.025, and 0.05 for cbow",
        Bounds{.lowest = 0, .highest = 10, .open = true});
  visit("seed", o.seed, "seed of all random numbers", at_least(0));
}

/// The progress of training, for reports.
struct VectorProgress {
  double share = 0;  ///< share of all epochs that is done, in [0, 1]
  double loss = 0;   ///< mean of the negated objective over the predictions since the last report
  double tokens_per_second = 0;
};

/// Trains. Calls `on_progress`, if given, about ten times a second and at the end; what it throws is passed on. Throws
/// ConfigError if the learning rate is so high that the vectors diverge, and Error if no word has another word around
/// it.
WordVectors train_word_vectors(const CountedText& text, const NegativeSamplingOptions& options,
                               const std::function<void(const VectorProgress&)>& on_progress = {});

}  // namespace heed::vectors
