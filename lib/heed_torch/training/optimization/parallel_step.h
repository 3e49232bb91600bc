// Runs LibTorch's fused optimizer kernels in parallel on a CPU. For each parameter, even a bias, such a kernel starts
// all threads and waits for them: more than a hundred times in a step. If another process uses a core, each wait may
// last until that core's thread runs again. Here all threads start once in a step, and each takes the next free piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace heed::training {

using at::Tensor;

/// Pieces of parameters: what one call of a kernel changes.
class ParameterPieces {
 public:
  size_t size() const { return pieces_.size(); }
  void add(size_t parameter, int64_t begin, int64_t end) { pieces_.push_back({parameter, begin, end}); }
  /// The same pieces of one tensor per parameter, such as its gradient or its moving average. They share its memory. An
  /// empty list has no pieces.
  std::vector<Tensor> of(const std::vector<Tensor>& tensors) const;

 private:
  struct Piece {
    size_t parameter;
    int64_t begin, end;  // of its numbers
  };
  std::vector<Piece> pieces_;
};

/// Calls work(i) once for each i < count. On a CPU with several threads they take the next free number at the same
/// time, and each call is computed by one thread. So its sums do not depend on the number of threads.
void call_in_parallel(size_t count, bool on_cpu, const std::function<void(size_t)>& work);

/// Calls step(pieces) until every number of the parameters was in one call. On a CPU with several threads they make
/// about eight calls each, at the same time; otherwise there is one call. Pieces begin at multiples of 64 numbers, so
/// that kernels compute the same bits.
void step_in_parallel(const std::vector<Tensor>& parameters, const std::function<void(const ParameterPieces&)>& step);

}  // namespace heed::training
