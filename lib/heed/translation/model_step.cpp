#include "heed/translation/model_step.h"

#include <limits>
#include <utility>

#include <c10/core/InferenceMode.h>

#include "heed/search/logits/row_best.h"

namespace heed::translation {

ModelStep::ModelStep(std::shared_ptr<models::Model> model, at::Device device)
    : model_(std::move(model)), device_(device) {
  TORCH_CHECK(model_ != nullptr, "a step needs a model");
}

int64_t ModelStep::vocab_size() const { return model_->sizes().target; }

int64_t ModelStep::max_length() const {
  const auto limit = model_->max_target_length();
  return limit ? *limit - 1 : std::numeric_limits<int64_t>::max();  // the decoder reads bos as well
}

void ModelStep::start(const Tensor& source, int64_t beam, bool attention) {
  const c10::InferenceMode guard;
  beam_ = beam;
  want_ = {.attention = attention};
  state_ = state_before(source);
}

search::StepScores ModelStep::step(const Tensor& tokens) {
  const c10::InferenceMode guard;
  const models::Decoded decoded = model_->decoder->step(tokens.to(device_), *state_, want_);
  search::StepScores scores;
  scores.logits = model_->logits(decoded.hidden);
  scores.logsumexp = search::logsumexp(scores.logits);
  scores.attention = decoded.attention;
  return scores;
}

void ModelStep::select(const Tensor& sentences, const Tensor& parents) {
  const c10::InferenceMode guard;
  state_->select(sentences.to(device_), parents.to(device_));
}

void ModelStep::join(const Tensor& source) {
  const c10::InferenceMode guard;
  state_->join(std::move(*state_before(source)));
}

std::unique_ptr<models::DecoderState> ModelStep::state_before(const Tensor& source) const {
  if (!model_->encoder) return model_->decoder->start(nullptr, beam_, source.size(0));
  const models::Memory memory = model_->encode(source.to(device_));
  return model_->decoder->start(&memory, beam_);
}

}  // namespace heed::translation
