// Tensors by name: the content of a checkpoint, or the parameters and buffers of a module.
#pragma once

#include <map>
#include <string>

#include <torch/nn/module.h>

#include "heed/architecture/parameter_list.h"

namespace heed::checkpoint {

using NamedTensors = std::map<std::string, at::Tensor>;

/// The parameters and buffers of a module by their dotted names, detached; they share the module's storage.
NamedTensors named_tensors(const torch::nn::Module& module);

/// Throws CheckpointError if a described tensor is missing or has another shape, or a tensor is not described. The
/// message names `path`, the first tensor and how many more.
void check_fit(const models::ParameterShapes& shapes, const NamedTensors& tensors, const std::string& path);

/// Copies `tensors` into the module's parameters and buffers, in place, and converts dtype and device. Throws
/// CheckpointError as check_fit(); the module is unchanged then.
void load_into(torch::nn::Module& module, const NamedTensors& tensors, const std::string& path);

}  // namespace heed::checkpoint
