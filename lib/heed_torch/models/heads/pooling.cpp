#include "heed_torch/models/heads/pooling.h"

#include <limits>

#include <ATen/ATen.h>

#include "heed_torch/nn/initialization.h"
#include "heed_torch/nn/linear.h"

namespace heed::models {
namespace {

class PoolLast : public Pooling {
 public:
  Pooled forward(const Memory& memory) override {
    if (!memory.last.empty()) return {.state = memory.last.back().hidden, .weights = {}};
    const Tensor last = memory.mask.sum(1) - 1;  // [S]
    const Tensor index = last.view({-1, 1, 1}).expand({-1, 1, memory.states.size(2)});
    return {.state = memory.states.gather(1, index).squeeze(1), .weights = {}};
  }
};

class PoolMean : public Pooling {
 public:
  Pooled forward(const Memory& memory) override {
    const Tensor real = memory.mask.unsqueeze(2).to(memory.states.scalar_type());
    return {.state = (memory.states * real).sum(1) / real.sum(1), .weights = {}};
  }
};

class PoolMax : public Pooling {
 public:
  Pooled forward(const Memory& memory) override {
    const Tensor padding = memory.mask.bitwise_not().unsqueeze(2);
    return {.state = memory.states.masked_fill(padding, -std::numeric_limits<float>::infinity()).amax(1),
            .weights = {}};
  }
};

class PoolByAttention : public Pooling, public nn::Initialized {
 public:
  PoolByAttention(const AttentionPooling& options, int64_t d_memory) {
    const int64_t hidden = options.hidden.value_or(d_memory);
    key = register_module("key", nn::Linear(nn::LinearOptions{.in = d_memory, .out = hidden}));
    vector = register_parameter("vector", at::zeros({1, hidden}));
  }
  Pooled forward(const Memory& memory) override {
    const Tensor scores = at::linear(at::tanh(key(memory.states)), vector).squeeze(2);  // [S, source]
    const Tensor weights =
        at::softmax(scores.masked_fill(memory.mask.bitwise_not(), -std::numeric_limits<float>::infinity()), 1);
    return {.state = at::matmul(weights.unsqueeze(1), memory.states).squeeze(1), .weights = weights};
  }
  void initialize(nn::Initializer& values) override { values.weight("vector", vector); }

  nn::Linear key{nullptr};  // W, b
  Tensor vector;            // v [1, hidden]
};

struct PoolingMaker {
  int64_t d_memory;

  std::shared_ptr<Pooling> operator()(const LastPooling&) const { return std::make_shared<PoolLast>(); }
  std::shared_ptr<Pooling> operator()(const MeanPooling&) const { return std::make_shared<PoolMean>(); }
  std::shared_ptr<Pooling> operator()(const MaxPooling&) const { return std::make_shared<PoolMax>(); }
  std::shared_ptr<Pooling> operator()(const AttentionPooling& options) const {
    return std::make_shared<PoolByAttention>(options, d_memory);
  }
};

}  // namespace

std::shared_ptr<Pooling> make_pooling(const PoolingOptions& options, int64_t d_memory) {
  return std::visit(PoolingMaker{d_memory}, options);
}

}  // namespace heed::models
