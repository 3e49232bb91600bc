// The header of an array in NumPy's file format
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html): the magic "\x93NUMPY", two bytes of
// version, the length of the header (2 bytes in version 1, else 4), a Python dictionary `descr`, `fortran_order`,
// `shape`, the numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heed {

struct NpyHeader {
  std::string dtype;  ///< as NumPy writes it: `<f4` is little-endian float32
  bool fortran_order = false;
  std::vector<int64_t> shape;
  size_t begin = 0;  ///< where in the file the numbers begin
};

/// Reads the header of a file's bytes, of the versions 1.0, 2.0 and 3.0. Throws InputError, naming `path` and what is
/// wrong. Whether dtype and shape agree with the file's size is not looked at.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& path);

}  // namespace heed
