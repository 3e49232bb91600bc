// Tensors by name: the content of a checkpoint, or the parameters and buffers of a module.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <torch/nn/module.h>

namespace heed::checkpoint {

using NamedTensors = std::map<std::string, at::Tensor>;

/// Bytes that the tensors take in a file.
int64_t bytes_of(const NamedTensors& tensors);

/// The parameters and buffers of a module by their dotted names, detached; they share the module's storage.
NamedTensors named_tensors(const torch::nn::Module& module);

/// Copies `tensors` into the module's parameters and buffers, in place, and converts dtype and device. Throws
/// CheckpointError if a tensor is missing, unexpected or of another shape; the module is unchanged then. The message
/// names `path`, the first tensor and how many more.
void load_into(torch::nn::Module& module, const NamedTensors& tensors, const std::string& path);

}  // namespace heed::checkpoint
