// The numbers of files of vectors: their types, and float32 from them and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace heed {

/// Little-endian numbers of the names that the safetensors format has for them. U8 stands for a number from 0 to 1, in
/// steps of 1/255.
enum class NumberType { F64, F32, F16, BF16, U8 };
constexpr auto option_names(NumberType) {
  return std::array{std::pair{NumberType::F64, "F64"}, std::pair{NumberType::F32, "F32"},
                    std::pair{NumberType::F16, "F16"}, std::pair{NumberType::BF16, "BF16"},
                    std::pair{NumberType::U8, "U8"}};
}

/// Bytes of one number.
size_t number_size(NumberType type);
/// float32 of as many stored numbers as there are `values`, which need not be aligned; those of F64 rounded to nearest.
void read_numbers(NumberType type, const std::byte* stored, std::span<float> values);
/// The numbers rounded to nearest, ties to even; those too large for F16 or BF16 become infinite. Not for U8, of which
/// callers have bytes.
void write_numbers(NumberType type, std::span<const float> values, std::byte* stored);

}  // namespace heed
