#include "heed/vectors/stored_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/mapped_file.h"
#include "heed/core/files/safetensors.h"

namespace heed::vectors {

StoredMatrix read_stored_matrix(const std::string& path, const std::string& name) {
  const MappedFile file(path);
  const SafetensorsHeader header = parse_safetensors_header(file.bytes(), path);
  const auto stored = std::ranges::find(header.tensors, name, &StoredTensor::name);
  if (stored == header.tensors.end()) throw Error(fmt::format("{}: has no tensor `{}`", path, name));
  if (stored->dtype != "F32" || stored->shape.size() != 2) {
    throw Error(fmt::format("{}: `{}` must be a matrix of float32", path, name));
  }
  StoredMatrix matrix{.rows = stored->shape[0], .columns = stored->shape[1], .values = {}};
  matrix.values.resize((stored->end - stored->begin) / sizeof(float));
  std::memcpy(matrix.values.data(), file.bytes().data() + stored->begin, stored->end - stored->begin);
  if (!std::ranges::all_of(matrix.values, [](float value) { return std::isfinite(value); })) {
    throw Error(fmt::format("{}: `{}` has numbers that are not finite", path, name));
  }
  return matrix;
}

bool has_stored_tensor(const std::string& path, const std::string& name) {
  const MappedFile file(path);
  const SafetensorsHeader header = parse_safetensors_header(file.bytes(), path);
  return std::ranges::find(header.tensors, name, &StoredTensor::name) != header.tensors.end();
}

}  // namespace heed::vectors
