#include "support/fake_device/memory.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include <sys/mman.h>

#include <ATen/ops/empty_strided.h>
#include <ATen/ops/from_blob.h>

#include "support/fake_device/fake_device.h"

namespace heed::test_support {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kAlignment = 64;
constexpr int kUnwritten = 0xff;  // makes NaN of floats

size_t in_pages(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// The numbers that operators read, and an address that nobody may.
struct Block {
  explicit Block(size_t bytes)
      : size(in_pages(bytes)),
        numbers(std::aligned_alloc(kAlignment, size)),
        address(mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    TORCH_CHECK(numbers != nullptr && address != MAP_FAILED, "no fake memory for ", bytes, " bytes");
    std::memset(numbers, kUnwritten, size);
  }
  ~Block() {
    munmap(address, size);
    std::free(numbers);
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  size_t size;
  void* numbers;
  void* address;
};

Block* block_of(const c10::DataPtr& memory) { return static_cast<Block*>(memory.get_context()); }

struct FakeAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    const c10::Device device = fake_device(current_fake_device());
    if (bytes == 0) return {nullptr, device};
    auto block = std::make_unique<Block>(bytes);
    void* address = block->address;
    return {address, block.release(), [](void* context) { delete static_cast<Block*>(context); }, device};
  }
  void copy_data(void*, const void*, size_t) const override { TORCH_CHECK(false, "fake memory is not the host's"); }
};

/// The pinned blocks that there are: address and size.
struct PinnedBlocks {
  std::mutex mutex;
  std::map<const std::byte*, size_t> sizes;
};

PinnedBlocks& pinned_blocks() {
  static PinnedBlocks made;
  return made;
}

void release_pinned(void* address) {
  {
    PinnedBlocks& blocks = pinned_blocks();
    const std::lock_guard lock(blocks.mutex);
    blocks.sizes.erase(static_cast<std::byte*>(address));
  }
  std::free(address);
}

struct PinnedAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    if (bytes == 0) return {nullptr, c10::kCPU};
    void* address = std::aligned_alloc(kAlignment, in_pages(bytes));
    TORCH_CHECK(address != nullptr, "no pinned memory for ", bytes, " bytes");
    PinnedBlocks& blocks = pinned_blocks();
    const std::lock_guard lock(blocks.mutex);
    blocks.sizes[static_cast<std::byte*>(address)] = bytes;
    return {address, address, &release_pinned, c10::kCPU};
  }
  void copy_data(void* to, const void* from, size_t bytes) const override { default_copy_data(to, from, bytes); }
};

}  // namespace

c10::DeviceIndex& current_fake_device() {
  thread_local c10::DeviceIndex index = 0;
  return index;
}

c10::Allocator* fake_allocator() {
  static FakeAllocator made;
  return &made;
}

c10::Allocator* pinned_allocator() {
  static PinnedAllocator made;
  return &made;
}

bool is_pinned(const void* address) {
  const auto* byte = static_cast<const std::byte*>(address);
  PinnedBlocks& blocks = pinned_blocks();
  const std::lock_guard lock(blocks.mutex);
  auto after = blocks.sizes.upper_bound(byte);
  return after != blocks.sizes.begin() && byte < std::prev(after)->first + std::prev(after)->second;
}

Tensor on_host(const Tensor& x) {
  if (!x.is_privateuseone()) return x;
  const auto options = x.options().device(at::kCPU);
  const Block* block = block_of(x.storage().data_ptr());
  if (block == nullptr) return at::empty_strided(x.sizes(), x.strides(), options);
  auto* first = static_cast<std::byte*>(block->numbers) + x.storage_offset() * static_cast<int64_t>(x.element_size());
  return at::from_blob(first, x.sizes(), x.strides(), options);
}

void grow_storage(const Tensor& x, size_t bytes) {
  c10::StorageImpl* storage = x.storage().unsafeGetStorageImpl();
  if (bytes <= storage->nbytes()) return;
  c10::DataPtr grown = fake_allocator()->allocate(bytes);
  if (const Block* before = block_of(storage->data_ptr())) {
    std::memcpy(block_of(grown)->numbers, before->numbers, storage->nbytes());
  }
  storage->set_data_ptr_noswap(std::move(grown));
  storage->set_nbytes(bytes);
}

}  // namespace heed::test_support
