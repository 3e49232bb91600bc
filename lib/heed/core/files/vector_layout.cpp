#include "heed/core/files/vector_layout.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/files/npy_header.h"
#include "heed/core/files/safetensors.h"

namespace heed {
namespace {

constexpr std::array<std::pair<const char*, NumberType>, 5> kNpyTypes{{{"<f2", NumberType::F16},
                                                                       {"<f4", NumberType::F32},
                                                                       {"<f8", NumberType::F64},
                                                                       {"|u1", NumberType::U8},
                                                                       {"<u1", NumberType::U8}}};

[[noreturn]] void refuse(const std::string& path, const std::string& message) { throw InputError(path, 0, message); }

std::string shape_text(const std::vector<int64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

/// The layout if all items have the same shape, given by the array's shape.
VectorLayout equal_items(const std::vector<int64_t>& shape, const std::string& path) {
  if (shape.size() < 2 || shape.size() > 4) {
    refuse(path, fmt::format("expected an array [N, width], [N, vectors, width] or [N, rows, columns, width], found {}",
                             shape_text(shape)));
  }
  if (std::ranges::find(shape, 0) != shape.end()) {
    refuse(path, fmt::format("is empty: expected sizes of at least 1, found {}", shape_text(shape)));
  }
  const GridShape every{.rows = shape.size() == 4 ? shape[1] : 1,
                        .columns = shape.size() == 2 ? 1 : shape[shape.size() - 2]};
  return {.items = shape[0], .width = shape.back(), .is_grid = shape.size() == 4, .every = every};
}

NumberType npy_type(const std::string& dtype, const std::string& path) {
  const auto* const known = std::ranges::find(kNpyTypes, dtype, [](const auto& type) { return type.first; });
  if (known != kNpyTypes.end()) return known->second;
  refuse(path,
         fmt::format("expected numbers of float16, float32, float64 or uint8, little-endian (<f2, <f4, <f8, |u1), "
                     "found {}",
                     dtype));
}

/// The bytes of the array. On overflow it is the largest number, which no file has.
uint64_t array_bytes(const std::vector<int64_t>& shape, size_t number_size) {
  uint64_t count = number_size;
  for (const int64_t size : shape) {
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(size), &count)) return ~uint64_t{0};
  }
  return count;
}

VectorLayout npy_vectors(std::span<const std::byte> bytes, const std::string& path) {
  const NpyHeader header = parse_npy_header(bytes, path);
  const NumberType type = npy_type(header.dtype, path);
  if (header.fortran_order) refuse(path, "expected an array in C order, found Fortran order");
  VectorLayout layout = equal_items(header.shape, path);
  const uint64_t expected = array_bytes(header.shape, number_size(type)), found = bytes.size() - header.begin;
  if (found < expected) {
    refuse(path, fmt::format("is truncated: expected the numbers of {} of {}, found {} bytes", shape_text(header.shape),
                             header.dtype, found));
  }
  if (found > expected) {
    refuse(path, fmt::format("has more than one array: {} bytes after that of {} of {}", found - expected,
                             shape_text(header.shape), header.dtype));
  }
  layout.type = type;
  layout.begin = header.begin;
  return layout;
}

SafetensorsHeader safetensors_header(std::span<const std::byte> bytes, const std::string& path) {
  try {
    return parse_safetensors_header(bytes, path);
  } catch (const CheckpointError& error) {
    throw InputError(error.what());
  }
}

const StoredTensor* tensor_named(const SafetensorsHeader& header, std::string_view name) {
  const auto found = std::ranges::find(header.tensors, name, &StoredTensor::name);
  return found == header.tensors.end() ? nullptr : &*found;
}

/// The values of the tensor `lengths` [N] or `grids` [N, 2].
std::vector<int64_t> shape_numbers(std::span<const std::byte> bytes, const StoredTensor& tensor, bool is_grid,
                                   const std::string& path) {
  if (tensor.dtype != "I64") {
    refuse(path, fmt::format("expected `{}` of I64, found {}", tensor.name, tensor.dtype));
  }
  const bool fits = is_grid ? tensor.shape.size() == 2 && tensor.shape[1] == 2 : tensor.shape.size() == 1;
  if (!fits) {
    refuse(path, fmt::format("expected `{}` of the shape {}, found {}", tensor.name, is_grid ? "[N, 2]" : "[N]",
                             shape_text(tensor.shape)));
  }
  std::vector<int64_t> numbers((tensor.end - tensor.begin) / sizeof(int64_t));
  if (numbers.empty()) refuse(path, fmt::format("is empty: expected at least one item in `{}`", tensor.name));
  std::memcpy(numbers.data(), bytes.data() + tensor.begin, tensor.end - tensor.begin);
  return numbers;
}

/// Items of different shapes, stored one after the other in `vectors` [total, width].
class RaggedItems {
 public:
  RaggedItems(int64_t total, bool is_grid, const std::string& path) : total_(total), is_grid_(is_grid), path_(path) {}

  void add_to(VectorLayout& layout, const std::vector<int64_t>& numbers) const {
    const size_t each = is_grid_ ? 2 : 1;
    layout.items = static_cast<int64_t>(numbers.size() / each);
    layout.starts.reserve(numbers.size() / each + 1);
    layout.starts.push_back(0);
    for (size_t i = 0; i < numbers.size(); i += each) {
      const GridShape shape{.rows = is_grid_ ? numbers[i] : 1, .columns = numbers[i + each - 1]};
      const int64_t left = total_ - layout.starts.back();
      check_item(shape, left, i / each + 1);
      layout.starts.push_back(layout.starts.back() + shape.vectors());
      if (is_grid_) layout.rows.push_back(shape.rows);
    }
    if (layout.starts.back() != total_) {
      refuse(path_, fmt::format("the items of `{}` have {} vectors together, found {} in `vectors`", name(),
                                layout.starts.back(), total_));
    }
  }

 private:
  const char* name() const { return is_grid_ ? "grids" : "lengths"; }

  void check_item(const GridShape& shape, int64_t left, size_t number) const {
    const std::string found =
        is_grid_ ? fmt::format("{} rows of {}", shape.rows, shape.columns) : fmt::format("{}", shape.columns);
    if (shape.rows < 1 || shape.columns < 1) {
      refuse(path_,
             fmt::format("expected at least 1 vector in every item, item {} of `{}` has {}", number, name(), found));
    }
    if (shape.columns > left || shape.rows > left / shape.columns) {
      refuse(path_, fmt::format("item {} of `{}` has {} vectors, found {} that are left in `vectors`", number, name(),
                                found, left));
    }
  }

  int64_t total_;
  bool is_grid_;
  const std::string& path_;
};

VectorLayout ragged_items(std::span<const std::byte> bytes, const StoredTensor& vectors, const StoredTensor& shapes,
                          const std::string& path) {
  if (vectors.shape.size() != 2) {
    refuse(path, fmt::format("expected `vectors` of the shape [total, width] beside `{}`, found {}", shapes.name,
                             shape_text(vectors.shape)));
  }
  if (vectors.shape[1] < 1) refuse(path, "is empty: expected vectors of at least 1 number, found 0");
  const bool is_grid = shapes.name == "grids";
  VectorLayout layout{.width = vectors.shape[1], .is_grid = is_grid};
  RaggedItems(vectors.shape[0], is_grid, path).add_to(layout, shape_numbers(bytes, shapes, is_grid, path));
  return layout;
}

VectorLayout safetensors_vectors(std::span<const std::byte> bytes, const std::string& path) {
  const SafetensorsHeader header = safetensors_header(bytes, path);
  const StoredTensor* vectors = tensor_named(header, "vectors");
  const StoredTensor* lengths = tensor_named(header, "lengths");
  const StoredTensor* grids = tensor_named(header, "grids");
  if (vectors == nullptr) refuse(path, "expected a tensor `vectors`, found none");
  if (lengths != nullptr && grids != nullptr) refuse(path, "expected `lengths` or `grids`, found both");
  const auto type = enum_value<NumberType>(vectors->dtype);
  if (!type) refuse(path, fmt::format("expected `vectors` of F64, F32, F16, BF16 or U8, found {}", vectors->dtype));
  const StoredTensor* shapes = lengths != nullptr ? lengths : grids;
  VectorLayout layout =
      shapes == nullptr ? equal_items(vectors->shape, path) : ragged_items(bytes, *vectors, *shapes, path);
  layout.type = *type;
  layout.begin = vectors->begin;
  return layout;
}

}  // namespace

VectorLayout find_vectors(std::span<const std::byte> bytes, const std::string& path) {
  if (path.ends_with(".npy")) return npy_vectors(bytes, path);
  if (path.ends_with(".safetensors")) return safetensors_vectors(bytes, path);
  refuse(path, "expected a file of vectors with the ending .npy or .safetensors");
}

}  // namespace heed
