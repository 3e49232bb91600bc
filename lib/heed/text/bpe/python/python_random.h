// Python's random module, bit for bit: random.seed(number) and random.random().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heed::text {

/// The Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), seeded as in Python, by init_by_array.
class PythonRandom {
 public:
  /// random.seed(seed). As in Python, the sign is ignored.
  explicit PythonRandom(int64_t seed);
  /// random.random(): uniform in [0, 1), 53 bits.
  double uniform();

 private:
  static constexpr size_t kWords = 624;
  uint32_t word();
  void refill();

  std::array<uint32_t, kWords> state_{};
  size_t next_ = kWords;
};

}  // namespace heed::text
