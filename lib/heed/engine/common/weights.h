// The parameters of a model, read from its memory-mapped file.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

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
  /// Throws FileError or CheckpointError.
  explicit Weights(const std::string& path);

  bool has(const std::string& name) const { return weights_.contains(name); }
  /// The parameter of that name. Throws CheckpointError if it is missing, has another shape, or has numbers that are
  /// not finite.
  Weight matrix(const std::string& name, int64_t rows, int64_t columns) const;
  Weight vector(const std::string& name, int64_t size) const { return matrix(name, 1, size); }
  /// Lets the system drop a packed parameter from memory. It is read from the file again if it is used.
  void release(const Weight& weight) const { file_.release(std::as_bytes(weight.numbers)); }

 private:
  std::string path_;
  MappedFile file_;
  std::map<std::string, Weight> weights_;
};

}  // namespace heed::engine
