#include "heed/core/files/vector_layout.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "heed/core/random.h"
#include "support/vector_files.h"

namespace heed {
namespace {

template <class Stored>
float read_one(NumberType type, Stored stored) {
  float value = 0;
  read_numbers(type, reinterpret_cast<const std::byte*>(&stored), {&value, 1});
  return value;
}

uint16_t write_one(NumberType type, float value) {
  uint16_t stored = 0;
  write_numbers(type, {&value, 1}, reinterpret_cast<std::byte*>(&stored));
  return stored;
}

/// A half by its definition: (-1)^s 2^(e-15) (1 + f/1024), and 2^-14 f/1024 where e is 0.
float half_by_definition(uint16_t half) {
  const int exponent = (half >> 10) & 31, fraction = half & 1023;
  const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                        : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

TEST(NumberType, EveryHalfIsReadByItsDefinitionAndWrittenBack) {
  for (uint32_t half = 0; half < 0x10000; ++half) {
    const auto stored = static_cast<uint16_t>(half);
    const float value = read_one(NumberType::F16, stored);
    if ((half & 0x7C00) == 0x7C00) {
      EXPECT_EQ(std::isinf(value), (half & 0x3FF) == 0);
      EXPECT_FALSE(std::isfinite(value));
    } else {
      ASSERT_EQ(std::bit_cast<uint32_t>(value), std::bit_cast<uint32_t>(half_by_definition(stored))) << half;
      ASSERT_EQ(write_one(NumberType::F16, value), stored);
    }
  }
}

TEST(NumberType, WritingRoundsToNearestAndTiesToEven) {
  for (uint16_t half = 0; half < 0x7BFF; ++half) {
    const float low = half_by_definition(half), high = half_by_definition(static_cast<uint16_t>(half + 1));
    const float middle = (low + high) / 2;
    ASSERT_EQ(write_one(NumberType::F16, middle), half % 2 == 0 ? half : half + 1);
    ASSERT_EQ(write_one(NumberType::F16, std::nextafter(middle, low)), half);
    ASSERT_EQ(write_one(NumberType::F16, -std::nextafter(middle, high)), (half + 1) | 0x8000);
  }
  EXPECT_EQ(write_one(NumberType::F16, 65519.0F), 0x7BFF);
  EXPECT_EQ(write_one(NumberType::F16, 65520.0F), 0x7C00);
  EXPECT_EQ(write_one(NumberType::F16, -1e30F), 0xFC00);
  EXPECT_EQ(write_one(NumberType::BF16, std::bit_cast<float>(0x3F80'8000U)), 0x3F80);
  EXPECT_EQ(write_one(NumberType::BF16, std::bit_cast<float>(0x3F81'8000U)), 0x3F82);
  EXPECT_EQ(write_one(NumberType::BF16, std::bit_cast<float>(0x3F80'8001U)), 0x3F81);
  for (const NumberType type : {NumberType::F16, NumberType::BF16}) {
    EXPECT_TRUE(std::isnan(read_one(type, write_one(type, std::numeric_limits<float>::quiet_NaN()))));
    EXPECT_TRUE(std::isinf(read_one(type, write_one(type, std::numeric_limits<float>::infinity()))));
  }
}

TEST(NumberType, OtherTypesAreReadAsTheyStand) {
  EXPECT_EQ(read_one(NumberType::F64, 0.1), 0.1F);
  EXPECT_EQ(read_one(NumberType::F32, -2.5F), -2.5F);
  EXPECT_EQ(read_one(NumberType::BF16, uint16_t{0xC040}), -3.0F);
  EXPECT_EQ(read_one(NumberType::U8, uint8_t{255}), 1.0F);
  EXPECT_EQ(read_one(NumberType::U8, uint8_t{51}), 0.2F);
}

TEST(NumberType, FloatsComeBackFromWiderTypesAsTheyWere) {
  RandomStream random(1, Purpose::Test);
  std::vector<float> values(1000);
  for (float& value : values) value = static_cast<float>(random.uniform() * 200 - 100);
  for (const NumberType type : {NumberType::F32, NumberType::F64}) {
    std::vector<std::byte> stored(values.size() * number_size(type) + 1);
    std::vector<float> read(values.size());
    write_numbers(type, values, stored.data() + 1);  // not aligned
    read_numbers(type, stored.data() + 1, read);
    EXPECT_EQ(read, values);
  }
  std::byte byte{};
  EXPECT_THROW(write_numbers(NumberType::U8, std::span(values).first(1), &byte), std::logic_error);
}

}  // namespace
}  // namespace heed
