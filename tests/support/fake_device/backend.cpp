// The fake device as LibTorch's runtime sees it: current device, streams (there are none), generators, pinned memory.
#include "support/fake_device/fake_device.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "support/fake_device/events.h"
#include "support/fake_device/generator.h"
#include "support/fake_device/memory.h"

namespace heed::test_support {
namespace {

struct DeviceGuard final : c10::impl::DeviceGuardImplInterface {
  static constexpr c10::DeviceType static_type = c10::DeviceType::PrivateUse1;
  DeviceGuard() = default;
  explicit DeviceGuard(c10::DeviceType) {}  // as C10_REGISTER_GUARD_IMPL wants it

  c10::DeviceType type() const override { return static_type; }
  c10::Device getDevice() const override { return fake_device(current_fake_device()); }
  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device before = getDevice();
    setDevice(device);
    return before;
  }
  void setDevice(c10::Device device) const override {
    TORCH_CHECK(device.index() < kFakeDevices, "there is no ", device);
    uncheckedSetDevice(device);
  }
  void uncheckedSetDevice(c10::Device device) const noexcept override {
    if (device.has_index()) current_fake_device() = device.index();
  }
  c10::DeviceIndex deviceCount() const noexcept override { return kFakeDevices; }

  // All is done at once, in the order it is asked for. An event is the number of operators before it.
  c10::Stream getStream(c10::Device device) const override { return c10::Stream(c10::Stream::DEFAULT, device); }
  c10::Stream getDefaultStream(c10::Device device) const override { return getStream(device); }
  c10::Stream exchangeStream(c10::Stream stream) const override { return stream; }
  void record(void** event, const c10::Stream&, const c10::DeviceIndex, const c10::EventFlag) const override {
    if (*event == nullptr) *event = new int64_t;
    *static_cast<int64_t*>(*event) = operators_so_far();
  }
  double elapsedTime(void* first, void* second, const c10::DeviceIndex) const override {
    return static_cast<double>(*static_cast<int64_t*>(second) - *static_cast<int64_t*>(first));
  }
  void destroyEvent(void* event, const c10::DeviceIndex) const noexcept override {
    delete static_cast<int64_t*>(event);
  }
  void block(void*, const c10::Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
  bool queryStream(const c10::Stream&) const override { return true; }
  void synchronizeStream(const c10::Stream&) const override {}
  void synchronizeEvent(void*) const override {}
  void synchronizeDevice(const c10::DeviceIndex) const override {}
};

struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  c10::DeviceIndex deviceCount() const override { return kFakeDevices; }
  c10::DeviceIndex getCurrentDevice() const override { return current_fake_device(); }
  void setCurrentDevice(c10::DeviceIndex index) const override { current_fake_device() = index; }
  at::Generator getNewGenerator(c10::DeviceIndex index) const override {
    return at::make_generator<FakeGenerator>(index < 0 ? current_fake_device() : index);
  }
  const at::Generator& getDefaultGenerator(c10::DeviceIndex) const override {
    TORCH_CHECK(false, "numbers are drawn from the device's own generator, whose state no checkpoint has");
  }
  c10::Allocator* getPinnedMemoryAllocator() const override { return pinned_allocator(); }
  bool isPinnedPtr(const void* address) const override { return is_pinned(address); }
};

}  // namespace

void use_fake_device() {
  static const bool once = [] {
    c10::register_privateuse1_backend("fake");
    c10::SetAllocator(at::kPrivateUse1, fake_allocator());
    at::RegisterPrivateUse1HooksInterface(new Hooks);  // LibTorch keeps it to the end
    return true;
  }();
  static_cast<void>(once);
}

C10_REGISTER_GUARD_IMPL(PrivateUse1, DeviceGuard)

}  // namespace heed::test_support
