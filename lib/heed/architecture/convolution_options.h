// The convolutional encoder and decoder of Gehring et al. 2017 (https://arxiv.org/abs/1705.03122).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "heed/core/options.h"

namespace heed::models {

class Encoder;        // encoder.h
class ParameterList;  // parameter_list.h
class SourceReader;   // sources/source_reader.h

/// The options that encoder and decoder share.
struct ConvolutionStackOptions {
  int64_t layers = 4;        ///< layers in the stack
  int64_t hidden = 256;      ///< width of the layers; embeddings have the architecture's d_model
  int64_t kernel = 3;        ///< kernel size: positions that a layer sees at once
  int64_t max_length = 512;  ///< learned positions: the longest sentence in tokens, including eos (or bos)
  bool operator==(const ConvolutionStackOptions&) const = default;
};
void describe(ConvolutionStackOptions& o, AnyOptionVisitor auto& visit) {
  visit("layers", o.layers, "layers in the stack", between(1, 1000));
  visit("hidden", o.hidden, "width of the layers", between(1, 1e6));
  visit("kernel", o.kernel, "kernel size: positions that a layer sees at once; odd in an encoder", between(1, 1e6));
  visit("max-length", o.max_length, "learned positions: the longest sentence in tokens", between(1, 1e9));
}

struct ConvolutionEncoderOptions {
  static constexpr std::string_view kName = "convolution";
  ConvolutionStackOptions stack;
  bool operator==(const ConvolutionEncoderOptions&) const = default;
};
void describe(ConvolutionEncoderOptions& o, AnyOptionVisitor auto& visit) { describe(o.stack, visit); }
std::shared_ptr<Encoder> make_encoder(const ConvolutionEncoderOptions& options, double dropout,
                                      std::shared_ptr<SourceReader> source);
/// Throws ConfigError for options that do not fit each other. d_model is ignored.
void validate(const ConvolutionEncoderOptions& options, int64_t d_model);
inline std::optional<int64_t> max_length(const ConvolutionEncoderOptions& o) { return o.stack.max_length; }
void list_parameters(const ConvolutionEncoderOptions& options, int64_t d_model, const ParameterList& list);

struct ConvolutionDecoderOptions {
  static constexpr std::string_view kName = "convolution";
  ConvolutionStackOptions stack;
  bool operator==(const ConvolutionDecoderOptions&) const = default;
};
void describe(ConvolutionDecoderOptions& o, AnyOptionVisitor auto& visit) { describe(o.stack, visit); }
inline std::optional<int64_t> max_length(const ConvolutionDecoderOptions& o) { return o.stack.max_length; }
/// d_memory: width of the encoder output; 0: a language model.
void list_parameters(const ConvolutionDecoderOptions& options, int64_t d_model, int64_t d_memory,
                     const ParameterList& list);

}  // namespace heed::models
