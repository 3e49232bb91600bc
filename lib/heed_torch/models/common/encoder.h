// The interface of all encoders. The options of an encoder identify it; they are an alternative of EncoderOptions
// (architecture.h). In addition to describe(), which all options have, the options' header declares a function that
// makes the encoder. Four more functions are needed only if their defaults are wrong:
//   std::shared_ptr<Encoder> make_encoder(const XEncoderOptions&, double dropout, std::shared_ptr<SourceReader>);
//   MemoryShape memory_shape(const XEncoderOptions&, int64_t d_model);  // default: states of width d_model
//   void validate(const XEncoderOptions&, int64_t d_model);             // throws ConfigError; default: accepts all
//   std::optional<int64_t> max_length(const XEncoderOptions&);          // longest source; default: no limit
//   void list_parameters(const XEncoderOptions&, int64_t d_model, const ParameterList&);  // default: it learns nothing
// That header is X_options.h in heed/architecture. It includes no torch and only declares Encoder and SourceReader.
// make_encoder is defined next to the encoder.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include <torch/nn/module.h>

#include "heed_torch/models/common/memory.h"
#include "heed_torch/models/sources/source_reader.h"

namespace heed::models {

class Encoder : public torch::nn::Module {
 public:
  /// The encoder output for S sources. Padding never changes the state of a real position.
  Memory forward(const Source& source) { return encode(reader_->read(source)); }
  const SourceReader& reader() const { return *reader_; }

 protected:
  /// Registers the reader's own modules first.
  explicit Encoder(std::shared_ptr<SourceReader> reader) : reader_(std::move(reader)) { reader_->register_in(*this); }
  virtual Memory encode(const SourceStates& source) = 0;

 private:
  std::shared_ptr<SourceReader> reader_;
};

}  // namespace heed::models
