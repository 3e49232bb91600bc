// The initial state of a recurrent decoder (heed_torch/models/rnn/initial_state.h): zeros, the encoder's last states,
// or a projection of the last states or of the mean of all states.
#pragma once

#include <cstdint>
#include <string>

#include "heed/architecture/rnn_options.h"
#include "heed/engine/common/matrix.h"
#include "heed/engine/common/memory.h"
#include "heed/engine/common/sources.h"

namespace heed::engine {

class InitialState {
 public:
  /// name: prefix of its parameters.
  InitialState(const Weights& weights, const std::string& name, const models::RnnDecoderOptions& options,
               Precision precision);

  /// The states of all layers, concatenated: [sentences, layers * d_hidden]. memory: null for a language model.
  struct States {
    Rows hidden, cell;
  };
  void make(const Sources& sources, const Memory* memory, States& states) const;

 private:
  void map(const Rows& from, const Matrix& matrix, Rows& states) const;

  models::InitialStateOptions options_;
  int64_t width_;  // of all layers
  bool cells_;
  Precision precision_;
  Matrix hidden_, cell_;
};

}  // namespace heed::engine
