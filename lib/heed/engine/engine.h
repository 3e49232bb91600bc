// The inference engine: translates on a CPU without LibTorch. Weights are packed for matrix multiplication; encoders
// and decoders compute on plain rows of numbers. It reads the same files as the model of heed_torch/models and computes
// the same log-probabilities. To follow the papers, read heed_torch/models.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "heed/architecture/architecture.h"
#include "heed/engine/common/encoder_decoder.h"
#include "heed/engine/common/output.h"
#include "heed/engine/common/precision.h"
#include "heed/engine/common/weights.h"

namespace heed::engine {

class Engine {
 public:
  /// The part of a model that the engine does not support, for example "the encoder convolution"; absent: it runs the
  /// model.
  static std::optional<std::string> refuses(const models::ArchitectureOptions& options);

  /// path: of the file of parameters. threads: that pack the weights. Throws FileError or CheckpointError.
  Engine(const models::ArchitectureOptions& options, const models::VocabularySizes& sizes, const std::string& path,
         Precision precision, int64_t threads = 1);

  Precision precision() const { return precision_; }
  const Encoder* encoder() const { return encoder_.get(); }  ///< null for a language model
  const Decoder& decoder() const { return *decoder_; }
  const Output& output() const { return *output_; }
  bool has_attention() const { return has_attention_; }  ///< whether the decoder attends to the source
  /// The limits of the options (heed/architecture/architecture.h).
  std::optional<int64_t> max_source_length() const { return max_source_length_; }
  std::optional<int64_t> max_target_length() const { return max_target_length_; }

 private:
  Weights weights_;
  Precision precision_;
  bool has_attention_;
  std::optional<int64_t> max_source_length_, max_target_length_;
  std::unique_ptr<Encoder> encoder_;
  std::unique_ptr<Decoder> decoder_;
  std::unique_ptr<Output> output_;
};

}  // namespace heed::engine
