// Pooling: one state from the states of the encoder output. heed/architecture/head_options.h has the formulas.
#pragma once

#include <memory>

#include <torch/nn/module.h>

#include "heed/architecture/head_options.h"
#include "heed_torch/models/common/memory.h"

namespace heed::models {

struct Pooled {
  Tensor state;    ///< float [S, d]
  Tensor weights;  ///< float [S, source]: the weight of each position; undefined except for attention
};

class Pooling : public torch::nn::Module {
 public:
  virtual Pooled forward(const Memory& memory) = 0;
};
/// d_memory: width of the encoder's states.
std::shared_ptr<Pooling> make_pooling(const PoolingOptions& options, int64_t d_memory);

}  // namespace heed::models
