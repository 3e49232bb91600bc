#include "heed/architecture/convolution_options.h"

#include <fmt/format.h>

#include "heed/architecture/parameter_list.h"
#include "heed/core/error.h"

namespace heed::models {
namespace {

void list_stack(const ConvolutionStackOptions& o, int64_t d_model, const ParameterList& list) {
  list.tensor("positions.weight", {o.max_length, d_model});
  list.linear("input", d_model, o.hidden);
  list.linear("output", o.hidden, d_model);
}

void list_gated_convolution(const ConvolutionStackOptions& o, const ParameterList& list) {
  list.linear("map", o.kernel * o.hidden, 2 * o.hidden);
}

}  // namespace

void validate(const ConvolutionEncoderOptions& options, int64_t) {
  if (options.stack.kernel % 2 == 1) return;
  throw ConfigError("arch.encoder.kernel",
                    fmt::format("must be odd: as much on the left as on the right, found {}", options.stack.kernel));
}

void list_parameters(const ConvolutionEncoderOptions& o, int64_t d_model, const ParameterList& list) {
  list_stack(o.stack, d_model, list);
  for (int64_t i = 0; i < o.stack.layers; ++i) list_gated_convolution(o.stack, list.layer(i));
}

void list_parameters(const ConvolutionDecoderOptions& o, int64_t d_model, int64_t d_memory, const ParameterList& list) {
  list_stack(o.stack, d_model, list);
  if (d_memory > 0 && d_memory != d_model) list.linear("memory_map", d_memory, d_model);
  for (int64_t i = 0; i < o.stack.layers; ++i) {
    const ParameterList layer = list.layer(i);
    list_gated_convolution(o.stack, layer.module("convolution"));
    if (d_memory == 0) continue;
    layer.linear("query", o.stack.hidden, d_model);
    layer.linear("context", d_model, o.stack.hidden);
  }
}

}  // namespace heed::models
