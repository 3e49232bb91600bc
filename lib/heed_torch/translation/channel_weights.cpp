#include "heed_torch/translation/channel_weights.h"

#include <span>

#include <c10/core/InferenceMode.h>

#include "heed_torch/nn/transfer.h"
#include "heed_torch/translation/lines/source_tensors.h"

namespace heed::translation {
namespace {

/// weights: float [1, ...]; the result is empty if they are undefined.
std::vector<float> values_of(const at::Tensor& weights) {
  if (!weights.defined()) return {};
  const at::Tensor here = nn::download({weights.to(at::kFloat)})[0];
  return {here.const_data_ptr<float>(), here.const_data_ptr<float>() + here.numel()};
}

}  // namespace

std::vector<ChannelWeights> channel_weights(const models::Model& model, const search::SourceItem& item,
                                            at::Device device) {
  const c10::InferenceMode no_gradient;
  const search::SourceSentence sentence{0, {}, &item};
  const models::VectorGrid source = source_tensors(std::span(&sentence, 1)).vectors;
  const models::VectorGrid vectors{nn::upload(source.values, device), source.shapes};
  std::vector<ChannelWeights> weights;
  for (const nn::ChannelWeights& layer : model.encoder->reader().vectors()->channel_weights(vectors)) {
    ChannelWeights& found = weights.emplace_back();
    found = {.channels = values_of(layer.channels), .places = values_of(layer.places)};
    if (layer.places.defined()) found.shape = {.rows = layer.places.size(1), .columns = layer.places.size(2)};
  }
  return weights;
}

}  // namespace heed::translation
