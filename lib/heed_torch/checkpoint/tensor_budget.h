// A limit for the memory of a module that is built as one file describes it, before its tensors are compared with those
// of another. A description that came from somebody else could claim any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace heed::checkpoint {

/// While it lives, the tensors that its thread makes on the CPU may take twice the bytes of a file of parameters, all
/// together. The allocation of one that would take more throws CheckpointError. The module that the file was written
/// from takes the bytes at most once in float32.
class TensorBudget {
 public:
  /// path, bytes: of the parameters' file, or of several in a directory. description: the file that describes the
  /// module.
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
