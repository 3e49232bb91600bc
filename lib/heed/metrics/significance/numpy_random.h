// NumPy's default random numbers, bit-identical: SeedSequence and PCG64 (XSL-RR 128/64, O'Neill 2014,
// https://www.pcg-random.org/paper.html), with the functions that sacreBLEU's significance tests call. A test with the
// same seed therefore has the same resamples and the same p-value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::metrics {

/// A seed of any size.
class NumpySeed {
 public:
  /// Parses an integer like Python's int(). Throws std::invalid_argument if `text` is not an integer or is negative.
  static NumpySeed parse(std::string_view text);
  /// 128 bits from the operating system.
  static NumpySeed entropy();

  bool operator==(const NumpySeed&) const = default;
  bool is_zero() const { return words_.size() == 1 && words_[0] == 0; }
  /// 32-bit words, lowest first, without leading zeros.
  std::span<const uint32_t> words() const { return words_; }
  /// In decimal digits.
  std::string text() const;

 private:
  explicit NumpySeed(std::vector<uint32_t> words);
  std::vector<uint32_t> words_;
};

/// numpy.random.default_rng(seed).
class NumpyRandom {
 public:
  explicit NumpyRandom(const NumpySeed& seed);

  /// 64 uniform bits.
  uint64_t next() {
    step();
    return output();
  }
  /// Skips `count` calls of next(), in logarithmic time.
  void skip(uint64_t count);

  /// choice(population, size): fills `draws` with uniform numbers below `population`, which is 1 to 2^32.
  void choice(uint64_t population, std::span<uint32_t> draws);

 private:
  using Uint128 = unsigned __int128;

  void step() { state_ = state_ * kMultiplier + increment_; }
  uint64_t output() const {
    const auto high = static_cast<uint64_t>(state_ >> 64);
    const uint64_t mixed = high ^ static_cast<uint64_t>(state_);
    const unsigned turn = static_cast<unsigned>(high >> 58);
    return (mixed >> turn) | (mixed << ((64 - turn) & 63));
  }
  uint32_t next32();

  static constexpr Uint128 kMultiplier = (Uint128{2549297995355413924ULL} << 64) | 4865540595714422341ULL;
  Uint128 state_ = 0;
  Uint128 increment_ = 0;
  // next32() returns the lower half of 64 bits, then the upper half.
  bool has_half_ = false;
  uint32_t half_ = 0;
};

}  // namespace heed::metrics
