#include "heed/engine/common/weights.h"

#include <bit>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/safetensors.h"

namespace heed::engine {
namespace {

bool all_finite(std::span<const float> numbers) {
  constexpr uint32_t kExponent = 0x7f800000;
  uint32_t infinite = 0;
  for (const float number : numbers) infinite |= (std::bit_cast<uint32_t>(number) & kExponent) == kExponent ? 1U : 0U;
  return infinite == 0;
}

}  // namespace

Weights::Weights(const std::string& path) : path_(path), file_(path) {
  const SafetensorsHeader header = parse_safetensors_header(file_.bytes(), path);
  for (const StoredTensor& stored : header.tensors) {
    const bool is_weight = stored.dtype == "F32" && (stored.shape.size() == 1 || stored.shape.size() == 2);
    if (!is_weight) continue;  // other tensors are an error only if they are needed
    const std::byte* bytes = file_.bytes().data() + stored.begin;
    if (reinterpret_cast<uintptr_t>(bytes) % alignof(float) != 0) {
      throw CheckpointError(path, "its tensors are not aligned to their elements");
    }
    weights_[stored.name] = {.numbers = {reinterpret_cast<const float*>(bytes), (stored.end - stored.begin) / 4},
                             .rows = stored.shape.size() == 1 ? 1 : stored.shape[0],
                             .columns = stored.shape.back()};
  }
}

Weight Weights::matrix(const std::string& name, int64_t rows, int64_t columns) const {
  const auto found = weights_.find(name);
  if (found == weights_.end()) throw CheckpointError(path_, fmt::format("has no tensor {} of float32", name));
  const Weight& weight = found->second;
  if (weight.rows != rows || weight.columns != columns) {
    throw CheckpointError(path_, fmt::format("the tensor {} is [{}, {}], but must be [{}, {}]", name, weight.rows,
                                             weight.columns, rows, columns));
  }
  if (!all_finite(weight.numbers)) {
    throw CheckpointError(path_, fmt::format("the tensor {} has values that are not finite", name));
  }
  return weight;
}

}  // namespace heed::engine
