// The parameters of a model, read from its memory-mapped file.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "heed/architecture/parameter_list.h"
#include "heed/core/files/mapped_file.h"

namespace heed::engine {

/// A parameter: float32, one or two dimensions, row-major.
struct Weight {
  std::span<const float> numbers;
  int64_t rows = 0;  ///< 1 for a vector
  int64_t columns = 0;
};

/// A memory-mapped file in the safetensors format (core/files/safetensors.h).
class Weights {
 public:
  /// shapes: of the model's parameters, each a vector or a matrix. Throws FileError, and CheckpointError if a parameter
  /// is missing or has another shape. Other tensors of the file are ignored.
  Weights(const std::string& path, const models::ParameterShapes& shapes);

  /// Whether the model has a parameter of that name.
  bool has(const std::string& name) const { return weights_.contains(name); }
  /// The parameter of that name. Throws CheckpointError if it has numbers that are not finite, and std::logic_error if
  /// the model does not have it.
  Weight get(const std::string& name) const;
  /// Lets the system drop a packed parameter from memory. It is read from the file again if it is used.
  void release(const Weight& weight) const { file_.release(std::as_bytes(weight.numbers)); }

 private:
  std::string path_;
  MappedFile file_;
  std::map<std::string, Weight> weights_;
};

}  // namespace heed::engine
