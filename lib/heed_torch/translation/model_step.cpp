#include "heed_torch/translation/model_step.h"

#include <limits>
#include <utility>

#include <c10/core/InferenceMode.h>

#include "heed_torch/nn/transfer.h"
#include "heed_torch/search/row_best.h"

namespace heed::translation {

ModelStep::ModelStep(std::shared_ptr<models::Model> model, at::Device device)
    : model_(std::move(model)), device_(device) {
  TORCH_CHECK(model_ != nullptr, "a step needs a model");
}

int64_t ModelStep::vocab_size() const { return model_->sizes().target; }

int64_t ModelStep::max_length() const {
  const auto limit = model_->max_target_length();
  return limit ? *limit - 1 : std::numeric_limits<int64_t>::max();  // the decoder also reads bos
}

void ModelStep::start(const search::StepSource& source, int64_t beam, bool attention) {
  const c10::InferenceMode guard;
  beam_ = beam;
  want_ = {.attention = attention};
  sentences_ = parents_ = Tensor();
  const auto there = nn::upload({source.tokens, source.vectors}, device_);
  state_ = state_before({there[0], {there[1], source.shapes}});
}

search::StepScores ModelStep::step(const Tensor& tokens) {
  const c10::InferenceMode guard;
  const Tensor there = move_and_upload({tokens})[0];
  const models::Decoded decoded = model_->decoder->step(there, *state_, want_);
  search::StepScores scores;
  scores.logits = model_->logits(decoded.hidden);
  scores.logsumexp = search::logsumexp(scores.logits);
  scores.attention = decoded.attention;
  return scores;
}

void ModelStep::select(const Tensor& sentences, const Tensor& parents) {
  move_and_upload({});
  sentences_ = sentences;
  parents_ = parents;
}

void ModelStep::join(const search::StepSource& source) {
  const c10::InferenceMode guard;
  const auto there = move_and_upload({source.tokens, source.vectors});
  state_->join(std::move(*state_before({there[0], {there[1], source.shapes}})));
}

/// Carries out the last select(), and uploads `more` (CPU tensors, may be undefined) to the device in the same copy.
std::vector<Tensor> ModelStep::move_and_upload(const std::vector<Tensor>& more) {
  const c10::InferenceMode guard;
  std::vector<Tensor> here{sentences_, parents_};
  here.insert(here.end(), more.begin(), more.end());
  std::vector<Tensor> there = nn::upload(here, device_);
  if (sentences_.defined()) state_->select({sentences_, parents_, there[0], there[1]});
  sentences_ = parents_ = Tensor();
  there.erase(there.begin(), there.begin() + 2);
  return there;
}

std::unique_ptr<models::DecoderState> ModelStep::state_before(const models::Source& source) const {
  if (!model_->encoder) return model_->decoder->start(nullptr, beam_, source.size());
  const models::Memory memory = model_->encode(source);
  return model_->decoder->start(&memory, beam_);
}

}  // namespace heed::translation
