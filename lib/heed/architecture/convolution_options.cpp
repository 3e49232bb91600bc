#include "heed/architecture/convolution_options.h"

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::models {

void validate(const ConvolutionEncoderOptions& options, int64_t) {
  if (options.stack.kernel % 2 == 1) return;
  throw ConfigError("arch.encoder.kernel",
                    fmt::format("must be odd: as much on the left as on the right, found {}", options.stack.kernel));
}

}  // namespace heed::models
