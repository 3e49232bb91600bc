// What the convolutional encoder and decoder (models/convolution) share: embeddings with learned positions, projections
// to the layers' width and back, and gated convolutions (heed_torch/nn/gated_convolution.h),
//   [a; b]_t = W [x_{t-l}; ...; x_{t-l+k-1}] + c,    y_t = a_t * sigmoid(b_t)
#pragma once

#include <cstdint>
#include <string>

#include "heed/architecture/convolution_options.h"
#include "heed/engine/common/embedding.h"
#include "heed/engine/common/matrix.h"

namespace heed::engine {

constexpr float kSqrtHalf = 0.70710678118654752f;  ///< keeps the variance of a sum of two terms

struct ConvolutionStack {
  /// name: prefix of its parameters, "encoder" or "decoder".
  ConvolutionStack(const Weights& weights, const models::ConvolutionStackOptions& options, const EmbeddingTable& table,
                   const std::string& name, Precision precision);

  int64_t d_model() const { return embedding.weight.columns; }
  /// Writes the embedding of a token at a position to x, [d_model].
  void embed(int32_t token, int64_t position, float* x) const;

  models::ConvolutionStackOptions options;
  Precision precision;
  EmbeddingTable embedding;
  Weight positions;
  Matrix input, output;
};

class GatedConvolution {
 public:
  GatedConvolution(const Weights& weights, const std::string& name, Precision precision);
  /// windows: the concatenated positions that each row sees, [rows, kernel * hidden] -> y: [rows, hidden].
  void operator()(const Rows& windows, Operand& operand, Rows& y) const;

 private:
  Matrix map_;
};

/// x = (x + y) sqrt(1/2). Both have the same shape.
void add_scaled_residual(Rows& x, const Rows& y);

}  // namespace heed::engine
