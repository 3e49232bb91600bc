// A model: any encoder with any decoder or head, and the output layer that turns hidden states into logits.
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

struct ArchitectureOptions;  // architecture.h, which has the options of every part: a change of one concerns few files

class Model : public torch::nn::Module {
 public:
  /// Parameters have no values yet: see build_model. Throws ConfigError when parts do not fit.
  Model(const ArchitectureOptions& options, const VocabularySizes& sizes);

  /// Must not be called on a language model.
  Memory encode(const Source& source);
  /// The log-probabilities' raw form. hidden: float [..., d] -> float [..., target vocabulary].
  Tensor logits(const Tensor& hidden);

  /// The longest source in tokens (eos counted) and vectors, and target (bos counted), if there is a limit (learned
  /// positions).
  std::optional<int64_t> max_source_length() const;
  std::optional<int64_t> max_target_length() const;

  const ArchitectureOptions& options() const { return *options_; }
  const VocabularySizes& sizes() const { return sizes_; }

  std::shared_ptr<Encoder> encoder;  ///< null for a language model
  std::shared_ptr<Decoder> decoder;  ///< null where a head stands on the encoder
  std::shared_ptr<Head> head;        ///< null where a decoder writes text
  nn::OutputLayer output{nullptr};   ///< its matrix() and bias are what a loss needs

 private:
  std::shared_ptr<const ArchitectureOptions> options_;
  VocabularySizes sizes_;
};

/// The one place that turns options into modules. Throws ConfigError when parts do not fit.
/// Initial values depend on (seed, parameter name) only.
std::shared_ptr<Model> build_model(const ArchitectureOptions& options, const VocabularySizes& sizes, uint64_t seed);

}  // namespace heed::models
