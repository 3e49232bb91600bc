#include "heed_torch/models/heads/head.h"

#include <ATen/ATen.h>

#include "heed_torch/models/heads/pooling.h"
#include "heed_torch/nn/random/dropout.h"

namespace heed::models {
namespace {

/// Returns one hidden state per source, the pooled one.
class PooledHead : public Head {
 public:
  PooledHead(const PoolingOptions& pooling, const MemoryShape& memory, double dropout)
      : pooling_(register_module("pooling", make_pooling(pooling, memory.d_memory))), dropout_(dropout) {}
  HeadStates forward(const Memory& memory) override {
    const Pooled pooled = pooling_->forward(memory);
    return {.hidden = nn::dropout(pooled.state, dropout_, is_training()).unsqueeze(1), .attention = pooled.weights};
  }

 private:
  std::shared_ptr<Pooling> pooling_;
  double dropout_;
};

/// Returns the encoder's states themselves.
class LabelHead : public Head {
 public:
  LabelHead(const LabelHeadOptions& options, int64_t labels, double dropout) : dropout_(dropout) {
    if (options.crf) crf = register_module("crf", nn::Crf(labels));
  }
  HeadStates forward(const Memory& memory) override {
    return {.hidden = nn::dropout(memory.states, dropout_, is_training()), .attention = {}};
  }

 private:
  double dropout_;
};

struct HeadMaker {
  const MemoryShape& memory;
  int64_t outputs;
  double dropout;

  std::shared_ptr<Head> operator()(const NoHeadOptions&) const { return nullptr; }
  std::shared_ptr<Head> operator()(const ClassHeadOptions& options) const {
    return std::make_shared<PooledHead>(options.pooling, memory, dropout);
  }
  std::shared_ptr<Head> operator()(const LabelHeadOptions& options) const {
    return std::make_shared<LabelHead>(options, outputs, dropout);
  }
  std::shared_ptr<Head> operator()(const NumberHeadOptions& options) const {
    return std::make_shared<NumberHead>(options, memory, outputs, dropout);
  }
};

}  // namespace

NumberHead::NumberHead(const NumberHeadOptions& options, const MemoryShape& memory, int64_t outputs, double dropout)
    : pooled_(register_module("pooled", std::make_shared<PooledHead>(options.pooling, memory, dropout))),
      mean_(register_buffer("mean", at::zeros({outputs}))),
      deviation_(register_buffer("deviation", at::ones({outputs}))),
      loss_(options.loss) {}

HeadStates NumberHead::forward(const Memory& memory) { return pooled_->forward(memory); }

void NumberHead::set_statistics(const Tensor& mean, const Tensor& deviation) {
  const at::NoGradGuard no_grad;
  mean_.copy_(mean);
  deviation_.copy_(at::where(deviation > 0, deviation, at::ones_like(deviation)));
}

Tensor NumberHead::standardized(const Tensor& numbers) const { return (numbers - mean_) / deviation_; }
Tensor NumberHead::restored(const Tensor& outputs) const { return outputs * deviation_ + mean_; }

std::shared_ptr<Head> make_head(const HeadOptions& options, const MemoryShape& memory, int64_t outputs,
                                double dropout) {
  return std::visit(HeadMaker{memory, outputs, dropout}, options.type);
}

}  // namespace heed::models
