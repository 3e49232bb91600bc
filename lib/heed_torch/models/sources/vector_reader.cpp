#include "heed_torch/models/sources/vector_reader.h"

#include <algorithm>
#include <utility>

#include <ATen/ATen.h>
#include <torch/nn/modules/container/modulelist.h>

#include "heed/core/error.h"
#include "heed_torch/nn/convolution.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/positions/positions.h"
#include "heed_torch/nn/transfer.h"

namespace heed::models {
namespace {

class VectorProjection : public VectorReader {
 public:
  VectorProjection(const ProjectedVectors& options, int64_t d_model)
      : VectorReader(options.form, options.grid, d_model),
        map(register_module("map", nn::Linear(nn::LinearOptions{.in = *options.form.width, .out = d_model}))) {}

  nn::Linear map;

 protected:
  VectorGrid project(const VectorGrid& vectors) override { return {map(vectors.values), vectors.shapes}; }
};

class ConvolutionReader : public VectorReader {
 public:
  ConvolutionReader(const ConvolvedVectors& options, int64_t d_model)
      : VectorReader(options.form, options.grid, d_model), options_(options) {
    register_module("layers", layers);
    register_module("channel_attention", attention);
    for (int64_t layer = 0; layer < options.layers; ++layer) {
      layers->push_back(
          nn::Convolution(nn::ConvolutionOptions{.in = layer == 0 ? *options.form.width : options.channels,
                                                 .out = options.channels,
                                                 .kernel = options.kernel,
                                                 .stride = options.stride,
                                                 .padding = options.kernel / 2,
                                                 .grid = *options.form.grid}));
      const auto made = nn::make_channel_attention(options.channel_attention, options.channels, *options.form.grid);
      if (made) attention->push_back(made);
    }
    map = register_module("map", nn::Linear(nn::LinearOptions{.in = options.channels, .out = d_model}));
  }

  torch::nn::ModuleList layers;
  torch::nn::ModuleList attention;  // one for each layer, or empty
  nn::Linear map{nullptr};

 protected:
  VectorGrid project(const VectorGrid& vectors) override {
    const VectorGrid maps = convolve(vectors, nullptr);
    return {map(maps.values), maps.shapes};
  }
  std::vector<nn::ChannelWeights> weights_of_standardized(const VectorGrid& vectors) override {
    std::vector<nn::ChannelWeights> weights;
    convolve(vectors, &weights);
    return weights;
  }

 private:
  /// The feature maps of the last layer: float [S, rows, columns, channels]. weights: receives the channel attention
  /// weights of each layer; null: not needed.
  VectorGrid convolve(const VectorGrid& vectors, std::vector<nn::ChannelWeights>* weights) {
    Tensor x = vectors.values.permute({0, 3, 1, 2});  // [S, width, rows, columns]
    ConvolvedVectors one = options_;
    one.layers = 1;
    std::vector<GridShape> shapes = vectors.shapes;
    for (size_t layer = 0; layer < layers->size(); ++layer) {
      x = at::relu(layers[layer]->as<nn::Convolution>()->forward(x));
      for (GridShape& shape : shapes) shape = shape_left({one}, shape);
      const Tensor real = nn::upload(real_places(shapes, x.size(2), x.size(3)), x.device());
      x = x * real.unsqueeze(1).to(x.scalar_type());  // padding back to zero: a bias makes it nonzero, and real
                                                      // neighbors would see it
      if (attention->is_empty()) continue;
      const auto attended = attention[layer]->as<nn::ChannelAttention>()->forward(x, real.unsqueeze(1));
      if (weights) weights->push_back(attended.weights);
      x = attended.maps;
    }
    return {x.permute({0, 2, 3, 1}), std::move(shapes)};
  }

  ConvolvedVectors options_;
};

class PatchReader : public VectorReader {
 public:
  PatchReader(const PatchVectors& options, int64_t d_model)
      : VectorReader(options.form, options.grid, d_model),
        options_(options),
        patch(register_module("patch", nn::Convolution(nn::ConvolutionOptions{.in = *options.form.width,
                                                                              .out = d_model,
                                                                              .kernel = options.size,
                                                                              .stride = options.size,
                                                                              .grid = *options.form.grid}))) {}

 protected:
  VectorGrid project(const VectorGrid& vectors) override {
    const int64_t rows = missing(*options_.form.grid ? vectors.values.size(1) : 0);
    const int64_t columns = missing(vectors.values.size(2));
    const Tensor whole = at::constant_pad_nd(vectors.values, {0, 0, 0, columns, 0, rows});
    std::vector<GridShape> shapes = vectors.shapes;
    for (GridShape& shape : shapes) shape = shape_left({options_}, shape);
    return {patch->forward(whole.permute({0, 3, 1, 2})).permute({0, 2, 3, 1}), std::move(shapes)};
  }

 private:
  /// The number of vectors missing for a whole number of patches.
  int64_t missing(int64_t side) const { return (options_.size - side % options_.size) % options_.size; }

  PatchVectors options_;

 public:
  nn::Convolution patch;
};

struct ReaderMaker {
  int64_t d_model;

  std::shared_ptr<VectorReader> operator()(const NoVectors&) const { return nullptr; }
  std::shared_ptr<VectorReader> operator()(const ProjectedVectors& options) const {
    return std::make_shared<VectorProjection>(options, d_model);
  }
  std::shared_ptr<VectorReader> operator()(const ConvolvedVectors& options) const {
    return std::make_shared<ConvolutionReader>(options, d_model);
  }
  std::shared_ptr<VectorReader> operator()(const PatchVectors& options) const {
    return std::make_shared<PatchReader>(options, d_model);
  }
};

/// The indices of each item's real vectors in its flattened grid, and which of these indices are real.
struct Flattened {
  Tensor places;  // int64 [S, longest]; undefined: all vectors are real, in order
  Tensor real;    // bool [S, longest]
};

Flattened flattened(const std::vector<GridShape>& shapes, int64_t rows, int64_t columns) {
  const auto items = static_cast<int64_t>(shapes.size());
  int64_t longest = 0;
  bool whole = true;
  for (const GridShape& shape : shapes) {
    longest = std::max(longest, shape.vectors());
    whole = whole && shape.rows == rows && shape.columns == columns;
  }
  Flattened found{.places = {}, .real = at::zeros({items, longest}, at::kBool)};
  for (int64_t item = 0; item < items; ++item) {
    found.real[item].slice(0, 0, shapes[static_cast<size_t>(item)].vectors()).fill_(true);
  }
  if (whole) return found;
  found.places = at::zeros({items, longest}, at::kLong);
  auto places = found.places.accessor<int64_t, 2>();
  for (int64_t item = 0; item < items; ++item) {
    const GridShape& shape = shapes[static_cast<size_t>(item)];
    for (int64_t i = 0; i < shape.vectors(); ++i) places[item][i] = i / shape.columns * columns + i % shape.columns;
  }
  return found;
}

}  // namespace

VectorReader::VectorReader(const VectorForm& form, const GridPositionOptions& grid, int64_t d_model) : grid_(grid) {
  check(form.width && form.grid, "the width and the form of vectors must be known");
  if (form.standardize) {
    mean_ = register_buffer("mean", at::zeros({*form.width}));
    deviation_ = register_buffer("deviation", at::ones({*form.width}));
  }
  if (grid.positions != GridPositions::Learned) return;
  row_vectors_ = register_parameter("rows", at::zeros({grid.longest_side, d_model}));
  column_vectors_ = register_parameter("columns", at::zeros({grid.longest_side, d_model}));
}

void VectorReader::initialize(nn::Initializer& values) {
  if (!row_vectors_.defined()) return;
  values.embedding("rows", row_vectors_);
  values.embedding("columns", column_vectors_);
}

void VectorReader::set_statistics(const Tensor& mean, const Tensor& deviation) {
  const at::NoGradGuard no_grad;
  mean_.copy_(mean);
  deviation_.copy_(at::where(deviation > 0, deviation, at::ones_like(deviation)));
}

SourceStates VectorReader::forward(const VectorGrid& vectors) {
  const VectorGrid grid = project(standardized(vectors));
  const Tensor states = (grid.values + positions(grid.values)).flatten(1, 2);  // [S, rows * columns, d_model]
  const Flattened flat = flattened(grid.shapes, grid.values.size(1), grid.values.size(2));
  const auto there = nn::upload({flat.places, flat.real}, states.device());
  const Tensor in_order =
      flat.places.defined() ? states.gather(1, there[0].unsqueeze(2).expand({-1, -1, states.size(2)})) : states;
  return {.states = in_order, .real = there[1], .tokens = there[1].to(at::kLong)};
}

std::vector<nn::ChannelWeights> VectorReader::channel_weights(const VectorGrid& vectors) {
  return weights_of_standardized(standardized(vectors));
}

VectorGrid VectorReader::standardized(const VectorGrid& vectors) const {
  if (!mean_.defined()) return vectors;
  const Tensor& values = vectors.values;
  const Tensor real = nn::upload(real_places(vectors.shapes, values.size(1), values.size(2)), mean_.device());
  return {(values - mean_) / deviation_ * real.unsqueeze(3).to(values.scalar_type()), vectors.shapes};
}

/// The positions that are added: [1, rows, columns, d_model].
Tensor VectorReader::positions(const Tensor& values) const {
  const int64_t rows = values.size(1), columns = values.size(2), width = values.size(3);
  if (grid_.positions == GridPositions::None) return at::zeros({1, 1, 1, 1}, values.options());
  if (grid_.positions == GridPositions::Learned) {
    TORCH_CHECK(std::max(rows, columns) <= grid_.longest_side, "a grid of more than arch.vectors.longest-side");
    return (row_vectors_.slice(0, 0, rows).unsqueeze(1) + column_vectors_.slice(0, 0, columns)).unsqueeze(0);
  }
  const auto side = [&](int64_t count) {
    const Tensor places = at::arange(count, values.options().dtype(at::kLong));
    return nn::sinusoidal_positions(places, width / 2, values.scalar_type());  // [count, width / 2]
  };
  const auto half = {rows, columns, width / 2};
  return at::cat({side(rows).unsqueeze(1).expand(half), side(columns).unsqueeze(0).expand(half)}, 2).unsqueeze(0);
}

std::shared_ptr<VectorReader> make_vector_reader(const VectorOptions& options, int64_t d_model) {
  return std::visit(ReaderMaker{d_model}, options.type);
}

Tensor real_places(const std::vector<GridShape>& shapes, int64_t rows, int64_t columns) {
  Tensor real = at::zeros({static_cast<int64_t>(shapes.size()), rows, columns}, at::kBool);
  for (size_t item = 0; item < shapes.size(); ++item) {
    const GridShape& shape = shapes[item];
    real[static_cast<int64_t>(item)].slice(0, 0, shape.rows).slice(1, 0, shape.columns).fill_(true);
  }
  return real;
}

}  // namespace heed::models
