#include "heed/engine/common/weights.h"

#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

Weights::Weights(const std::string& path, const models::ParameterShapes& shapes) : path_(path), file_(path) {
  const SafetensorsHeader header = parse_safetensors_header(file_.bytes(), path);
  std::map<std::string, const StoredTensor*> tensors;
  for (const StoredTensor& stored : header.tensors) tensors.emplace(stored.name, &stored);
  for (const auto& [name, shape] : shapes) {
    const auto found = tensors.find(name);
    if (found == tensors.end() || found->second->dtype != "F32") {
      throw CheckpointError(path, fmt::format("has no tensor {} of float32", name));
    }
    const StoredTensor& stored = *found->second;
    if (stored.shape != shape) {
      throw CheckpointError(path, fmt::format("the tensor {} is [{}], but must be [{}]", name,
                                              fmt::join(stored.shape, ", "), fmt::join(shape, ", ")));
    }
    const std::byte* bytes = file_.bytes().data() + stored.begin;
    if (reinterpret_cast<uintptr_t>(bytes) % alignof(float) != 0) {
      throw CheckpointError(path, "its tensors are not aligned to their elements");
    }
    weights_[name] = {.numbers = {reinterpret_cast<const float*>(bytes), (stored.end - stored.begin) / 4},
                      .rows = shape.size() == 1 ? 1 : shape[0],
                      .columns = shape.back()};
  }
}

Weight Weights::get(const std::string& name) const {
  const auto found = weights_.find(name);
  check(found != weights_.end(), "a parameter that the model does not have: " + name);
  if (!all_finite(found->second.numbers)) {
    throw CheckpointError(path_, fmt::format("the tensor {} has values that are not finite", name));
  }
  return found->second;
}

}  // namespace heed::engine
