#include "heed_torch/training/step/gradient/bucket_hooks.h"

#include <memory>
#include <utility>

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

namespace heed::training {
namespace {

class Hook : public torch::autograd::PostAccumulateGradHook {
 public:
  explicit Hook(std::function<void()> call) : call_(std::move(call)) {}
  void operator()(const Tensor& /*parameter*/) override { call_(); }

 private:
  std::function<void()> call_;
};

}  // namespace

BucketPlan::BucketPlan(const std::vector<Tensor>& parameters, std::vector<FlatRange> ranges)
    : buckets(std::move(ranges)), of_parameter(parameters.size()) {
  const FlatLayout layout(parameters);
  for (size_t bucket = 0; bucket < buckets.size(); ++bucket) {
    const auto pieces = layout.pieces(buckets[bucket]);
    parameters_in.push_back(pieces.size());
    for (const FlatPiece& piece : pieces) of_parameter[piece.parameter].push_back(bucket);
  }
}

// With a single bucket no hooks are needed: the pass is over as soon as that bucket is complete.
BucketHooks::BucketHooks(const std::vector<Tensor>& parameters, const BucketPlan& plan,
                         std::function<void(size_t)> done)
    : parameters_(parameters), plan_(plan), done_(std::move(done)), missing_(plan.parameters_in) {
  if (plan.buckets.size() == 1) return;
  for (size_t i = 0; i < parameters.size(); ++i) {
    torch::autograd::impl::set_post_acc_grad_hooks(parameters[i],
                                                   std::make_unique<Hook>([this, i] { parameter_done(i); }));
  }
}

BucketHooks::~BucketHooks() {
  if (plan_.buckets.size() == 1) return;
  for (const Tensor& parameter : parameters_) torch::autograd::impl::set_post_acc_grad_hooks(parameter, nullptr);
}

void BucketHooks::parameter_done(size_t parameter) {
  for (const size_t bucket : plan_.of_parameter[parameter]) {
    if (--missing_[bucket] == 0) done_(bucket);
  }
}

void BucketHooks::finish() {
  for (size_t bucket = missing_.size(); bucket-- > 0;) {
    if (std::exchange(missing_[bucket], 0) > 0) done_(bucket);
  }
}

}  // namespace heed::training
