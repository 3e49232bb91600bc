#include "heed_torch/interchange/common/external_tensors.h"

#include <utility>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"

namespace heed::interchange {
namespace {

constexpr uint64_t kHeaderAlignment = 8;

}  // namespace

ExternalTensors::ExternalTensors(std::string path, checkpoint::NamedTensors tensors)
    : path_(std::move(path)), tensors_(std::move(tensors)) {}

int64_t ExternalTensors::size(const std::string& name, int64_t dimension) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() || found->second.dim() <= dimension ? 0 : found->second.size(dimension);
}

at::Tensor ExternalTensors::take(const std::string& name, const std::vector<int64_t>& shape) {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw CheckpointError(path_, fmt::format("lacks `{}`", name));
  const at::Tensor& tensor = found->second;
  if (tensor.sizes() != at::IntArrayRef(shape)) {
    throw CheckpointError(path_, fmt::format("`{}` must have the shape [{}], but has [{}]", name,
                                             fmt::join(shape, ", "), fmt::join(tensor.sizes(), ", ")));
  }
  if (!tensor.is_floating_point()) {
    throw CheckpointError(path_, fmt::format("`{}` must be of floating point numbers, but is not", name));
  }
  taken_.insert(name);
  const at::Tensor numbers = tensor.to(at::kFloat);
  if (!numbers.isfinite().all().item<bool>()) {
    throw CheckpointError(path_, fmt::format("`{}` has a number that is not finite", name));
  }
  return numbers;
}

double ExternalTensors::number(const std::string& name, Bounds bounds, std::optional<double> standard) {
  const auto found = tensors_.find(name);
  if (found == tensors_.end() && standard) return *standard;
  if (found == tensors_.end()) throw CheckpointError(path_, fmt::format("lacks `{}`", name));
  taken_.insert(name);
  const bool single = found->second.numel() == 1;
  const double value = single ? found->second.item<double>() : 0;
  if (single && bounds.contain(value)) return value;
  throw CheckpointError(path_, fmt::format("`{}` must be a number from {} to {}, but is {}", name, bounds.lowest,
                                           bounds.highest, single ? fmt::format("{}", value) : "none"));
}

bool ExternalTensors::is_whole(const std::string& name) const {
  const auto found = tensors_.find(name);
  return found != tensors_.end() && !found->second.is_floating_point();
}

void ExternalTensors::pass_over(const std::string& name) { taken_.insert(name); }

void ExternalTensors::require_all_taken(const std::string& whose) const {
  for (const auto& entry : tensors_) {
    if (taken_.contains(entry.first)) continue;
    throw CheckpointError(
        path_, fmt::format("has the tensor `{}`, which {} of this configuration does not have", entry.first, whose));
  }
}

void write_as_transformers(const std::string& path, const checkpoint::NamedTensors& tensors) {
  nlohmann::ordered_json header = {{"__metadata__", {{"format", "pt"}}}};
  uint64_t position = 0;
  for (const auto& [name, tensor] : tensors) {
    check(tensor.scalar_type() == at::kFloat, "only float32 is written");
    const uint64_t end = position + tensor.nbytes();
    header[name] = {{"dtype", "F32"}, {"shape", tensor.sizes().vec()}, {"data_offsets", {position, end}}};
    position = end;
  }
  std::string text = header.dump();
  text.append((kHeaderAlignment - text.size() % kHeaderAlignment) % kHeaderAlignment, ' ');
  const uint64_t length = text.size();
  AtomicFile file(path);
  file.write(&length, sizeof length);
  file.write(text);
  for (const auto& entry : tensors) {
    const at::Tensor dense = entry.second.detach().cpu().contiguous();
    file.write(dense.data_ptr(), dense.nbytes());
  }
  file.commit();
}

}  // namespace heed::interchange
