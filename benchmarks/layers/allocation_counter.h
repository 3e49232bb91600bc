// How many bytes of tensors a piece of work holds at once, exactly: LibTorch asks its CPU allocator for all of them.
#pragma once

#include <cstdint>
#include <memory>

#include <c10/core/Allocator.h>

namespace heed::benchmarks {

/// A guard: from its construction to its destruction LibTorch's CPU tensors are counted. Tensors made within may
/// outlive it; those made before do not count, whenever they are freed. One at a time.
class AllocationCounter {
 public:
  AllocationCounter();
  ~AllocationCounter();
  AllocationCounter(const AllocationCounter&) = delete;
  AllocationCounter& operator=(const AllocationCounter&) = delete;

  /// Bytes held now, and the most that were held at once. As they were asked for, without what malloc adds.
  int64_t held() const;
  int64_t peak() const;

 private:
  class Allocator;
  std::unique_ptr<Allocator> allocator_;
  c10::Allocator* before_;
};

}  // namespace heed::benchmarks
