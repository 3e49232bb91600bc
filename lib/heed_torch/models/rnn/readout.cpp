#include "heed_torch/models/rnn/readout.h"

#include <vector>

#include <ATen/ATen.h>

namespace heed::models {

ReadoutImpl::ReadoutImpl(const ReadoutOptions& options, int64_t d_hidden, int64_t d_context, int64_t d_model)
    : options_(options) {
  if (std::holds_alternative<TanhReadout>(options)) {
    map = register_module("map", nn::Linear(nn::LinearOptions{.in = d_hidden + d_context, .out = d_model}));
  }
  if (std::holds_alternative<MaxoutReadout>(options)) {
    const int64_t in = d_hidden + d_context + d_model;
    map = register_module("map", nn::Linear(nn::LinearOptions{.in = in, .out = 2 * d_model, .stacked = 2}));
  }
}

ReadoutPass::ReadoutPass(ReadoutImpl& readout) : maxout_(std::holds_alternative<MaxoutReadout>(readout.options())) {
  if (readout.map) map_.emplace(readout.map);
}

Tensor ReadoutPass::operator()(const Tensor& state, const Tensor& context, const Tensor& embedded) const {
  if (!map_) return state;
  std::vector<Tensor> parts{state};
  if (context.defined()) parts.push_back(context);
  if (!maxout_) return (*map_)(at::cat(parts, -1)).tanh();
  parts.push_back(embedded);
  const auto halves = (*map_)(at::cat(parts, -1)).chunk(2, -1);
  return at::maximum(halves[0], halves[1]);
}

}  // namespace heed::models
