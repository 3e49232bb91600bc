// A model: any encoder with any decoder or head, and the output layer that computes logits from hidden states.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <torch/nn/module.h>

#include "heed/architecture/vocabulary_sizes.h"
#include "heed_torch/models/common/decoder.h"
#include "heed_torch/models/common/encoder.h"
#include "heed_torch/models/heads/head.h"
#include "heed_torch/nn/output_layer.h"

namespace heed::models {

struct ArchitectureOptions;  // architecture.h includes all options; it is not included here, so that a changed option
                             // recompiles few files

class Model : public torch::nn::Module {
 public:
  /// Parameters have no values yet: see build_model. Throws ConfigError if encoder, decoder and head do not fit
  /// together.
  Model(const ArchitectureOptions& options, const VocabularySizes& sizes);

  /// Must not be called for a language model.
  Memory encode(const Source& source);
  /// Unnormalized log-probabilities. hidden: float [..., d] -> float [..., target vocabulary].
  Tensor logits(const Tensor& hidden);

  /// The limits of the options (heed/architecture/architecture.h).
  std::optional<int64_t> max_source_length() const;
  std::optional<int64_t> max_target_length() const;

  const ArchitectureOptions& options() const { return *options_; }
  const VocabularySizes& sizes() const { return sizes_; }

  std::shared_ptr<Encoder> encoder;  ///< null for a language model
  std::shared_ptr<Decoder> decoder;  ///< null if the model has a head
  std::shared_ptr<Head> head;        ///< null if the model has a decoder
  nn::OutputLayer output{nullptr};   ///< a loss needs its matrix() and bias

 private:
  std::shared_ptr<const ArchitectureOptions> options_;
  VocabularySizes sizes_;
};

/// Builds a model from options; no other function does. Throws ConfigError if encoder, decoder and head do not fit
/// together. Initial values depend only on (seed, parameter name).
std::shared_ptr<Model> build_model(const ArchitectureOptions& options, const VocabularySizes& sizes, uint64_t seed);

}  // namespace heed::models
