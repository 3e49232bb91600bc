// Limits the memory of a module that is built from a description before its tensors are compared with a file's. A
// description from somebody else could claim any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace heed::checkpoint {

/// While it exists, all tensors that its thread allocates on the CPU may together take twice the bytes of a file of
/// parameters, plus 4 KiB for what a constructor needs. An allocation that would exceed this throws CheckpointError.
/// The module that the file was written from takes these bytes at most once in float32.
class TensorBudget {
 public:
  /// path, bytes: of the parameters' file, or of several in a directory. description: the file describing the module.
  TensorBudget(std::string path, int64_t bytes, std::string description);
  ~TensorBudget();
  TensorBudget(const TensorBudget&) = delete;
  TensorBudget& operator=(const TensorBudget&) = delete;

  /// Takes the bytes of a new tensor from this thread's budget, if it has one.
  static void spend(size_t bytes);

 private:
  std::string path_, description_;
  int64_t bytes_;
  size_t left_;
  TensorBudget* outer_;
};

}  // namespace heed::checkpoint
