// The interface of every encoder. An encoder is known by its options, an alternative of EncoderOptions
// (architecture.h). Beside describe(), as for all options, their header declares a function that makes it, and where
// the defaults do not hold, what a decoder finds in its memories and what it asks of its options:
//   std::shared_ptr<Encoder> make_encoder(const XEncoderOptions&, double dropout, const SourceEmbedding&);
//   MemoryShape memory_shape(const XEncoderOptions&, int64_t d_model);  // default: states of width d_model
//   void validate(const XEncoderOptions&, int64_t d_model);             // throws ConfigError; default: all is well
// That header is X/options.h. It and X/options.cpp are of heed::architecture and include no torch: Encoder and
// SourceEmbedding are but named there. make_encoder is defined beside the encoder.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <torch/nn/module.h>

#include "heed/models/memory.h"
#include "heed/nn/embedding.h"

namespace heed::models {

/// The table of source vectors. Borrowed: it belongs to another module, which registers it.
struct SourceEmbedding {
  nn::TokenEmbedding embedding;
  bool borrowed = false;
};

class Encoder : public torch::nn::Module {
 public:
  /// source: int64 [S, source], each row: ids, eos, padding (0). Padding never changes a real position's state.
  virtual Memory forward(const Tensor& source) = 0;
  /// The longest source in tokens (eos counted) that it can read, if there is a limit.
  virtual std::optional<int64_t> max_length() const { return std::nullopt; }
};

}  // namespace heed::models
