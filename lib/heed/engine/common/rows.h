// Rows of floats, padded to whole panels of a matrix multiplication (kernels/gemm_kernels.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "heed/kernels/gemm_kernels.h"

namespace heed::engine {

/// Uninitialized memory that only grows, aligned to a cache line.
template <class T>
class Buffer {
 public:
  T* reserve(int64_t count) {
    if (count > size_) {
      memory_.reset(static_cast<T*>(::operator new(static_cast<size_t>(count) * sizeof(T), kAlignment)));
      size_ = count;
    }
    return memory_.get();
  }
  T* data() const { return memory_.get(); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Release {
    void operator()(T* memory) const { ::operator delete(memory, kAlignment); }
  };
  std::unique_ptr<T, Release> memory_;
  int64_t size_ = 0;
};

class Rows {
 public:
  /// Discards the contents.
  void resize(int64_t count, int64_t width) {
    count_ = count;
    width_ = width;
    distance_ = kernels::panels_of(width) * kernels::kPanel +
                kLine;  // rows a power of two apart would share few places in the cache
    numbers_.reserve(count * distance_);
  }
  /// Keeps the first `width` columns.
  void narrow(int64_t width) { width_ = width; }
  float* data() { return numbers_.data(); }
  const float* data() const { return numbers_.data(); }
  float* row(int64_t i) { return data() + i * distance_; }
  const float* row(int64_t i) const { return data() + i * distance_; }
  int64_t count() const { return count_; }
  int64_t width() const { return width_; }
  int64_t distance() const { return distance_; }  ///< floats from row to row

 private:
  static constexpr int64_t kLine = 16;  // a cache line, in floats
  Buffer<float> numbers_;
  int64_t count_ = 0;
  int64_t width_ = 0;
  int64_t distance_ = 0;
};

}  // namespace heed::engine
