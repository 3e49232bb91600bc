// Parameters by name: `encoder` is all that the encoder has, `decoder.layers.0` one layer, `*.norm.*` every norm.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <torch/nn/module.h>

namespace heed::training {

/// Whether the pattern is the parameter's name or that of a part that it stands in. A * stands for any characters.
bool matches_parameter(std::string_view pattern, std::string_view name);

/// Of a model adapted by LoRA, trains the parameters that match any of the patterns beside the updates. Adapted maps
/// have no weight of their own to train. Throws ConfigError naming `train.adapter.beside` where a pattern matches none.
void train_beside_lora(torch::nn::Module& model, const std::vector<std::string>& patterns);

/// Lets the parameters that match any of the patterns keep their values: they have no gradient from then on. Throws
/// ConfigError naming `train.freeze` where a pattern matches none, or nothing is left to train.
void freeze_parameters(torch::nn::Module& model, const std::vector<std::string>& patterns);

}  // namespace heed::training
