// The header of an array in NumPy's file format
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). It begins with "\x93NUMPY" and two version
// bytes. Then come the length of the dictionary (2 bytes in version 1, else 4) and a Python dictionary with `descr`,
// `fortran_order` and `shape`. The numbers follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heed {

struct NpyHeader {
  std::string dtype;  ///< in NumPy's notation: `<f4` is little-endian float32
  bool fortran_order = false;
  std::vector<int64_t> shape;
  size_t begin = 0;  ///< offset of the numbers in the file
};

/// Parses the header of a file of version 1.0, 2.0 or 3.0. Throws InputError with `path` and the problem. Does not
/// check that dtype and shape match the size of the file.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& path);

}  // namespace heed
