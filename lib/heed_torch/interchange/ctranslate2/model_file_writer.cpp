#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/checksum.h"
#include "heed_torch/interchange/ctranslate2/model_file.h"
#include "heed_torch/interchange/ctranslate2/model_file_types.h"

namespace heed::interchange {
namespace {

using at::Tensor;

uint8_t type_id(const std::string& path, const std::string& name, const Tensor& tensor) {
  const auto* const found = std::ranges::find(kModelFileTypes, tensor.scalar_type());
  if (found != kModelFileTypes.end()) return static_cast<uint8_t>(found - kModelFileTypes.begin());
  throw CheckpointError(
      path, fmt::format("cannot hold `{}`: CTranslate2 has no {} tensors", name, c10::toString(tensor.scalar_type())));
}

/// What identifies a tensor: dtype, shape and numbers.
std::string content_of(const Tensor& tensor) {
  Sha256 digest;
  digest.update(tensor.data_ptr(), tensor.nbytes());
  return fmt::format("{} {} {}", c10::toString(tensor.scalar_type()), fmt::join(tensor.sizes(), ","), digest.hex());
}

template <class Number>
void write_number(AtomicFile& file, Number number) {
  file.write(&number, sizeof number);
}

void write_name(AtomicFile& file, const std::string& name) {
  write_number(file, static_cast<uint16_t>(name.size() + 1));
  file.write(name.c_str(), name.size() + 1);
}

void write_tensor(AtomicFile& file, const Tensor& tensor, uint8_t type) {
  write_number(file, static_cast<uint8_t>(tensor.dim()));
  for (const int64_t size : tensor.sizes()) write_number(file, static_cast<uint32_t>(size));
  write_number(file, type);
  write_number(file, static_cast<uint32_t>(tensor.nbytes()));
  file.write(tensor.data_ptr(), tensor.nbytes());
}

/// The tensors without repetitions; a repeated one is an alias of the first. Attributes are never aliases.
struct Distinct {
  std::vector<std::pair<std::string, Tensor>> tensors;
  std::vector<std::pair<std::string, std::string>> aliases;
};
Distinct distinct(const checkpoint::NamedTensors& tensors) {
  Distinct parts;
  std::map<std::string, std::string> seen;
  for (const auto& [name, tensor] : tensors) {
    const Tensor dense = tensor.detach().cpu().contiguous();
    if (dense.dim() > 0) {
      const auto [first, is_new] = seen.emplace(content_of(dense), name);
      if (!is_new) {
        parts.aliases.emplace_back(name, first->second);
        continue;
      }
    }
    parts.tensors.emplace_back(name, dense);
  }
  return parts;
}

}  // namespace

void write_model_file(const std::string& path, const ModelFile& model) {
  const Distinct parts = distinct(model.tensors);
  AtomicFile file(path);
  write_number(file, kBinaryVersion);
  write_name(file, model.specification);
  write_number(file, model.revision);
  write_number(file, static_cast<uint32_t>(parts.tensors.size()));
  for (const auto& [name, tensor] : parts.tensors) {
    write_name(file, name);
    write_tensor(file, tensor, type_id(path, name, tensor));
  }
  write_number(file, static_cast<uint32_t>(parts.aliases.size()));
  for (const auto& [alias, name] : parts.aliases) {
    write_name(file, alias);
    write_name(file, name);
  }
  file.commit();
}

}  // namespace heed::interchange
