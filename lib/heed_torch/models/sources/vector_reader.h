// Vectors of a source as an encoder reads them. The formulas are in options.h.
#pragma once

#include <memory>
#include <vector>

#include <torch/nn/module.h>

#include "heed/architecture/source_options.h"
#include "heed_torch/models/sources/source.h"
#include "heed_torch/nn/attention/channel_attention.h"
#include "heed_torch/nn/initialization.h"

namespace heed::models {

class VectorReader : public torch::nn::Module, public nn::Initialized {
 public:
  VectorReader(const VectorForm& form, const GridPositionOptions& grid, int64_t d_model);

  SourceStates forward(const VectorGrid& vectors);
  /// The weights of each layer's channel attention, the first layer's first; empty without it. Computes the layers
  /// again.
  std::vector<nn::ChannelWeights> channel_weights(const VectorGrid& vectors);
  /// mean, deviation: float [width], of the training file; a number that is always the same has deviation 1.
  void set_statistics(const Tensor& mean, const Tensor& deviation);
  bool standardizes() const { return mean_.defined(); }
  void initialize(nn::Initializer& values) override;

 protected:
  /// values: float [S, rows, columns, width] with zeros where padded -> as many of width d_model as are left, with
  /// their shapes.
  virtual VectorGrid project(const VectorGrid& vectors) = 0;
  virtual std::vector<nn::ChannelWeights> weights_of_standardized(const VectorGrid& /*vectors*/) { return {}; }

 private:
  VectorGrid standardized(const VectorGrid& vectors) const;
  Tensor positions(const Tensor& values) const;

  GridPositionOptions grid_;
  Tensor mean_, deviation_;              // [width], buffers
  Tensor row_vectors_, column_vectors_;  // [longest side, d_model], of learned positions
};

/// Null without vectors. Throws std::logic_error where the width or the form of the vectors is not known.
std::shared_ptr<VectorReader> make_vector_reader(const VectorOptions& options, int64_t d_model);

/// bool [S, rows, columns] on the CPU: which places of padded grids are real.
Tensor real_places(const std::vector<GridShape>& shapes, int64_t rows, int64_t columns);

}  // namespace heed::models
