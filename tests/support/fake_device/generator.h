// A generator of the fake device: draws what LibTorch's CPU generator of the same seed does.
#pragma once

#include <ATen/CPUGeneratorImpl.h>

#include "support/fake_device/fake_device.h"

namespace heed::test_support {

class FakeGenerator : public at::CPUGeneratorImpl {
 public:
  explicit FakeGenerator(c10::DeviceIndex index) : at::CPUGeneratorImpl(c10::default_rng_seed_val) {
    device_ = fake_device(index);
    key_set_ = c10::DispatchKeySet(c10::DispatchKey::PrivateUse1);
  }
  void set_current_seed(uint64_t seed) override {
    at::CPUGeneratorImpl::set_current_seed(seed);
    on_host_.set_current_seed(seed);
  }
  /// What the operators' CPU code draws from.
  const at::Generator& on_host() const { return on_host_; }

 private:
  at::Generator on_host_ = at::detail::createCPUGenerator();
};

}  // namespace heed::test_support
