#include "heed/architecture/source_options.h"

#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "heed/architecture/parameter_list.h"
#include "heed/core/error.h"

namespace heed::models {
namespace {

constexpr const char* kSection = "arch.vectors";

/// Changes both sides of a grid; a sequence keeps its one row.
template <class Change>
GridShape changed(const GridShape& shape, bool grid, Change change) {
  return {.rows = grid ? change(shape.rows) : shape.rows, .columns = change(shape.columns)};
}

int64_t rounded_up(int64_t count, int64_t by) { return (count + by - 1) / by; }

struct ShapeLeft {
  GridShape shape;

  GridShape operator()(const NoVectors&) const { return shape; }
  GridShape operator()(const ProjectedVectors&) const { return shape; }
  GridShape operator()(const ConvolvedVectors& o) const {
    GridShape left = shape;
    for (int64_t layer = 0; layer < o.layers; ++layer) {
      left = changed(left, o.form.grid.value_or(false), [&](int64_t side) { return rounded_up(side, o.stride); });
    }
    return left;
  }
  GridShape operator()(const PatchVectors& o) const {
    return changed(shape, o.form.grid.value_or(false), [&](int64_t side) { return rounded_up(side, o.size); });
  }
};

void validate_grid(const VectorForm& form, const GridPositionOptions& grid, int64_t d_model) {
  if (grid.positions == GridPositions::None) return;
  if (form.grid == false) {
    throw ConfigError(fmt::format("{}.grid-positions", kSection),
                      "must be none: the vectors form sequences, not rows and columns");
  }
  if (grid.positions == GridPositions::Sinusoidal && d_model % 4 != 0) {
    throw ConfigError(fmt::format("{}.grid-positions", kSection),
                      fmt::format("sinusoidal needs an arch.d-model that is a multiple of 4, found {}", d_model));
  }
}

void validate_convolutions(const ConvolvedVectors& options) {
  if (options.kernel % 2 == 0) {
    throw ConfigError(
        fmt::format("{}.kernel", kSection),
        fmt::format("must be odd, so that a position has as many on both sides, found {}", options.kernel));
  }
  const auto* network = nn::channel_network_of(options.channel_attention);
  if (network && options.channels % network->reduction != 0) {
    throw ConfigError(
        fmt::format("{}.channel-attention-reduction", kSection),
        fmt::format("must divide {}.channels ({}), found {}", kSection, options.channels, network->reduction));
  }
}

/// The parameters of a convolution: its kernel is square in a grid, and in a sequence has one row.
void list_convolution(const VectorForm& form, int64_t in, int64_t out, int64_t kernel, const ParameterList& list,
                      bool bias = true) {
  list.linear("map", in * kernel * (*form.grid ? kernel : 1), out, bias);
}

struct ParameterLister {
  int64_t d_model;
  const ParameterList& list;

  void operator()(const NoVectors&) const {}
  void operator()(const ProjectedVectors& o) const {
    list_all(o);
    list.linear("map", *o.form.width, d_model);
  }
  void operator()(const ConvolvedVectors& o) const {
    list_all(o);
    for (int64_t layer = 0; layer < o.layers; ++layer) {
      list_convolution(o.form, layer == 0 ? *o.form.width : o.channels, o.channels, o.kernel, list.layer(layer));
      list_channel_attention(o, list.module(fmt::format("channel_attention.{}", layer)));
    }
    list.linear("map", o.channels, d_model);
  }
  void operator()(const PatchVectors& o) const {
    list_all(o);
    list_convolution(o.form, *o.form.width, d_model, o.size, list.module("patch"));
  }

 private:
  /// Lists the statistics of the vectors and their positions.
  template <class Vectors>
  void list_all(const Vectors& o) const {
    check(o.form.width && o.form.grid, "the width and the form of vectors must be known");
    if (o.form.standardize) {
      for (const char* name : {"mean", "deviation"}) list.tensor(name, {*o.form.width});
    }
    if (o.grid.positions != GridPositions::Learned) return;
    for (const char* name : {"rows", "columns"}) list.tensor(name, {o.grid.longest_side, d_model});
  }
  static void list_channel_attention(const ConvolvedVectors& o, const ParameterList& list) {
    const auto* network = nn::channel_network_of(o.channel_attention);
    if (network == nullptr) return;
    list.linear("reduce", o.channels, o.channels / network->reduction, false);
    list.linear("expand", o.channels / network->reduction, o.channels, false);
    if (!std::holds_alternative<nn::Cbam>(o.channel_attention)) return;
    list_convolution(o.form, 2, 1, nn::Cbam::kSpatialKernel, list.module("spatial"), false);
  }
};

}  // namespace

VectorForm* form_of(VectorOptions& options) {
  const auto find = []<class Type>(Type& type) -> VectorForm* {
    if constexpr (requires { type.form; }) {
      return &type.form;
    } else {
      return nullptr;
    }
  };
  return std::visit(find, options.type);
}
const VectorForm* form_of(const VectorOptions& options) {
  return form_of(const_cast<VectorOptions&>(options));
}  // NOLINT

std::optional<int64_t> longest_side(const VectorOptions& options) {
  const auto find = []<class Type>(const Type& type) -> std::optional<int64_t> {
    if constexpr (requires { type.grid; }) {
      if (type.grid.positions == GridPositions::Learned) return type.grid.longest_side;
    }
    return std::nullopt;
  };
  return std::visit(find, options.type);
}

bool has_channel_attention(const VectorOptions& options) {
  const auto* convolved = std::get_if<ConvolvedVectors>(&options.type);
  return convolved && nn::channel_network_of(convolved->channel_attention);
}

GridShape shape_left(const VectorOptions& options, const GridShape& shape) {
  return std::visit(ShapeLeft{shape}, options.type);
}

PositionSpan position_span(const VectorOptions& options) {
  if (const auto* patches = std::get_if<PatchVectors>(&options.type)) {
    return {.step = static_cast<double>(patches->size), .begin = 0};
  }
  const auto* convolved = std::get_if<ConvolvedVectors>(&options.type);
  if (!convolved) return {};
  // Each layer pads kernel / 2 on both sides, so the center of position i is vector i * step.
  const double step = std::pow(static_cast<double>(convolved->stride), static_cast<double>(convolved->layers));
  return {.step = step, .begin = (1 - step) / 2};
}

void validate(const VectorOptions& options, int64_t d_model) {
  const auto validate_type = [&]<class Type>(const Type& type) {
    if constexpr (requires { type.grid; }) validate_grid(type.form, type.grid, d_model);
  };
  std::visit(validate_type, options.type);
  if (const auto* convolved = std::get_if<ConvolvedVectors>(&options.type)) validate_convolutions(*convolved);
}

void list_parameters(const VectorOptions& options, int64_t d_model, const ParameterList& list) {
  std::visit(ParameterLister{d_model, list}, options.type);
}

}  // namespace heed::models
