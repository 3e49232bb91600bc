// The state of decoding with convolutions: in each layer the inputs that its kernel still covers, and the source for
// attention.
#pragma once

#include <vector>

#include "heed_torch/models/common/decoder.h"

namespace heed::models {

/// The source as all layers' attention reads it, once per sentence.
struct ConvolutionMemory {
  Tensor keys;     ///< float [S, source, d_model]: z
  Tensor values;   ///< float [S, source, d_model]: (z + e) sqrt(1/2)
  Tensor real;     ///< bool [S, 1, source], true = a real token
  Tensor lengths;  ///< float [S, 1, 1]: number of real tokens
};

class ConvolutionState : public DecoderState {
 public:
  void select(const Selection& going_on) override;
  void join(DecoderState&& admitted) override;

  std::vector<Tensor> past;  ///< float [S, beam, kernel - 1, hidden] for each layer
  ConvolutionMemory memory;  ///< undefined members for a language model
};

}  // namespace heed::models
