// A translation model or a language model as a StepModel for the search.
#pragma once

#include <memory>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include "heed_torch/models/model.h"
#include "heed_torch/search/step_model.h"

namespace heed::translation {

using at::Tensor;

/// One running search. It holds the whole state, so that other searches can use the model at the same time. The caller
/// must put the model in evaluation mode.
class ModelStep : public search::StepModel {
 public:
  /// The model must be on `device`. A language model uses only the number of sources.
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
  models::RequestedOutputs want_;
  // The arguments of the last select(), on the CPU. The next step or join applies them, so that everything goes to the
  // device in one copy.
  Tensor sentences_, parents_;
};

}  // namespace heed::translation
