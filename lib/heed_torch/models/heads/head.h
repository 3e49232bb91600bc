// The interface of every head: what an encoder's memory becomes where no decoder writes text. options.h has the kinds.
#pragma once

#include <memory>

#include <torch/nn/module.h>

#include "heed/architecture/head_options.h"
#include "heed_torch/models/common/memory.h"
#include "heed_torch/nn/losses/crf.h"

namespace heed::models {

struct HeadStates {
  Tensor hidden;  ///< float [S, T, d]: T is 1, or for labels the source; the output layer makes logits or numbers of it
  Tensor attention;  ///< float [S, source]: of pooling by attention; undefined otherwise
};

class Head : public torch::nn::Module {
 public:
  virtual HeadStates forward(const Memory& memory) = 0;

  /// What scores the labels of a sentence together; null: each stands alone.
  nn::Crf crf{nullptr};
};

/// The head of numbers. The output layer gives a number minus its mean in the training set, divided by its standard
/// deviation there. Both are buffers: they are saved with the model.
class NumberHead : public Head {
 public:
  NumberHead(const NumberHeadOptions& options, const MemoryShape& memory, int64_t outputs, double dropout);

  HeadStates forward(const Memory& memory) override;
  /// mean, deviation: float [outputs]. A number that is always the same has deviation 1.
  void set_statistics(const Tensor& mean, const Tensor& deviation);
  /// numbers: float [..., outputs]; as the output layer gives them, and back.
  Tensor standardized(const Tensor& numbers) const;
  Tensor restored(const Tensor& outputs) const;
  NumberLoss loss() const { return loss_; }

 private:
  std::shared_ptr<Head> pooled_;
  Tensor mean_, deviation_;
  NumberLoss loss_;
};

}  // namespace heed::models
