#include "heed/kernels/lanes.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "heed/kernels/vector_code.h"

namespace heed::kernels {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr std::array<float, kLanes> kA{-3, -2.5F, -0.0F, 0, 0.5F, 1, 2, 3, 4, 5, 6, 7, -8, 1e30F, kNaN, 11};
constexpr std::array<float, kLanes> kB{3, -2.5F, 0, 1, 0.25F, -1, 2, 4, 3, 5, 7, 6, -9, 1e-30F, 1, kNaN};

// Calls function(R(), a, b) with the numbers above, in the registers R of this processor; the suite runs all this in
// narrower ones too (ATEN_CPU_CAPABILITY).
template <class Function>
struct Kernel {
  const Function& function;
  template <class R>
  [[gnu::always_inline]] void run() const {
    typename R::Float a, b;
    load(a, kA.data());
    load(b, kB.data());
    function(R(), a, b);
  }
};
template <class Function>
void in_registers(const Function& function) {
  run_vectorized(Kernel<Function>{function});
}

// What `lanes` are, lane by lane, is what `one` makes of the numbers of the lane. NaN equals NaN.
template <class Lane, class One>
void expect_lanes(const Lane& lanes, const One& one) {
  for (int64_t i = 0; i < kLanes; ++i) {
    const auto number = one(static_cast<size_t>(i));
    const auto found = lanes[i];
    if (number != number) {
      EXPECT_TRUE(found != found) << i;
    } else {
      EXPECT_EQ(found, number) << i;
    }
  }
}

TEST(Lanes, AreNumbersSideBySide) {
  in_registers([](auto, const auto& a, const auto& b) __attribute__((always_inline)) {
    expect_lanes(a + b, [](size_t i) { return kA[i] + kB[i]; });
    expect_lanes(a - 2, [](size_t i) { return kA[i] - 2; });
    expect_lanes(2 - a, [](size_t i) { return 2 - kA[i]; });
    expect_lanes(a * b, [](size_t i) { return kA[i] * kB[i]; });
    expect_lanes(1 / b, [](size_t i) { return 1 / kB[i]; });
    expect_lanes(-a, [](size_t i) { return -kA[i]; });
    expect_lanes(absolute(a), [](size_t i) { return std::abs(kA[i]); });
    auto sum = a;
    sum *= b;
    sum -= a;
    sum += 1;
    expect_lanes(sum, [](size_t i) { return kA[i] * kB[i] - kA[i] + 1; });
  });
}

TEST(Lanes, CompareAndChoose) {
  in_registers([](auto, const auto& a, const auto& b) __attribute__((always_inline)) {
    expect_lanes(a > b, [](size_t i) { return kA[i] > kB[i] ? -1 : 0; });
    expect_lanes(a < b, [](size_t i) { return kA[i] < kB[i] ? -1 : 0; });
    expect_lanes(a == b, [](size_t i) { return kA[i] == kB[i] ? -1 : 0; });
    expect_lanes(~(a == a), [](size_t i) { return kA[i] == kA[i] ? 0 : -1; });
    expect_lanes(select(a > b, b, a), [](size_t i) { return kA[i] > kB[i] ? kB[i] : kA[i]; });
    expect_lanes(larger(a, b), [](size_t i) { return kA[i] > kB[i] ? kA[i] : kB[i]; });
    EXPECT_FALSE(any_lane(a > 1e31F));
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      std::array<float, kLanes> one{};
      one[static_cast<size_t>(lane)] = 1;
      auto lanes = a;
      load(lanes, one.data());
      EXPECT_TRUE(any_lane(lanes > 0.5F)) << lane;
    }
  });
}

TEST(Lanes, KeepBitsAndConvertNumbers) {
  in_registers([](auto registers, const auto& a, const auto&) __attribute__((always_inline)) {
    using R = decltype(registers);
    std::array<uint32_t, kLanes> numbers{};
    for (size_t i = 0; i < kLanes; ++i) numbers[i] = static_cast<uint32_t>(i * 0x01020304U);
    typename R::Unsigned lanes;
    load(lanes, numbers.data());
    expect_lanes(convert<uint8_t>(lanes), [&](size_t i) { return static_cast<uint8_t>(numbers[i]); });
    expect_lanes(convert<uint16_t>(lanes), [&](size_t i) { return static_cast<uint16_t>(numbers[i]); });
    expect_lanes(((lanes >> 3 ^ 5U) & 0xffffU) | 1U, [&](size_t i) { return ((numbers[i] >> 3 ^ 5U) & 0xffffU) | 1U; });
    expect_lanes(bits_as<int32_t>(lanes) << 7, [&](size_t i) { return static_cast<int32_t>(numbers[i] << 7); });
    expect_lanes(convert<uint32_t>(convert<uint16_t>(lanes)), [&](size_t i) { return numbers[i] & 0xffffU; });
    expect_lanes(convert<double>(a), [](size_t i) { return static_cast<double>(kA[i]); });
    expect_lanes(convert<int64_t>(a > 0), [](size_t i) { return int64_t{kA[i] > 0 ? -1 : 0}; });
  });
}

TEST(Lanes, LastOnesMayBeFewer) {
  in_registers([](auto registers, const auto&, const auto&) __attribute__((always_inline)) {
    using R = decltype(registers);
    for (int64_t count = 1; count <= kLanes; ++count) {
      const std::vector<float> from(kA.begin(), kA.begin() + count);
      typename R::Float lanes;
      load_some(lanes, from.data(), count);
      expect_lanes(lanes, [&](size_t i) { return static_cast<int64_t>(i) < count ? kA[i] : 0; });
      std::vector<float> to(static_cast<size_t>(count) + 1, 7);
      lanes = 2;
      store_some(to.data(), lanes, count);
      for (int64_t i = 0; i < count; ++i) EXPECT_EQ(to[static_cast<size_t>(i)], 2);
      EXPECT_EQ(to.back(), 7);
    }
  });
}

}  // namespace
}  // namespace heed::kernels
