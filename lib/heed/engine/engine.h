// The fast road of inference: a model's weights packed for products, and encoders and decoders that work on plain rows
// of numbers, without LibTorch. It reads the same files as the model of models/, which stays the one to read beside the
// papers, and gives the same log-probabilities.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "heed/architecture/architecture.h"
#include "heed/engine/common/coders.h"
#include "heed/engine/common/output.h"
#include "heed/engine/common/precision.h"
#include "heed/engine/common/weights.h"

namespace heed::engine {

class Engine {
 public:
  /// What the engine does not take of a model, "the encoder convolution", say; absent: it takes it.
  static std::optional<std::string> refuses(const models::ArchitectureOptions& options);

  /// path: of the model's parameters. threads: that pack them. Throws FileError or CheckpointError.
  Engine(const models::ArchitectureOptions& options, const models::VocabularySizes& sizes, const std::string& path,
         Precision precision, int64_t threads = 1);

  Precision precision() const { return precision_; }
  const Encoder* encoder() const { return encoder_.get(); }  ///< null: a language model
  const Decoder& decoder() const { return *decoder_; }
  const Output& output() const { return *output_; }
  bool has_attention() const { return has_attention_; }  ///< to sources
  /// The longest source in tokens (eos counted) and target (bos counted), if there is a limit.
  std::optional<int64_t> max_source_length() const { return max_source_length_; }
  std::optional<int64_t> max_target_length() const { return max_target_length_; }

 private:
  Weights weights_;
  Precision precision_;
  bool has_attention_ = false;
  std::optional<int64_t> max_source_length_, max_target_length_;
  std::unique_ptr<Encoder> encoder_;
  std::unique_ptr<Decoder> decoder_;
  std::unique_ptr<Output> output_;
};

}  // namespace heed::engine
