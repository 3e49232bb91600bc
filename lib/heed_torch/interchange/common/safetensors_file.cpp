#include "heed_torch/interchange/common/safetensors_file.h"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"

namespace heed::interchange {
namespace {

constexpr uint64_t kHeaderAlignment = 8;

}  // namespace

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
