// Runs the target that HEED_FUZZ_TARGET names under libFuzzer.
#include <cstdint>
#include <cstdlib>

#include "fuzz/target.h"

namespace {

const heed::fuzz::Target& target() {
  const char* name = std::getenv("HEED_FUZZ_TARGET");
  static const heed::fuzz::Target& target = heed::fuzz::target_named(name == nullptr ? "" : name);
  return target;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  heed::fuzz::run(target(), {reinterpret_cast<const char*>(data), size});
  return 0;
}
