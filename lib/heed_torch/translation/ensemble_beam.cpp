#include "heed_torch/translation/ensemble_beam.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>

#include "heed/core/error.h"
#include "heed_torch/nn/transfer.h"
#include "heed_torch/search/best_tokens.h"
#include "heed_torch/translation/lines/source_tensors.h"

namespace heed::translation {
namespace {

using at::Tensor;

/// int64 [numbers] on the CPU.
template <class T>
Tensor tensor_of(std::span<const T> numbers) {
  return at::tensor(std::vector<int64_t>(numbers.begin(), numbers.end()), at::kLong);
}

/// The state before the first token of these sources, which are on the model's device.
std::unique_ptr<models::DecoderState> state_before(models::Model& model, const models::Source& source, int64_t beam) {
  if (!model.encoder) return model.decoder->start(nullptr, beam, source.size());
  const models::Memory memory = model.encode(source);
  return model.decoder->start(&memory, beam);
}

}  // namespace

EnsembleBeam::EnsembleBeam(Ensemble networks) : ensemble_(std::move(networks)), networks_(ensemble_.members) {
  check(!networks_.empty(), "an ensemble needs a network");
  if (ensemble_.weights.empty()) ensemble_.weights.assign(networks_.size(), 1);
  check(ensemble_.weights.size() == networks_.size(), "an ensemble needs a weight for each member");
  for (const double weight : ensemble_.weights) check(weight > 0, "weights of an ensemble are above 0");
  if (ensemble_.language_model) networks_.push_back(ensemble_.language_model);
  for (const auto& network : networks_) {
    check(network->sizes().target == vocab_size(), "networks that search as one need one vocabulary");
  }
}

int64_t EnsembleBeam::vocab_size() const { return networks_.front()->sizes().target; }

int64_t EnsembleBeam::max_length() const {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const auto& network : networks_) {
    if (const auto limit = network->max_target_length()) least = std::min(least, *limit - 1);  // it also reads bos
  }
  return least;
}

void EnsembleBeam::start(std::span<const search::SourceSentence> sources, int64_t beam, bool attention) {
  beam_ = beam;
  attention_ = attention;
  states_.clear();
  sentences_ = parents_ = Tensor();
  join(sources);
}

void EnsembleBeam::join(std::span<const search::SourceSentence> sources) {
  const c10::InferenceMode guard;
  const models::Source here = source_tensors(sources);
  const auto there = move_and_upload({here.tokens, here.vectors.values});
  const models::Source source(there[0], {there[1], here.vectors.shapes});
  const bool first = states_.empty();
  for (size_t i = 0; i < networks_.size(); ++i) {
    auto state = state_before(*networks_[i], source, beam_);
    if (first) {
      states_.push_back(std::move(state));
    } else {
      states_[i]->join(std::move(*state));
    }
  }
}

void EnsembleBeam::step(const search::StepRequest& request, search::Continuations& found) {
  const c10::InferenceMode guard;
  const search::StepScores scores = scores_of_all(move_and_upload({tensor_of(request.tokens).view({-1, beam_})})[0]);
  if (attention_ && !scores.attention.defined()) throw ConfigError("this model has no attention to show");
  search::find_tokens(scores, request, attention_, found);
}

/// tokens: int64 [S, beam]
search::StepScores EnsembleBeam::scores_of(size_t network, const Tensor& tokens) const {
  models::Model& model = *networks_[network];
  const bool attention = attention_ && network < ensemble_.members.size();
  const models::Decoded decoded = model.decoder->step(tokens, *states_[network], {.attention = attention});
  const Tensor logits = model.logits(decoded.hidden);
  return {.logits = logits, .logsumexp = search::logsumexp(logits), .attention = decoded.attention};
}

search::StepScores EnsembleBeam::scores_of_all(const Tensor& tokens) const {
  const size_t members = ensemble_.members.size();
  const auto step = [&](size_t network) { return scores_of(network, tokens); };
  search::StepScores scores = members == 1 ? step(0) : search::ensemble_scores(ensemble_.weights, step);
  if (!ensemble_.language_model) return scores;
  return search::fused_scores(std::move(scores), step(members), ensemble_.language_model_weight);
}

void EnsembleBeam::select(std::span<const int64_t> sentences, std::span<const int32_t> parents) {
  move_and_upload({});
  sentences_ = tensor_of(sentences);
  parents_ = tensor_of(parents).view({std::ssize(sentences), beam_});
}

/// Carries out the last select(), and uploads `more` (CPU tensors, may be undefined) to the device in the same copy.
std::vector<Tensor> EnsembleBeam::move_and_upload(const std::vector<Tensor>& more) {
  const c10::InferenceMode guard;
  std::vector<Tensor> here{sentences_, parents_};
  here.insert(here.end(), more.begin(), more.end());
  std::vector<Tensor> there = nn::upload(here, ensemble_.device);
  if (sentences_.defined()) {
    for (const auto& state : states_) state->select({sentences_, parents_, there[0], there[1]});
  }
  sentences_ = parents_ = Tensor();
  there.erase(there.begin(), there.begin() + 2);
  return there;
}

}  // namespace heed::translation
