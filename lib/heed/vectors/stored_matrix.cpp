#include "heed/vectors/stored_matrix.h"

#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/mapped_file.h"

namespace heed::vectors {
namespace {

struct Opened {
  MappedFile file;
  nlohmann::json header;
  std::string_view numbers;
};

[[noreturn]] void damaged(const std::string& path) { throw Error(path + ": expected a safetensors file, found it damaged"); }

Opened open(const std::string& path) {
  Opened opened{.file = MappedFile(path), .header = {}, .numbers = {}};
  const auto mapped = opened.file.bytes();
  const std::string_view bytes(reinterpret_cast<const char*>(mapped.data()), mapped.size());
  uint64_t length = 0;
  if (bytes.size() < sizeof(length)) damaged(path);
  std::memcpy(&length, bytes.data(), sizeof(length));
  if (length > bytes.size() - sizeof(length)) damaged(path);
  opened.header = nlohmann::json::parse(bytes.substr(sizeof(length), length), nullptr, /*allow_exceptions=*/false);
  if (!opened.header.is_object()) damaged(path);
  opened.numbers = bytes.substr(sizeof(length) + length);
  return opened;
}

}  // namespace

StoredMatrix read_stored_matrix(const std::string& path, const std::string& name) {
  const Opened opened = open(path);
  if (!opened.header.contains(name)) throw Error(fmt::format("{}: has no tensor `{}`", path, name));
  try {
    const nlohmann::json& entry = opened.header.at(name);
    const auto shape = entry.at("shape").get<std::vector<int64_t>>();
    const auto offsets = entry.at("data_offsets").get<std::vector<uint64_t>>();
    if (entry.at("dtype") != "F32" || shape.size() != 2) {
      throw Error(fmt::format("{}: `{}` must be a matrix of float32", path, name));
    }
    StoredMatrix matrix{.rows = shape.at(0), .columns = shape.at(1), .values = {}};
    matrix.values.resize(static_cast<size_t>(matrix.rows * matrix.columns));
    const size_t size = matrix.values.size() * sizeof(float);
    if (offsets.at(1) - offsets.at(0) != size || offsets.at(1) > opened.numbers.size()) damaged(path);
    std::memcpy(matrix.values.data(), opened.numbers.data() + offsets.at(0), size);
    return matrix;
  } catch (const nlohmann::json::exception&) {
    damaged(path);
  } catch (const std::out_of_range&) {
    damaged(path);
  }
}

bool has_stored_tensor(const std::string& path, const std::string& name) { return open(path).header.contains(name); }

}  // namespace heed::vectors
