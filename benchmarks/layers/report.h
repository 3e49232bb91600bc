// What was measured, as JSON lines, as Markdown and as a figure. Without torch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/core/options.h"

namespace heed::benchmarks {

struct LayerSettings {
  int64_t width = 256;      ///< d of input and output
  int64_t heads = 8;        ///< of self-attention; divides the width
  int64_t kernel = 3;       ///< k of the convolution; odd
  int64_t tokens = 4096;    ///< of each batch; a multiple of every length
  int64_t shortest = 16;    ///< tokens a sentence; doubled until `longest`
  int64_t longest = 2048;   ///< not exceeded
  int64_t repetitions = 5;  ///< of which the median counts, after one that does not
  int64_t threads = 1;
  bool operator==(const LayerSettings&) const = default;

  std::vector<int64_t> lengths() const;
};
inline void describe(LayerSettings& o, OptionVisitor& visit) {
  constexpr Bounds kLength = between(1, 1e6);
  visit("width", o.width, "d, the width of the layers' input and output", between(1, 1e5));
  visit("heads", o.heads, "heads of self-attention; must divide the width", between(1, 1e5));
  visit("kernel", o.kernel, "k, the positions that a convolution sees at once; odd", between(1, 1e3));
  visit("tokens", o.tokens, "tokens of every batch, so that all lengths are the same amount of text", between(1, 1e8));
  visit("shortest", o.shortest, "the first sentence length; each further one is twice the one before", kLength);
  visit("longest", o.longest, "no length beyond this one", kLength);
  visit("repetitions", o.repetitions, "times each pass is timed, after one that is not; the median counts",
        between(1, 1e4));
  visit("threads", o.threads, "CPU threads", between(1, 1e3));
}
/// Throws ConfigError for settings that do not fit together.
void validate(const LayerSettings& settings);

/// A layer and what Vaswani et al. 2017, Table 1, says of its kind, for n positions of width d and a kernel of k.
struct LayerFacts {
  std::string name;
  std::string complexity;  ///< per layer
  std::string sequential;  ///< operations that must wait for each other
  std::string path;        ///< longest way between two positions
  std::string products;    ///< multiplications for each token in this implementation, its maps included
};

/// Seconds of a pass over the batch.
struct Seconds {
  double median = 0;
  double lowest = 0;
  double highest = 0;
};
/// `each`: at least one.
Seconds summary_of(std::vector<double> each);

struct LayerMeasurement {
  Seconds forward = {};           ///< without gradients
  Seconds forward_backward = {};  ///< with those of the input and the parameters
  int64_t peak_bytes = 0;         ///< of tensors in forward_backward, beyond input, parameters, output's gradient
};

struct LayerReport {
  LayerSettings settings;
  std::string machine;  ///< "AMD EPYC, LibTorch 2.13.0"
  std::vector<LayerFacts> layers;
  std::vector<std::vector<LayerMeasurement>> measured;  ///< [layer][length]
};

/// One line for the settings, then one for each layer and length.
std::string json_lines(const LayerReport& report);
/// Table 1 beside the measurements at both ends, then every measurement.
std::string markdown(const LayerReport& report);
/// Time and memory for each token against length, as an SVG document.
std::string figure(const LayerReport& report);

}  // namespace heed::benchmarks
