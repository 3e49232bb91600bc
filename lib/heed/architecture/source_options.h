// How vectors of a source become vectors of the model's width, which any encoder can read. Source vectors are, for
// example, regions of images, frames of audio, pixels or time series. Let x be a vector from the file, standardized if
// the options say so.
//   projection   x W + b of each vector
//   convolution  layers of y = relu(W * x + b) with kernel size k and stride s, in two dimensions for grids, then a
//                projection. Each layer divides the number of vectors by s, in a grid by s * s. Channel attention
//                (heed_torch/nn/attention/channel_attention.h) can follow the ReLU of each layer, where Hu et al. 2018
//                put it in networks without residual connections (section 3.3)
//   patches      a projection of p concatenated vectors, in a grid of p * p. It stacks frames, or splits an image into
//                patches (Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929, section 3.1)
// Afterwards, an encoding of the position in the grid (row r and column c) can be added:
//   sinusoidal   [PE(r); PE(c)], each half as wide as the model, PE of heed_torch/nn/positions/positions.h
//   learned      a vector for r and one for c
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "heed/architecture/channel_attention_options.h"
#include "heed/core/files/vector_layout.h"
#include "heed/core/options.h"

namespace heed::models {

class ParameterList;  // parameter_list.h

enum class GridPositions { None, Sinusoidal, Learned };
constexpr auto option_names(GridPositions) {
  using Name = std::pair<GridPositions, std::string_view>;
  return std::array{Name{GridPositions::None, "none"}, Name{GridPositions::Sinusoidal, "sinusoidal"},
                    Name{GridPositions::Learned, "learned"}};
}

/// The form of the vectors in a file. Absent values are taken from the training file.
struct VectorForm {
  std::optional<int64_t> width{};  ///< components of a vector
  std::optional<bool> grid{};      ///< whether the vectors form a grid of rows and columns
  bool standardize = true;         ///< subtract each component's mean and divide by its standard deviation, both from
                                   ///< the training file
  bool operator==(const VectorForm&) const = default;
};
void describe(VectorForm& o, AnyOptionVisitor auto& visit) {
  visit("width", o.width, "numbers of a vector; none: as the training file has them", between(1, 1e6));
  visit("grid", o.grid, "whether vectors form rows and columns, as pixels do; none: as in the training file");
  visit("standardize", o.standardize,
        "subtract from each number of a vector its mean, and divide by its standard deviation, of the training file");
}

/// The position encoding of a vector in its grid.
struct GridPositionOptions {
  GridPositions positions = GridPositions::None;
  int64_t longest_side = 64;  ///< for learned positions: the maximum of rows and columns
  bool operator==(const GridPositionOptions&) const = default;
};
void describe(GridPositionOptions& o, AnyOptionVisitor auto& visit) {
  visit("grid-positions", o.positions, "positions of two dimensions, rows and columns, for grids");
  visit("longest-side", o.longest_side, "most rows or columns of learned grid positions", between(1, 1e5));
}

struct NoVectors {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoVectors&) const = default;
};
void describe(NoVectors&, AnyOptionVisitor auto&) {}

struct ProjectedVectors {
  static constexpr std::string_view kName = "projection";
  VectorForm form = {};
  GridPositionOptions grid = {};
  bool operator==(const ProjectedVectors&) const = default;
};
void describe(ProjectedVectors& o, AnyOptionVisitor auto& visit) {
  describe(o.form, visit);
  describe(o.grid, visit);
}

struct ConvolvedVectors {
  static constexpr std::string_view kName = "convolution";
  VectorForm form = {};
  GridPositionOptions grid = {};
  int64_t layers = 2;
  int64_t channels = 64;  ///< width of the vectors between the layers
  int64_t kernel = 3;     ///< kernel size; odd
  int64_t stride = 2;
  nn::ChannelAttentionOptions channel_attention = nn::NoChannelAttention{};
  bool operator==(const ConvolvedVectors&) const = default;
};
void describe(ConvolvedVectors& o, AnyOptionVisitor auto& visit) {
  describe(o.form, visit);
  describe(o.grid, visit);
  visit("layers", o.layers, "layers of convolutions", between(1, 100));
  visit("channels", o.channels, "channels of each layer", between(1, 1e6));
  visit("kernel", o.kernel, "kernel size: vectors side by side that a layer sees, an odd number", between(1, 1001));
  visit("stride", o.stride, "stride: each layer keeps one of this many positions", between(1, 1000));
  visit.alternatives("channel-attention", o.channel_attention,
                     "channel attention: learn after each layer how much each feature map counts, which heed predict "
                     "--attention and heed align show");
}

struct PatchVectors {
  static constexpr std::string_view kName = "patches";
  VectorForm form = {};
  GridPositionOptions grid = {};
  int64_t size = 4;  ///< vectors per patch; in a grid, per side of a patch
  bool operator==(const PatchVectors&) const = default;
};
void describe(PatchVectors& o, AnyOptionVisitor auto& visit) {
  describe(o.form, visit);
  describe(o.grid, visit);
  visit("patch", o.size, "patch size: vectors side by side that become one, of a grid in both directions",
        between(1, 1000));
}

struct VectorOptions {
  std::variant<NoVectors, ProjectedVectors, ConvolvedVectors, PatchVectors> type;
  bool operator==(const VectorOptions&) const = default;

  bool any() const { return !std::holds_alternative<NoVectors>(type); }
};
void describe(VectorOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("type", o.type,
                     "how vectors of the source become vectors of the model's width: each by a projection, by "
                     "convolutions with strides, or patches of them; none: the source is only text");
}

/// The form of the vectors; null if the source has no vectors.
VectorForm* form_of(VectorOptions& options);
const VectorForm* form_of(const VectorOptions& options);

/// The maximum number of rows or columns that have learned positions; absent: no limit.
std::optional<int64_t> longest_side(const VectorOptions& options);
/// Whether the convolutions use channel attention.
bool has_channel_attention(const VectorOptions& options);
/// The shape (rows and columns) after convolutions or patches shortened an item of this shape.
GridShape shape_left(const VectorOptions& options, const GridShape& shape);

/// The source vectors that an output position covers, in each direction. Position i covers the vectors from begin + i *
/// step to the begin of position i + 1. For convolutions this interval is centered in the receptive field.
struct PositionSpan {
  double step = 1;
  double begin = 0;  ///< in vectors; below 0: before the first vector
};
PositionSpan position_span(const VectorOptions& options);

/// Throws ConfigError if options do not fit each other or the model's width.
void validate(const VectorOptions& options, int64_t d_model);
/// Throws std::logic_error if the width or the form of the vectors is unknown.
void list_parameters(const VectorOptions& options, int64_t d_model, const ParameterList& list);

}  // namespace heed::models
