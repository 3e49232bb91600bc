// Small Transformers with random parameters that translate: into many lengths, differently for most sources, and as
// sure of each token as a trained model, so that rounding decides nothing.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include <torch/torch.h>

#include "heed/text/tokenizer.h"
#include "heed_torch/models/model.h"
#include "support/tiny_models.h"

namespace heed::testing {

inline models::ArchitectureOptions decisive_architecture() {
  models::ArchitectureOptions options = tiny_transformer();
  options.tied_embeddings = models::TiedEmbeddings::None;
  options.output_bias = true;
  return options;
}

/// Both vocabularies have `words` entries besides the special ones. options: decisive_architecture() or a change of it.
inline std::shared_ptr<models::Model> decisive_model(
    int64_t words, const models::ArchitectureOptions& options = decisive_architecture()) {
  constexpr uint64_t kSeed = 2;
  constexpr double kLogitDeviation = 6;
  auto model = models::build_model(options, {.source = words + 4, .target = words + 4}, kSeed);
  const torch::NoGradGuard guard;
  for (const auto& parameter : model->named_parameters()) {
    // So that the source decides: cross-attention must be neither even nor drowned by the tokens so far.
    if (parameter.key().find("cross") != std::string::npos) parameter.value().mul_(3);
  }
  const double deviation = model->output->weight.std().item<double>() * std::sqrt(static_cast<double>(options.d_model));
  model->output->weight.mul_(kLogitDeviation / deviation);
  model->output->bias[text::kEos] = kLogitDeviation;
  model->eval();
  return model;
}

}  // namespace heed::testing
