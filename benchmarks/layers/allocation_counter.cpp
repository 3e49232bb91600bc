#include "layers/allocation_counter.h"

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <c10/core/CPUAllocator.h>

namespace heed::benchmarks {

class AllocationCounter::Allocator : public c10::Allocator {
 public:
  struct Counts {
    void add(int64_t bytes) {
      const int64_t now = held.fetch_add(bytes) + bytes;
      int64_t highest = peak.load();
      while (now > highest && !peak.compare_exchange_weak(highest, now)) {}
    }
    std::atomic<int64_t> held = 0;
    std::atomic<int64_t> peak = 0;
  };

  explicit Allocator(c10::Allocator* inner) : inner_(inner) {}

  c10::DataPtr allocate(size_t bytes) override {
    auto block = std::make_unique<Block>(inner_->allocate(bytes), static_cast<int64_t>(bytes), counts);
    void* data = block->data.get();
    const c10::Device device = block->data.device();
    if (data) blocks().add(data, std::move(block));
    return {data, data, free_block, device};
  }
  /// oneDNN's layers allocate without a DataPtr, by the address alone.
  c10::DeleterFnPtr raw_deleter() const override { return free_block; }
  void copy_data(void* target, const void* source, size_t bytes) const override {
    default_copy_data(target, source, bytes);
  }

  std::shared_ptr<Counts> counts = std::make_shared<Counts>();

 private:
  /// What a counted block remembers; it shares the counts, as it may be freed after the counter is gone.
  struct Block {
    Block(c10::DataPtr block_data, int64_t block_bytes, std::shared_ptr<Counts> block_counts)
        : data(std::move(block_data)), bytes(block_bytes), counts(std::move(block_counts)) {
      counts->add(bytes);
    }
    ~Block() { counts->held -= bytes; }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    c10::DataPtr data;
    int64_t bytes;
    std::shared_ptr<Counts> counts;
  };
  /// The blocks by their addresses, of all counters there were.
  class Blocks {
   public:
    void add(void* data, std::unique_ptr<Block> block) {
      const std::lock_guard lock(mutex_);
      blocks_.emplace(data, std::move(block));
    }
    std::unique_ptr<Block> take(void* data) {
      const std::lock_guard lock(mutex_);
      const auto node = blocks_.extract(data);
      return node.empty() ? nullptr : std::move(node.mapped());
    }

   private:
    std::mutex mutex_;
    std::unordered_map<void*, std::unique_ptr<Block>> blocks_;
  };
  static Blocks& blocks() {
    static auto* const all = new Blocks;  // never destroyed: tensors may be freed as the program ends
    return *all;
  }
  /// Frees also what was allocated before there was a counter.
  static void free_block(void* data) {
    if (!data || blocks().take(data)) return;
    c10::GetDefaultCPUAllocator()->raw_deallocate(data);
  }

  c10::Allocator* inner_;
};

AllocationCounter::AllocationCounter()
    : allocator_(std::make_unique<Allocator>(c10::GetCPUAllocator())), before_(c10::GetCPUAllocator()) {
  c10::SetCPUAllocator(allocator_.get());
}

AllocationCounter::~AllocationCounter() { c10::SetCPUAllocator(before_); }

int64_t AllocationCounter::held() const { return allocator_->counts->held; }
int64_t AllocationCounter::peak() const { return allocator_->counts->peak; }

}  // namespace heed::benchmarks
