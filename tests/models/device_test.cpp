// No tensor of a forward or backward pass is made on another device than the model's.
#include <gtest/gtest.h>

#include <set>

#include <ATen/record_function.h>
#include <torch/torch.h>

#include "heed/architecture/architecture.h"
#include "heed_torch/models/model.h"
#include "heed_torch/nn/random/random_scope.h"
#include "support/meta.h"
#include "support/tiny_models.h"

namespace heed::models {
namespace {

using namespace heed::testing;

constexpr VocabularySizes kVocabularies{.source = 11, .target = 11};

std::set<std::string>& strangers() {
  static std::set<std::string> operators;
  return operators;
}

void look_at(const at::RecordFunction& function, c10::ArrayRef<const c10::IValue> values) {
  for (const c10::IValue& value : values) {
    if (!value.isTensor() || !value.toTensor().defined()) continue;
    const Tensor& tensor = value.toTensor();
    if (!tensor.is_meta() && !tensor.unsafeGetTensorImpl()->is_wrapped_number()) strangers().insert(function.name());
  }
}

std::unique_ptr<at::ObserverContext> before(const at::RecordFunction& function) {
  look_at(function, function.inputs());
  return nullptr;
}

void after(const at::RecordFunction& function, at::ObserverContext*) {
  const auto& outputs = function.outputs();
  look_at(function, c10::ArrayRef<const c10::IValue>(outputs.data(), outputs.size()));
}

/// While it lives, every operator that runs is watched for tensors that are not on the meta device.
class Watch {
 public:
  Watch() {
    strangers().clear();
    handle_ = at::addGlobalCallback(at::RecordFunctionCallback(before, after).needsInputs(true).needsOutputs(true));
  }
  ~Watch() { at::removeCallback(handle_); }

 private:
  at::CallbackHandle handle_;
};

TEST(Device, TheWatchSeesTensorsOnTheCpu) {
  const Watch watch;
  const Tensor sum = at::ones({2}) + at::ones({2});
  EXPECT_TRUE(strangers().contains("aten::add"));
}

TEST(Device, ForwardAndBackwardOnMetaLeaveNothingOnTheCpu) {
  const Tensor source = at::empty({3, 5}, at::device(at::kMeta).dtype(at::kLong));
  const Tensor target = at::empty({3, 6}, at::device(at::kMeta).dtype(at::kLong));
  for (const auto& [name, options] : architecture_grid()) {
    SCOPED_TRACE(name);
    const auto model = build_model(options, kVocabularies, 1);
    test_support::to_meta(*model);
    const nn::RandomScope scope(1, 1, 1);
    const Watch watch;
    const Memory memory = model->encode(source);
    const Decoded decoded = model->decoder->forward(target, &memory);
    const Tensor logits = model->logits(decoded.hidden);
    EXPECT_TRUE(logits.is_meta());
    EXPECT_EQ(logits.sizes(), (std::vector<int64_t>{3, 6, 11}));
    Tensor loss = logits.sum();
    if (decoded.samples.any()) loss = loss + (decoded.samples.log_probability + decoded.samples.baseline).sum();
    loss.backward();
    for (const auto& item : model->named_parameters()) EXPECT_TRUE(item.value().grad().is_meta()) << item.key();
    EXPECT_EQ(strangers(), std::set<std::string>{});
  }
}

TEST(Device, StepsOnMetaLeaveNothingOnTheCpu) {
  const at::NoGradGuard no_grad;
  const auto ids = at::device(at::kMeta).dtype(at::kLong);
  for (const auto& [name, options] : architecture_grid()) {
    SCOPED_TRACE(name);
    const auto model = build_model(options, kVocabularies, 1);
    model->eval();
    test_support::to_meta(*model);
    const Watch watch;
    const Memory memory = model->encode(at::empty({3, 5}, ids));
    const auto state = model->decoder->start(&memory, 2);
    for (int i = 0; i < 2; ++i) {
      const Decoded decoded = model->decoder->step(at::empty({3, 2}, ids), *state, {.attention = true});
      EXPECT_EQ(decoded.hidden.sizes(), (std::vector<int64_t>{3, 2, 16}));
      if (!has_attention(options)) continue;
      EXPECT_EQ(decoded.attention.sizes(), (std::vector<int64_t>{3, 2, 5}));
    }
    EXPECT_EQ(strangers(), std::set<std::string>{});
  }
}

TEST(Device, CudaComputesWhatTheCpuComputes) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
  at::globalContext().setAllowTF32CuDNN(false);  // as config::pick_device does
  const Tensor source = random_sources({5, 3, 1}, 11, 1), target = random_targets({6, 6, 6}, 11, 2);
  for (const auto& [name, options] : architecture_grid()) {
    SCOPED_TRACE(name);
    const auto run = [&, &chosen = options](at::Device device) {
      const auto model = build_model(chosen, kVocabularies, 1);
      model->eval();  // the devices' generators draw other numbers
      model->to(device);
      const Memory memory = model->encode(source.to(device));
      const Tensor hidden = model->decoder->forward(target.to(device), &memory).hidden;
      const auto state = model->decoder->start(&memory, 1);
      const Tensor first = model->decoder->step(target.narrow(1, 0, 1).to(device), *state).hidden;
      hidden.square().sum().backward();
      return std::vector<Tensor>{hidden.cpu(), first.cpu(), model->decoder->parameters()[0].grad().cpu()};
    };
    const auto expected = run(at::kCPU), found = run(at::Device(at::kCUDA, 0));
    // Without residual connections norms divide small differences by small deviations: 6e-4 was seen.
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_LT(difference(found[i], expected[i]), 2e-3);
  }
}

}  // namespace
}  // namespace heed::models
