// heed-torch with the fake device: its main function is that of apps/heed_torch/main.cpp.
#include "support/fake_device/fake_device.h"

namespace {

const bool kRegistered = (heed::test_support::use_fake_device(), true);

}  // namespace
