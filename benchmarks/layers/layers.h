// The layers that are compared, heed's own, and how one is measured.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "heed_torch/nn/masks.h"
#include "layers/report.h"

namespace heed::benchmarks {

using nn::Tensor;

struct Layer {
  LayerFacts facts;
  std::vector<Tensor> parameters;
  std::function<Tensor(const Tensor& x)> run;  ///< float [S, length, width] -> the same shape
};

/// Self-attention as training without dropout and translation run it, and with explicit weights, as dropout on
/// them wants it; LSTM and GRU left to right; a gated convolution; LibTorch's LSTM and GRU, which know no padding.
std::vector<Layer> make_layers(const LayerSettings& settings);

/// Runs every layer at every length, each in turn so that what else the machine does falls on all of them.
/// progress: told what is done.
std::vector<std::vector<LayerMeasurement>> measure_layers(const std::vector<Layer>& layers,
                                                          const LayerSettings& settings,
                                                          const std::function<void(std::string_view)>& progress);

}  // namespace heed::benchmarks
