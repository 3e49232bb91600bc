// Computes the encoder's input from a source's vectors. heed/architecture/source_options.h has the formulas.
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
  /// The channel attention weights of each layer, first layer first; empty without channel attention. Computes the
  /// layers again.
  std::vector<nn::ChannelWeights> channel_weights(const VectorGrid& vectors);
  /// mean, deviation: float [width], of the training file. The deviation of a constant number is 1.
  void set_statistics(const Tensor& mean, const Tensor& deviation);
  bool standardizes() const { return mean_.defined(); }
  void initialize(nn::Initializer& values) override;

 protected:
  /// values: float [S, rows, columns, width], zeros where padded -> vectors of width d_model. Convolutions and patches
  /// reduce their number; the result has the new shapes.
  virtual VectorGrid project(const VectorGrid& vectors) = 0;
  virtual std::vector<nn::ChannelWeights> weights_of_standardized(const VectorGrid& /*vectors*/) { return {}; }

 private:
  VectorGrid standardized(const VectorGrid& vectors) const;
  Tensor positions(const Tensor& values) const;

  GridPositionOptions grid_;
  Tensor mean_, deviation_;              // [width], buffers
  Tensor row_vectors_, column_vectors_;  // [longest side, d_model], for learned positions
};

/// Null without vectors. Throws std::logic_error if the width or the form of the vectors is unknown.
std::shared_ptr<VectorReader> make_vector_reader(const VectorOptions& options, int64_t d_model);

/// Which places of padded grids are real: bool [S, rows, columns] on the CPU.
Tensor real_places(const std::vector<GridShape>& shapes, int64_t rows, int64_t columns);

}  // namespace heed::models
