#include "heed/text/bpe/python/python_random.h"

#include <algorithm>
#include <vector>

namespace heed::text {

PythonRandom::PythonRandom(int64_t seed) {
  const uint64_t magnitude = seed < 0 ? uint64_t{0} - static_cast<uint64_t>(seed) : static_cast<uint64_t>(seed);
  std::vector<uint32_t> key{static_cast<uint32_t>(magnitude)};
  if (magnitude >> 32U != 0) key.push_back(static_cast<uint32_t>(magnitude >> 32U));

  const auto mixed = [this](size_t i) { return state_[i - 1] ^ (state_[i - 1] >> 30U); };
  state_[0] = 19650218;
  for (size_t i = 1; i < kWords; ++i) state_[i] = 1812433253U * mixed(i) + static_cast<uint32_t>(i);
  size_t i = 1;
  const auto advance = [&] {
    if (++i == kWords) {
      state_[0] = state_[kWords - 1];
      i = 1;
    }
  };
  size_t j = 0;
  for (size_t k = std::max(kWords, key.size()); k > 0; --k) {
    state_[i] = (state_[i] ^ (mixed(i) * 1664525U)) + key[j] + static_cast<uint32_t>(j);
    advance();
    if (++j == key.size()) j = 0;
  }
  for (size_t k = kWords - 1; k > 0; --k) {
    state_[i] = (state_[i] ^ (mixed(i) * 1566083941U)) - static_cast<uint32_t>(i);
    advance();
  }
  state_[0] = 0x80000000U;
}

void PythonRandom::refill() {
  constexpr size_t kShift = 397;
  for (size_t i = 0; i < kWords; ++i) {
    const uint32_t bits = (state_[i] & 0x80000000U) | (state_[(i + 1) % kWords] & 0x7FFFFFFFU);
    state_[i] = state_[(i + kShift) % kWords] ^ (bits >> 1U) ^ ((bits & 1U) != 0 ? 0x9908B0DFU : 0U);
  }
  next_ = 0;
}

uint32_t PythonRandom::word() {
  if (next_ == kWords) refill();
  uint32_t bits = state_[next_++];
  bits ^= bits >> 11U;
  bits ^= (bits << 7U) & 0x9D2C5680U;
  bits ^= (bits << 15U) & 0xEFC60000U;
  return bits ^ (bits >> 18U);
}

double PythonRandom::uniform() {
  const uint32_t high = word() >> 5U;
  const uint32_t low = word() >> 6U;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

}  // namespace heed::text
