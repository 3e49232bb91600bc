// Selects parameters by name. `encoder` is the whole encoder, `decoder.layers.0` one layer, and `*.norm.*` every norm.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <torch/nn/module.h>

namespace heed::training {

/// Whether the pattern matches the name of the parameter or of a module that contains it. A * matches any characters.
bool matches_parameter(std::string_view pattern, std::string_view name);

/// Trains, next to the LoRA matrices, the parameters of the model that match any of the patterns. A weight adapted by
/// LoRA cannot be trained itself. Throws ConfigError naming `train.adapter.modules-to-save` if a pattern matches no
/// parameter.
void train_beside_lora(torch::nn::Module& model, const std::vector<std::string>& patterns);

/// Freezes the parameters that match any of the patterns: they keep their values and have no gradient. Throws
/// ConfigError naming `train.freeze` if a pattern matches no parameter, or if nothing is left to train.
void freeze_parameters(torch::nn::Module& model, const std::vector<std::string>& patterns);

}  // namespace heed::training
