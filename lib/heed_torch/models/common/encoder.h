// The interface of every encoder. An encoder is known by its options, an alternative of EncoderOptions
// (architecture.h). Beside describe(), as for all options, their header declares a function that makes it, and where
// the defaults do not hold, what a decoder finds in its memories and what it asks of its options:
//   std::shared_ptr<Encoder> make_encoder(const XEncoderOptions&, double dropout, std::shared_ptr<SourceReader>);
//   MemoryShape memory_shape(const XEncoderOptions&, int64_t d_model);  // default: states of width d_model
//   void validate(const XEncoderOptions&, int64_t d_model);             // throws ConfigError; default: all is well
// That header is X/options.h. It and X/options.cpp are of heed::architecture and include no torch: Encoder and
// SourceReader are but named there. make_encoder is defined beside the encoder.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <torch/nn/module.h>

#include "heed_torch/models/common/memory.h"
#include "heed_torch/models/sources/source_reader.h"

namespace heed::models {

class Encoder : public torch::nn::Module {
 public:
  /// The memory of S sources. Padding never changes a real position's state.
  Memory forward(const Source& source) { return encode(reader_->read(source)); }
  /// The longest source in tokens (eos counted) and vectors that it can read, if there is a limit.
  virtual std::optional<int64_t> max_length() const { return std::nullopt; }
  const SourceReader& reader() const { return *reader_; }

 protected:
  /// Registers what the reader has of its own, before anything else.
  explicit Encoder(std::shared_ptr<SourceReader> reader) : reader_(std::move(reader)) { reader_->register_in(*this); }
  virtual Memory encode(const SourceStates& source) = 0;

 private:
  std::shared_ptr<SourceReader> reader_;
};

}  // namespace heed::models
