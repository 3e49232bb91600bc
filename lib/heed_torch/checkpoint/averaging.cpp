#include "heed_torch/checkpoint/averaging.h"

#include <vector>

#include <ATen/ATen.h>
#include <c10/util/StringUtil.h>

#include "heed/core/error.h"
#include "heed_torch/checkpoint/tensor_file.h"

namespace heed::checkpoint {
namespace {

void check_alike(const TensorFile& first, const TensorFile& other, const std::string& path) {
  for (const auto& [name, tensor] : first.tensors) {
    const auto found = other.tensors.find(name);
    if (found == other.tensors.end())
      throw CheckpointError(path, c10::str("cannot be averaged with the others: it lacks `", name, "`"));
    if (found->second.sizes() != tensor.sizes() || found->second.scalar_type() != tensor.scalar_type()) {
      throw CheckpointError(
          path, c10::str("cannot be averaged with the others: `", name, "` is ", found->second.scalar_type(), " ",
                         found->second.sizes(), ", theirs is ", tensor.scalar_type(), " ", tensor.sizes()));
    }
  }
  for (const auto& entry : other.tensors) {
    if (!first.tensors.contains(entry.first)) {
      throw CheckpointError(path, c10::str("cannot be averaged with the others: they lack `", entry.first, "`"));
    }
  }
}

at::Tensor mean_of(const std::string& name, const std::vector<TensorFile>& files, std::span<const std::string> paths) {
  const at::Tensor& first = files.front().tensors.at(name);
  if (!first.is_floating_point()) {
    for (size_t i = 1; i < files.size(); ++i) {
      if (!files[i].tensors.at(name).equal(first)) {
        throw CheckpointError(paths[i],
                              c10::str("cannot be averaged with the others: `", name, "` holds other whole numbers"));
      }
    }
    return first.clone();
  }
  at::Tensor sum = first.to(at::kDouble, /*non_blocking=*/false, /*copy=*/true);
  for (size_t i = 1; i < files.size(); ++i) sum += files[i].tensors.at(name).to(at::kDouble);
  return sum.div_(static_cast<double>(files.size())).to(first.scalar_type());
}

}  // namespace

NamedTensors average_tensors(std::span<const std::string> paths) {
  check(!paths.empty(), "an average needs a file");
  std::vector<TensorFile> files;
  for (const std::string& path : paths) {
    files.push_back(read_tensors(path));
    check_alike(files.front(), files.back(), path);
  }
  NamedTensors means;
  for (const auto& entry : files.front().tensors) means[entry.first] = mean_of(entry.first, files, paths);
  return means;
}

}  // namespace heed::checkpoint
