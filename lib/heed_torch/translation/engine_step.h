// A model on the inference engine as a StepModel, for sampling, which needs whole rows of logits.
#pragma once

#include <memory>
#include <vector>

#include "heed/engine/engine_run.h"
#include "heed_torch/search/step_model.h"

namespace heed::translation {

class EngineStep : public search::StepModel {
 public:
  explicit EngineStep(std::shared_ptr<const engine::Engine> engine);

  int64_t vocab_size() const override { return engine_->output().vocab_size(); }
  int64_t max_length() const override { return run_.max_length(); }
  void start(const search::StepSource& source, int64_t beam, bool attention) override;
  search::StepScores step(const search::Tensor& tokens) override;
  void select(const search::Tensor& sentences, const search::Tensor& parents) override;
  void join(const search::StepSource& source) override;

 private:
  std::shared_ptr<const engine::Engine> engine_;
  engine::EngineRun run_;
  engine::Output::Scratch scratch_;
  bool attention_ = false;
};

}  // namespace heed::translation
