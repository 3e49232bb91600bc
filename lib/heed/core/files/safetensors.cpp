#include "heed/core/files/safetensors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/mapped_file.h"
#include "heed/core/text/json_nesting.h"

namespace heed {
namespace {

constexpr uint64_t kMaximumHeader = 100'000'000;  // the reference implementation's limit
constexpr const char* kMetadata = "__metadata__";

constexpr std::array<std::pair<std::string_view, uint64_t>, 8> kElementSizes{
    {{"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"I64", 8}, {"I32", 4}, {"U8", 1}, {"BOOL", 1}}};

[[noreturn]] void fail(const std::string& path, const std::string& message) { throw CheckpointError(path, message); }

std::optional<uint64_t> element_size(std::string_view dtype) {
  for (const auto& [name, size] : kElementSizes) {
    if (name == dtype) return size;
  }
  return std::nullopt;
}

/// The bytes of a tensor of this shape; absent if the number overflows.
std::optional<uint64_t> byte_count(const std::vector<int64_t>& shape, uint64_t element_size) {
  uint64_t count = element_size;
  for (const int64_t size : shape) {
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(size), &count)) return std::nullopt;
  }
  return count;
}

bool is_size(const nlohmann::json& value) {
  return value.is_number_unsigned() && value.get<uint64_t>() < (uint64_t{1} << 62);
}

/// Parses an entry. Its offsets are relative to the start of the data.
StoredTensor checked_entry(const std::string& name, const nlohmann::json& json, uint64_t data_size,
                           const std::string& path) {
  const auto refuse = [&](const char* reason) {
    fail(path, fmt::format("the header's entry of `{}` {}", name, reason));
  };
  if (!json.is_object() || json.size() != 3 || !json.contains("dtype") || !json.contains("shape") ||
      !json.contains("data_offsets")) {
    refuse("does not consist of dtype, shape and data_offsets");
  }
  const nlohmann::json& dtype = json["dtype"];
  const auto size = dtype.is_string() ? element_size(dtype.get<std::string>()) : std::nullopt;
  if (!size) refuse("has a dtype that is not one of F64, F32, F16, BF16, I64, I32, U8, BOOL");
  if (!json["shape"].is_array() || !std::ranges::all_of(json["shape"], is_size)) {
    refuse("has a shape that is not a list of sizes");
  }
  const nlohmann::json& offsets = json["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2 || !std::ranges::all_of(offsets, is_size)) {
    refuse("has data_offsets that are not two numbers");
  }
  StoredTensor entry{.name = name,
                     .dtype = dtype.get<std::string>(),
                     .shape = json["shape"].get<std::vector<int64_t>>(),
                     .begin = offsets[0].get<uint64_t>(),
                     .end = offsets[1].get<uint64_t>()};
  if (entry.begin > entry.end || entry.end > data_size) {
    refuse("has data_offsets outside the file: it is truncated or damaged");
  }
  if (byte_count(entry.shape, *size) != entry.end - entry.begin) {
    refuse("has data_offsets that do not fit dtype and shape");
  }
  return entry;
}

/// Throws unless the tensors fill the file without gap or overlap.
void check_coverage(const std::vector<StoredTensor>& ordered, uint64_t data_size, const std::string& path) {
  uint64_t position = 0;
  for (const StoredTensor& entry : ordered) {
    if (entry.begin < position) fail(path, fmt::format("the data of `{}` overlaps that of another tensor", entry.name));
    if (entry.begin > position) fail(path, fmt::format("there is a gap before the data of `{}`", entry.name));
    position = entry.end;
  }
  if (position != data_size) {
    fail(path, fmt::format("the tensors take {} bytes, the file has {} for them", position, data_size));
  }
}

nlohmann::json parse_json(std::string_view text, const std::string& path) {
  if (is_nested_deeper(text))
    fail(path, "is not a safetensors file, or it is damaged: its header " + nested_too_deep());
  nlohmann::json header = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!header.is_object()) fail(path, "is not a safetensors file, or it is damaged: its header is not a JSON object");
  return header;
}

std::map<std::string, std::string> take_metadata(nlohmann::json& header, const std::string& path) {
  std::map<std::string, std::string> metadata;
  if (!header.contains(kMetadata)) return metadata;
  const nlohmann::json& json = header[kMetadata];
  if (!json.is_object()) fail(path, "has metadata that are no JSON object");
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) fail(path, fmt::format("has the metadata `{}`, which are no text", key));
    metadata[key] = value.get<std::string>();
  }
  header.erase(kMetadata);
  return metadata;
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::span<const std::byte> bytes, const std::string& path) {
  uint64_t length = 0;
  if (bytes.size() < sizeof length) fail(path, "is not a safetensors file: it is shorter than 8 bytes");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > kMaximumHeader || length > bytes.size() - sizeof length) {
    fail(path, "is not a safetensors file, or it is truncated: its header would be longer than the file");
  }
  nlohmann::json json = parse_json({reinterpret_cast<const char*>(bytes.data()) + sizeof length, length}, path);
  const uint64_t data_begin = sizeof length + length;
  SafetensorsHeader header{.tensors = {}, .metadata = take_metadata(json, path)};
  for (const auto& [name, entry] : json.items()) {
    header.tensors.push_back(checked_entry(name, entry, bytes.size() - data_begin, path));
  }
  std::ranges::sort(header.tensors, {}, [](const StoredTensor& entry) { return std::pair(entry.begin, entry.end); });
  check_coverage(header.tensors, bytes.size() - data_begin, path);
  for (StoredTensor& tensor : header.tensors) {
    tensor.begin += data_begin;
    tensor.end += data_begin;
  }
  return header;
}

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

}  // namespace heed
