// A model of LibTorch, and the engine that reads its parameters from a file.
#pragma once

#include <memory>
#include <optional>

#include <torch/torch.h>

#include "heed/engine/engine.h"
#include "heed_torch/checkpoint/named_tensors.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "heed_torch/models/model.h"
#include "heed_torch/nn/attention/idf_table.h"
#include "support/temporary_directory.h"

namespace heed::engine {

inline constexpr models::VocabularySizes kSizes{.source = 40, .target = 40};

struct BothBackends {
  explicit BothBackends(const models::ArchitectureOptions& options, Precision precision = Precision::Float32)
      : model(models::build_model(options, kSizes, 3)) {
    const torch::NoGradGuard guard;
    torch::manual_seed(4);
    for (auto& parameter : model->parameters()) parameter.add_(torch::randn_like(parameter), 0.2);
    nn::set_document_frequencies(*model, torch::arange(kSizes.source), kSizes.source);
    model->eval();
    checkpoint::write_tensors(directory.file("model.safetensors"), checkpoint::named_tensors(*model));
    engine.emplace(options, kSizes, directory.file("model.safetensors"), precision);
  }

  testing::TemporaryDirectory directory;
  std::shared_ptr<models::Model> model;
  std::optional<Engine> engine;
};

}  // namespace heed::engine
