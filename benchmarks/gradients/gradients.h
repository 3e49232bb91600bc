// How much of the gradient at a sentence's last position reaches the input k positions before (Bengio et al. 1994,
// https://doi.org/10.1109/72.279181; Pascanu et al. 2013, https://proceedings.mlr.press/v28/pascanu13.html). For the
// output h_n of a layer with its initial values, and a random direction v of length 1,
//   g(k) = mean over sentences of | d(v . h_n) / d x_{n-k} |,     drawn as g(k) / g(0).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/core/options.h"

namespace heed::benchmarks {

struct GradientSettings {
  int64_t width = 128;    ///< of input and state
  int64_t longest = 128;  ///< the greatest distance; sentences have one position more
  int64_t sentences = 64;
  int64_t seeds = 5;  ///< initial values, over which the geometric mean is taken
  bool operator==(const GradientSettings&) const = default;

  /// 0, 1, 2, 4, ... to `longest`.
  std::vector<int64_t> distances() const;
};
inline void describe(GradientSettings& o, OptionVisitor& visit) {
  visit("width", o.width, "width of the layers' input and state", between(1, 1e5));
  visit("longest", o.longest, "the greatest distance; each one is twice the one before", between(1, 1e5));
  visit("sentences", o.sentences, "random sentences over which norms are averaged", between(1, 1e6));
  visit("seeds", o.seeds, "initial values over which the geometric mean is taken", between(1, 1e4));
}

struct GradientCurve {
  std::string layer;
  std::vector<double> shares;  ///< g(k) / g(0) for each of the settings' distances
};
/// Of a vanilla RNN (tanh), a GRU, an LSTM and self-attention.
std::vector<GradientCurve> measure_gradients(const GradientSettings& settings);

std::string gradient_table(const GradientSettings& settings, const std::vector<GradientCurve>& curves);
/// An SVG document.
std::string gradient_figure(const GradientSettings& settings, const std::vector<GradientCurve>& curves);

}  // namespace heed::benchmarks
