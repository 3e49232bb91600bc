#include "heed/architecture/parameter_list.h"

#include <utility>

namespace heed::models {

ParameterList::ParameterList(ParameterShapes& shapes, std::string prefix)
    : shapes_(shapes), prefix_(std::move(prefix)) {}

ParameterList ParameterList::module(const std::string& name) const {
  return ParameterList(shapes_, prefix_ + name + ".");
}

void ParameterList::tensor(const std::string& name, std::vector<int64_t> shape) const {
  shapes_[prefix_ + name] = std::move(shape);
}

void ParameterList::linear(const std::string& name, int64_t in, int64_t out, bool bias) const {
  tensor(name + ".weight", {out, in});
  if (bias) tensor(name + ".bias", {out});
}

void ParameterList::norm(const std::string& name, const nn::NormOptions& options) const {
  if (options.kind == nn::NormKind::None) return;
  tensor(name + ".weight", {options.d_model});
  if (options.kind == nn::NormKind::Layer) tensor(name + ".bias", {options.d_model});
}

}  // namespace heed::models
