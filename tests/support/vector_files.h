// Files of vectors, made by hand.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace heed::testing {

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

/// A .npy file of version 1.0 with this header and data.
inline std::string npy_bytes(const std::string& dictionary, const std::string& data) {
  const auto length = static_cast<uint16_t>(dictionary.size());
  return std::string("\x93NUMPY\x01\x00", 8) + bytes_of<uint16_t>({length}) + dictionary + data;
}

inline std::string npy_array(const std::string& dtype, const std::string& shape, const std::string& data) {
  return npy_bytes("{'descr': '" + dtype + "', 'fortran_order': False, 'shape': (" + shape + "), }\n", data);
}

/// A safetensors file with this header and data.
inline std::string safetensors_bytes(const std::string& header, const std::string& data) {
  return bytes_of<uint64_t>({header.size()}) + header + data;
}

}  // namespace heed::testing
