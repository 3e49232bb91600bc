#include "heed_torch/nn/attention/idf_table.h"

#include <cmath>

#include <ATen/ATen.h>

namespace heed::nn {
namespace {

template <class Visit>
void for_each_table(torch::nn::Module& module, Visit visit) {
  for (const auto& each : module.modules()) {
    if (auto* table = dynamic_cast<IdfTable*>(each.get())) visit(*table);
  }
}

}  // namespace

void IdfTable::register_table(torch::nn::Module& module, int64_t vocabulary) {
  idf_ = module.register_buffer("idf", at::zeros({vocabulary}));
}

void IdfTable::set_document_frequencies(const Tensor& lines_with, int64_t lines) {
  TORCH_CHECK(lines >= 1 && lines_with.sizes() == idf_.sizes(), "`lines_with` must be ", idf_.sizes(), ", found ",
              lines_with.sizes());
  idf_.copy_(std::log(static_cast<double>(lines)) - lines_with.clamp_min(1).to(at::kDouble).log());
}

void set_document_frequencies(torch::nn::Module& module, const Tensor& lines_with, int64_t lines) {
  for_each_table(module, [&](IdfTable& table) { table.set_document_frequencies(lines_with, lines); });
}

bool has_idf_table(torch::nn::Module& module) {
  bool found = false;
  for_each_table(module, [&](IdfTable&) { found = true; });
  return found;
}

}  // namespace heed::nn
