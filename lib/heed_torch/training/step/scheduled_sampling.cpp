#include "heed_torch/training/step/scheduled_sampling.h"

#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "heed_torch/nn/attention/memory_attention.h"
#include "heed_torch/nn/random/random_draw.h"

namespace heed::training {
namespace {

/// hidden: float [S, 1, d] -> int64 [S, 1], a word that the model predicts next.
Tensor own_word(models::Model& model, const Tensor& hidden, OwnWord word) {
  const at::NoGradGuard no_grad;
  const Tensor logits = model.logits(hidden).to(at::kFloat);
  return at::argmax(word == OwnWord::Best ? logits : logits + nn::gumbel_noise(logits), -1);
}

/// Joins the results of single positions: hidden states and samples of attention. Only training reads the samples.
models::Decoded joined(const std::vector<models::Decoded>& positions) {
  std::vector<Tensor> hidden;
  std::vector<nn::AttentionResult> attended;
  for (const models::Decoded& position : positions) {
    hidden.push_back(position.hidden);
    attended.push_back({.context = {}, .weights = {}, .samples = position.samples});
  }
  return {.hidden = at::cat(hidden, 1),
          .attention = {},
          .all_attention = {},
          .samples = nn::side_by_side(attended).samples};
}

}  // namespace

models::Decoded read_sampling(models::Model& model, const Tensor& target, const models::Memory* memory,
                              const SampledReading& reading) {
  const Tensor forced =
      nn::uniform_noise(at::empty(target.sizes(), target.options().dtype(at::kFloat))) < reading.teacher_forcing;
  const auto state = model.decoder->start(memory, 1, target.size(0));
  std::vector<models::Decoded> positions;
  Tensor read = target.narrow(1, 0, 1);
  for (int64_t t = 0; t < target.size(1); ++t) {
    positions.push_back(model.decoder->step(read, *state));
    if (t + 1 == target.size(1)) break;
    read = at::where(forced.narrow(1, t + 1, 1), target.narrow(1, t + 1, 1),
                     own_word(model, positions.back().hidden, reading.word));
  }
  return joined(positions);
}

}  // namespace heed::training
