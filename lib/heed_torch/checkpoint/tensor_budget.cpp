#include "heed_torch/checkpoint/tensor_budget.h"

#include <utility>

#include <c10/core/CPUAllocator.h>
#include <c10/util/StringUtil.h>

#include "heed/core/error.h"

namespace heed::checkpoint {
namespace {

thread_local TensorBudget* budget_of_thread = nullptr;

/// LibTorch's previous allocator, with a check of the thread's budget first.
class BudgetedAllocator final : public c10::Allocator {
 public:
  explicit BudgetedAllocator(c10::Allocator* inner) : inner_(inner) {}
  c10::DataPtr allocate(size_t bytes) override {
    TensorBudget::spend(bytes);
    return inner_->allocate(bytes);
  }
  c10::DeleterFnPtr raw_deleter() const override { return inner_->raw_deleter(); }
  void copy_data(void* to, const void* from, size_t bytes) const override { inner_->copy_data(to, from, bytes); }

 private:
  c10::Allocator* inner_;
};

/// Stays installed until the process ends: LibTorch keeps a plain pointer, which other threads may be reading.
void install_allocator() {
  static const bool installed = [] {
    c10::SetCPUAllocator(new BudgetedAllocator(c10::GetCPUAllocator()));
    return true;
  }();
  static_cast<void>(installed);
}

}  // namespace

TensorBudget::TensorBudget(std::string path, int64_t bytes, std::string description)
    : path_(std::move(path)),
      description_(std::move(description)),
      bytes_(bytes),
      left_(2 * static_cast<size_t>(bytes)),
      outer_(std::exchange(budget_of_thread, this)) {
  install_allocator();
}

TensorBudget::~TensorBudget() { budget_of_thread = outer_; }

void TensorBudget::spend(size_t bytes) {
  TensorBudget* budget = budget_of_thread;
  if (budget == nullptr) return;
  if (bytes > budget->left_) {
    throw CheckpointError(budget->path_, c10::str("has ", budget->bytes_, " bytes, but the model that ",
                                                  budget->description_, " describes takes more than twice as many"));
  }
  budget->left_ -= bytes;
}

}  // namespace heed::checkpoint
