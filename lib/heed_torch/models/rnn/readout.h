// The readout: computes the input of the output layer from the state of a recurrent decoder and the context
// (heed/architecture/rnn_options.h).
#pragma once

#include <cstdint>
#include <optional>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/architecture/rnn_options.h"
#include "heed_torch/models/common/memory.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/step_linear.h"

namespace heed::models {

class ReadoutImpl : public torch::nn::Module {
 public:
  /// d_context: 0 without attention. d_model: width of the embeddings and of the result.
  ReadoutImpl(const ReadoutOptions& options, int64_t d_hidden, int64_t d_context, int64_t d_model);

  const ReadoutOptions& options() const { return options_; }

  nn::Linear map{nullptr};  ///< W, b; null if the readout is the state itself

 private:
  ReadoutOptions options_;
};
TORCH_MODULE(Readout);

/// The readout in one pass over the target.
class ReadoutPass {
 public:
  explicit ReadoutPass(ReadoutImpl& readout);

  /// state: float [..., d_hidden]; context: float [..., d_context] or undefined; embedded: the previous word, float
  /// [..., d_model] -> float [..., d_model].
  Tensor operator()(const Tensor& state, const Tensor& context, const Tensor& embedded) const;

 private:
  std::optional<nn::StepLinear> map_;
  bool maxout_;
};

}  // namespace heed::models
