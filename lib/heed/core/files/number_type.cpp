#include "heed/core/files/vector_layout.h"

#include <bit>
#include <cstring>

#include "heed/core/error.h"

namespace heed {
namespace {

constexpr uint32_t kSign = 0x8000'0000, kInfinite = 0x7F80'0000;

float from_half(uint16_t half) {
  const uint32_t sign = uint32_t{half & 0x8000U} << 16, exponent = half & 0x7C00U, fraction = half & 0x03FFU;
  if (exponent == 0)
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(static_cast<float>(fraction) * 0x1p-24F));
  const uint32_t bits = (exponent | fraction) << 13;
  return std::bit_cast<float>(sign | (exponent == 0x7C00U ? bits | kInfinite : bits + (uint32_t{127 - 15} << 23)));
}

uint16_t to_half(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits & kSign) >> 16;
  uint32_t magnitude = bits & ~kSign;
  if (magnitude > kInfinite) return static_cast<uint16_t>(sign | 0x7E00U);
  if (magnitude >= uint32_t{127 + 16} << 23) return static_cast<uint16_t>(sign | 0x7C00U);
  if (magnitude <
      uint32_t{127 - 14} << 23) {  // adding 1/2 moves the rounded fraction of a subnormal to the lowest bits
    return static_cast<uint16_t>(sign |
                                 (std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3F00'0000U));
  }
  magnitude += 0xFFFU + ((magnitude >> 13) & 1) - (uint32_t{127 - 15} << 23);
  return static_cast<uint16_t>(sign | (magnitude >> 13));
}

uint16_t to_bfloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & ~kSign) > kInfinite) return static_cast<uint16_t>((bits >> 16) | 0x0040U);
  return static_cast<uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1)) >> 16);
}

template <class Stored, class Convert>
void read_each(const std::byte* stored, std::span<float> values, Convert convert) {
  for (float& value : values) {
    Stored number;
    std::memcpy(&number, stored, sizeof number);
    stored += sizeof number;
    value = convert(number);
  }
}

template <class Stored, class Convert>
void write_each(std::span<const float> values, std::byte* stored, Convert convert) {
  for (const float value : values) {
    const Stored number = convert(value);
    std::memcpy(stored, &number, sizeof number);
    stored += sizeof number;
  }
}

}  // namespace

size_t number_size(NumberType type) {
  switch (type) {
    case NumberType::F64:
      return 8;
    case NumberType::F32:
      return 4;
    case NumberType::F16:
    case NumberType::BF16:
      return 2;
    case NumberType::U8:
      return 1;
  }
  return 0;
}

void read_numbers(NumberType type, const std::byte* stored, std::span<float> values) {
  switch (type) {
    case NumberType::F64:
      return read_each<double>(stored, values, [](double x) { return static_cast<float>(x); });
    case NumberType::F32:
      return read_each<float>(stored, values, [](float x) { return x; });
    case NumberType::F16:
      return read_each<uint16_t>(stored, values, from_half);
    case NumberType::BF16:
      return read_each<uint16_t>(stored, values, [](uint16_t x) { return std::bit_cast<float>(uint32_t{x} << 16); });
    case NumberType::U8:
      return read_each<uint8_t>(stored, values, [](uint8_t x) { return static_cast<float>(x) / 255.0F; });
  }
}

void write_numbers(NumberType type, std::span<const float> values, std::byte* stored) {
  switch (type) {
    case NumberType::F64:
      return write_each<double>(values, stored, [](float x) { return double{x}; });
    case NumberType::F32:
      return write_each<float>(values, stored, [](float x) { return x; });
    case NumberType::F16:
      return write_each<uint16_t>(values, stored, to_half);
    case NumberType::BF16:
      return write_each<uint16_t>(values, stored, to_bfloat16);
    case NumberType::U8:
      check(false, "write_numbers: numbers of U8 are bytes");
  }
}

}  // namespace heed
