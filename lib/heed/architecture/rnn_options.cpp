#include "heed/architecture/rnn_options.h"

#include "heed/core/error.h"

namespace heed::models {

void validate(const RnnStackOptions& o, const std::string& section) {
  if (o.residual && o.layers == 1) throw ConfigError(section + ".residual", "has no effect with one layer");
}

void validate(const RnnEncoderOptions& o, int64_t) {
  validate(o.stack, "arch.encoder");
  if (o.direction == EncoderDirection::BothFirst && o.stack.layers == 1) {
    throw ConfigError("arch.encoder.direction", "both-first needs a second layer; with one layer say both");
  }
  if (o.direction == EncoderDirection::BothFirst && o.stack.layers == 2 && o.stack.residual) {
    throw ConfigError("arch.encoder.residual",
                      "has no effect with two layers if the first is bidirectional: the second is half as wide as its "
                      "input");
  }
}

MemoryShape memory_shape(const RnnEncoderOptions& o, int64_t) {
  MemoryShape shape{.cells = o.stack.cell == nn::CellKind::Lstm};
  for (int64_t layer = 0; layer < o.stack.layers; ++layer) {
    const bool both =
        o.direction == EncoderDirection::Both || (o.direction == EncoderDirection::BothFirst && layer == 0);
    shape.d_memory = both ? 2 * o.stack.hidden : o.stack.hidden;
    shape.last.push_back(shape.d_memory);
  }
  return shape;
}

}  // namespace heed::models
