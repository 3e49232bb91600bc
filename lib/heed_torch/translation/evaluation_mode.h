// A guard: puts a module in evaluation mode, and restores its previous mode at the end.
#pragma once

#include <torch/nn/module.h>

namespace heed::translation {

class EvaluationMode {
 public:
  explicit EvaluationMode(torch::nn::Module& module) : module_(module), training_(module.is_training()) {
    if (training_) module_.eval();
  }
  ~EvaluationMode() {
    if (training_) module_.train();
  }
  EvaluationMode(const EvaluationMode&) = delete;
  EvaluationMode& operator=(const EvaluationMode&) = delete;

 private:
  torch::nn::Module& module_;
  bool training_;
};

}  // namespace heed::translation
