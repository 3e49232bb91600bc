// Tensors by name: the content of a checkpoint, and the parameters and buffers of a module.
#pragma once

#include <map>
#include <string>

#include <torch/nn/module.h>

namespace heed::checkpoint {

using NamedTensors = std::map<std::string, at::Tensor>;

/// The parameters and buffers of a module under their dotted names, detached; they share the module's storage.
NamedTensors named_tensors(const torch::nn::Module& module);

/// Copies `tensors` into the module's parameters and buffers, in place, converting dtype and device. Throws
/// CheckpointError (naming `path`, the first tensor and how many more) where a tensor is missing, unexpected or of
/// another shape; the module is unchanged then.
void load_into(torch::nn::Module& module, const NamedTensors& tensors, const std::string& path);

}  // namespace heed::checkpoint
