#include "heed_torch/checkpoint/named_tensors.h"

#include <vector>

#include <ATen/ATen.h>
#include <c10/util/StringUtil.h>

#include "heed/core/error.h"

namespace heed::checkpoint {
namespace {

/// "lacks `a.weight` and 3 more"
std::string listing(const std::string& what, const std::vector<std::string>& names) {
  std::string text = c10::str(what, " `", names.front(), "`");
  if (names.size() > 1) text += c10::str(" and ", names.size() - 1, " more");
  return text;
}

}  // namespace

void check_fit(const models::ParameterShapes& shapes, const NamedTensors& tensors, const std::string& path) {
  std::vector<std::string> missing;
  std::vector<std::string> unexpected;
  for (const auto& [name, shape] : shapes) {
    const auto found = tensors.find(name);
    if (found == tensors.end()) {
      missing.push_back(name);
    } else if (found->second.sizes() != at::IntArrayRef(shape)) {
      throw CheckpointError(path, c10::str("`", name, "` must have the shape ", at::IntArrayRef(shape), ", it has ",
                                           found->second.sizes()));
    }
  }
  for (const auto& entry : tensors) {
    if (!shapes.contains(entry.first)) unexpected.push_back(entry.first);
  }
  if (missing.empty() && unexpected.empty()) return;
  std::string message = "does not fit the model: ";
  if (!missing.empty()) message += listing("it lacks", missing);
  if (!missing.empty() && !unexpected.empty()) message += "; ";
  if (!unexpected.empty()) message += listing("the model has no", unexpected);
  throw CheckpointError(path, message);
}

NamedTensors named_tensors(const torch::nn::Module& module) {
  NamedTensors tensors;
  for (const auto& parameter : module.named_parameters()) tensors[parameter.key()] = parameter.value().detach();
  for (const auto& buffer : module.named_buffers()) tensors[buffer.key()] = buffer.value().detach();
  return tensors;
}

void load_into(torch::nn::Module& module, const NamedTensors& tensors, const std::string& path) {
  NamedTensors members = named_tensors(module);
  models::ParameterShapes shapes;
  for (const auto& [name, member] : members) shapes[name] = member.sizes().vec();
  check_fit(shapes, tensors, path);
  const torch::NoGradGuard no_grad;
  for (auto& [name, member] : members) member.copy_(tensors.at(name));
}

}  // namespace heed::checkpoint
