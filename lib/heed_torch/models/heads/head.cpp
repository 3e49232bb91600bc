#include "heed_torch/models/heads/head.h"

#include <ATen/ATen.h>

#include "heed_torch/models/heads/pooling.h"
#include "heed_torch/nn/random/dropout.h"

namespace heed::models {
namespace {

/// Returns one hidden state per source, the pooled one. Predicts a label from it.
class PooledHead : public Head {
 public:
  PooledHead(const PoolingOptions& pooling, const MemoryShape& memory, double dropout)
      : pooling_(register_module("pooling", make_pooling(pooling, memory.d_memory))), dropout_(dropout) {}
  HeadStates forward(const Memory& memory) override {
    const Pooled pooled = pooling_->forward(memory);
    return {.hidden = nn::dropout(pooled.state, dropout_, is_training()).unsqueeze(1), .attention = pooled.weights};
  }
  HeadPrediction predict(const Memory& memory, nn::OutputLayer& output, const WordPlaces&) override {
    const HeadStates states = forward(memory);
    const Tensor probabilities = at::softmax(output(states.hidden.squeeze(1)).to(at::kFloat), 1);
    return {.values = probabilities, .labels = probabilities.argmax(1), .attention = states.attention};
  }

 private:
  std::shared_ptr<Pooling> pooling_;
  double dropout_;
};

/// Returns the encoder's states themselves. Predicts a label from the state of each word's first token.
class LabelHead : public Head {
 public:
  LabelHead(const LabelHeadOptions& options, int64_t labels, double dropout) : dropout_(dropout) {
    if (options.crf) crf = register_module("crf", nn::Crf(labels));
  }
  HeadStates forward(const Memory& memory) override {
    return {.hidden = nn::dropout(memory.states, dropout_, is_training()), .attention = {}};
  }
  HeadPrediction predict(const Memory& memory, nn::OutputLayer& output, const WordPlaces& words) override {
    const Tensor hidden = forward(memory).hidden;
    const Tensor of_words = hidden.gather(1, words.places.unsqueeze(2).expand({-1, -1, hidden.size(2)}));
    const Tensor scores = output(of_words).to(at::kFloat);  // [S, words, labels]
    if (!crf) return {.values = at::softmax(scores, 2), .labels = scores.argmax(2), .attention = {}};
    return {.values = crf->marginals(scores, words.real), .labels = crf->best(scores, words.real), .attention = {}};
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

HeadPrediction NumberHead::predict(const Memory& memory, nn::OutputLayer& output, const WordPlaces&) {
  const HeadStates states = forward(memory);
  return {
      .values = restored(output(states.hidden.squeeze(1)).to(at::kFloat)), .labels = {}, .attention = states.attention};
}

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
