// A fast hash of short strings.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace heed::text {
namespace hash_detail {

template <class Number>
uint64_t read(const char* bytes) {
  Number number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

inline uint64_t mixed(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64U);
}

/// Whether the first `size` bytes are equal. Inline, since most words are short.
inline bool same(const char* a, const char* b, size_t size) {
  if (size > 16) return std::memcmp(a, b, size) == 0;
  if (size >= 8) {
    return read<uint64_t>(a) == read<uint64_t>(b) && read<uint64_t>(a + size - 8) == read<uint64_t>(b + size - 8);
  }
  if (size >= 4) {
    return read<uint32_t>(a) == read<uint32_t>(b) && read<uint32_t>(a + size - 4) == read<uint32_t>(b + size - 4);
  }
  if (size >= 2) return read<uint16_t>(a) == read<uint16_t>(b) && a[size - 1] == b[size - 1];
  return size == 0 || *a == *b;
}

}  // namespace hash_detail

/// Mixes eight bytes at a time, similar to wyhash. The last eight bytes may overlap those before.
inline uint64_t long_string_hash(std::string_view text) {
  using namespace hash_detail;
  constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15U;
  const size_t size = text.size();
  const char* bytes = text.data();
  uint64_t hash = size * kMultiplier;
  uint64_t last = 0;
  if (size >= 8) {
    for (size_t i = 0; i + 8 < size; i += 8) hash = mixed(hash ^ read<uint64_t>(bytes + i), kMultiplier);
    last = read<uint64_t>(bytes + size - 8);
  } else if (size >= 4) {
    last = read<uint32_t>(bytes) | read<uint32_t>(bytes + size - 4) << 32U;
  } else if (size > 0) {
    last = read<uint8_t>(bytes) | read<uint8_t>(bytes + size / 2) << 8U | read<uint8_t>(bytes + size - 1) << 16U;
  }
  return mixed(hash ^ last, kMultiplier + 2);
}

/// The lower half of long_string_hash().
inline uint32_t string_hash(std::string_view text) { return static_cast<uint32_t>(long_string_hash(text)); }

}  // namespace heed::text
