// How vectors of a source, such as regions of pictures, frames of sound, pixels or a series, become vectors of the
// model's width, which any encoder reads. x is a vector as it stands in the file, standardized if that is asked for.
//   projection   x W + b each
//   convolution  layers of y = relu(W * x + b) with kernel k and stride s, in both directions for grids, then a
//                projection: each layer leaves one vector of s, of a grid one of s * s. Channel attention
//                (heed_torch/nn/attention/channel_attention.h) can follow the ReLU of each layer, where Hu et al. 2018
//                put it in networks without residual connections (section 3.3)
//   patches      a projection of p vectors side by side, of a grid of p * p: frames are stacked, a picture is cut into
//                patches (Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929, section 3.1)
// Where a vector stands in a grid (its row r and column c, after that) can be added to it:
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

enum class GridPositions { None, Sinusoidal, Learned };
constexpr auto option_names(GridPositions) {
  using Name = std::pair<GridPositions, std::string_view>;
  return std::array{Name{GridPositions::None, "none"}, Name{GridPositions::Sinusoidal, "sinusoidal"},
                    Name{GridPositions::Learned, "learned"}};
}

/// What the vectors are; absent values are those of the training file.
struct VectorForm {
  std::optional<int64_t> width{};  ///< numbers of a vector
  std::optional<bool> grid{};      ///< whether they stand in rows and columns
  bool standardize = true;         ///< each number minus its mean, over its standard deviation, of the training file
  bool operator==(const VectorForm&) const = default;
};
void describe(VectorForm& o, AnyOptionVisitor auto& visit) {
  visit("width", o.width, "numbers of a vector; none: as the training file has them", between(1, 1e6));
  visit("grid", o.grid, "whether vectors stand in rows and columns, as pixels do; none: as in the training file");
  visit("standardize", o.standardize,
        "subtract from each number of a vector its mean, and divide by its standard deviation, of the training file");
}

/// Where a vector stands in its grid.
struct GridPositionOptions {
  GridPositions positions = GridPositions::None;
  int64_t longest_side = 64;  ///< of learned positions: rows or columns, whichever are more
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
  int64_t channels = 64;  ///< width between the layers
  int64_t kernel = 3;     ///< odd
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
  visit("stride", o.stride, "stride: one of so many positions is left by each layer", between(1, 1000));
  visit.alternatives("channel-attention", o.channel_attention,
                     "channel attention: learn after each layer how much each feature map counts, which heed predict "
                     "--attention and heed align show");
}

struct PatchVectors {
  static constexpr std::string_view kName = "patches";
  VectorForm form = {};
  GridPositionOptions grid = {};
  int64_t size = 4;  ///< vectors side by side; of a grid in both directions
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
                     "convolutions with strides, or patches of them; none: the source is text alone");
}

/// Null: there are none.
VectorForm* form_of(VectorOptions& options);
const VectorForm* form_of(const VectorOptions& options);

/// The most rows or columns that there are positions for, if there is a limit.
std::optional<int64_t> longest_side(const VectorOptions& options);
/// Whether convolutions weight their feature maps.
bool has_channel_attention(const VectorOptions& options);
/// How many vectors are left of an item, and how they stand.
GridShape shape_left(const VectorOptions& options, const GridShape& shape);

/// What the positions that are left stand for, in the direction of a sequence or in both of a grid: position i for the
/// vectors from begin + i * step on, up to where the next one's begin. The middle of what convolutions see lies there.
struct PositionSpan {
  double step = 1;
  double begin = 0;  ///< in vectors; below 0: before the first one
};
PositionSpan position_span(const VectorOptions& options);

/// Throws ConfigError where options do not fit each other or the model's width.
void validate(const VectorOptions& options, int64_t d_model);

}  // namespace heed::models
