// The number types of files of vectors, and their conversion from and to float32.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace heed {

/// Little-endian numbers; the names are those of the safetensors format. U8 is a number from 0 to 1 in steps of 1/255.
enum class NumberType { F64, F32, F16, BF16, U8 };
constexpr auto option_names(NumberType) {
  return std::array{std::pair{NumberType::F64, "F64"}, std::pair{NumberType::F32, "F32"},
                    std::pair{NumberType::F16, "F16"}, std::pair{NumberType::BF16, "BF16"},
                    std::pair{NumberType::U8, "U8"}};
}

/// Bytes per number.
size_t number_size(NumberType type);
/// Converts stored numbers to float32, one for each element of `values`. `stored` may be unaligned. F64 is rounded to
/// nearest.
void read_numbers(NumberType type, const std::byte* stored, std::span<float> values);
/// Converts float32 numbers, rounded to nearest, ties to even. Numbers too large for F16 or BF16 become infinite. Not
/// for U8: callers already have its bytes.
void write_numbers(NumberType type, std::span<const float> values, std::byte* stored);

}  // namespace heed
