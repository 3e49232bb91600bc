// Makes one state of a memory's. The formulas are in options.h.
#pragma once

#include <memory>

#include <torch/nn/module.h>

#include "heed/architecture/head_options.h"
#include "heed_torch/models/common/memory.h"

namespace heed::models {

struct Pooled {
  Tensor state;    ///< float [S, d]
  Tensor weights;  ///< float [S, source]: how much each position counts; undefined but for attention
};

class Pooling : public torch::nn::Module {
 public:
  virtual Pooled forward(const Memory& memory) = 0;
};
/// d_memory: width of the memory's states.
std::shared_ptr<Pooling> make_pooling(const PoolingOptions& options, int64_t d_memory);

}  // namespace heed::models
