// The readout of a recurrent decoder (heed_torch/models/rnn/readout.h): the input of the output layer, computed from
// the state s, the context c and the embedding y of the previous word:
//   s,   tanh(W [s; c] + b),   or the maximum of each pair of W [s; c; y] + b (maxout)
#pragma once

#include <cstdint>
#include <string>

#include "heed/architecture/rnn_options.h"
#include "heed/engine/common/matrix.h"

namespace heed::engine {

class Readout {
 public:
  /// name: prefix of its parameters. d_context: 0 without attention.
  Readout(const Weights& weights, const std::string& name, const models::ReadoutOptions& options, int64_t d_context,
          int64_t d_model, Precision precision);

  /// The working memory of one thread.
  struct Scratch {
    explicit Scratch(Precision precision) : operand(precision) {}
    Operand operand;
    Rows in;
  };
  bool reads_words() const { return maxout_; }
  /// states: [rows, d_hidden]; contexts: [rows, d_context]; embedded: [rows, d_model], ignored unless reads_words() ->
  /// read: [rows, d_model].
  void operator()(const Rows& states, const Rows& contexts, const Rows& embedded, Scratch& scratch, Rows& read) const;

 private:
  bool maxout_;
  int64_t d_context_, d_model_;
  Matrix map_;
};

}  // namespace heed::engine
