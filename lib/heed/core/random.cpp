#include "heed/core/random.h"

namespace heed {
namespace {

// SplitMix64's finaliser (Steele et al. 2014): every input bit reaches every output bit.
uint64_t mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

constexpr uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
constexpr uint32_t high(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

}  // namespace

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = uint64_t{0xD2511F53} * counter[0];
    const uint64_t product1 = uint64_t{0xCD9E8D57} * counter[2];
    counter = {high(product1) ^ counter[1] ^ key[0], low(product1), high(product0) ^ counter[3] ^ key[1],
               low(product0)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

uint64_t stream_key(uint64_t seed, Purpose purpose, uint64_t first, uint64_t second) {
  uint64_t key = mix(seed);
  key = mix(key ^ static_cast<uint64_t>(purpose));
  key = mix(key ^ first);
  return mix(key ^ second);
}

RandomStream::result_type RandomStream::operator()() {
  const uint64_t block = position_++;
  const auto words = philox4x32({low(block), high(block), 0, 0}, {low(key_), high(key_)});
  return (uint64_t{words[1]} << 32) | words[0];
}

double RandomStream::uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

uint64_t RandomStream::below(uint64_t bound) {
  const uint64_t rejected = (max() - bound + 1) % bound;  // 2^64 mod bound values would be counted once too often
  for (;;) {
    const uint64_t value = (*this)();
    if (value >= rejected) return value % bound;
  }
}

}  // namespace heed
