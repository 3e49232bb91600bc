// A translation model or a language model as a StepModel of the search.
#pragma once

#include <memory>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include "heed_torch/models/model.h"
#include "heed_torch/search/step_model.h"

namespace heed::translation {

using at::Tensor;

/// One running search with a model that others may use at the same time: the state is all here. The caller sees to it
/// that the model is in evaluation mode.
class ModelStep : public search::StepModel {
 public:
  /// The model must lie on `device`. Of the source a language model looks at the number of sentences only.
  ModelStep(std::shared_ptr<models::Model> model, at::Device device);

  int64_t vocab_size() const override;
  int64_t max_length() const override;
  void start(const search::StepSource& source, int64_t beam, bool attention) override;
  search::StepScores step(const Tensor& tokens) override;
  void select(const Tensor& sentences, const Tensor& parents) override;
  void join(const search::StepSource& source) override;

 private:
  std::vector<Tensor> move_and_upload(const std::vector<Tensor>& more);
  std::unique_ptr<models::DecoderState> state_before(const models::Source& source) const;

  std::shared_ptr<models::Model> model_;
  at::Device device_;
  std::unique_ptr<models::DecoderState> state_;
  int64_t beam_ = 0;
  models::Want want_;
  // What select() was told, on the CPU; done with the next step or join, so that all goes to the device in one copy.
  Tensor sentences_, parents_;
};

}  // namespace heed::translation
