#include "heed/models/memory_shape.h"

namespace heed::models {
namespace {

struct Shape {
  int64_t d_model;

  MemoryShape operator()(const TransformerEncoderOptions&) const { return {.d_memory = d_model}; }
  MemoryShape operator()(const ConvolutionEncoderOptions&) const { return {.d_memory = d_model}; }
  MemoryShape operator()(const NoEncoderOptions&) const { return {}; }
  MemoryShape operator()(const RnnEncoderOptions& o) const {
    MemoryShape shape{.cells = o.stack.cell == nn::CellKind::Lstm};
    for (int64_t layer = 0; layer < o.stack.layers; ++layer) {
      const bool both =
          o.direction == EncoderDirection::Both || (o.direction == EncoderDirection::BothFirst && layer == 0);
      shape.d_memory = both ? 2 * o.stack.hidden : o.stack.hidden;
      shape.last.push_back(shape.d_memory);
    }
    return shape;
  }
};

}  // namespace

MemoryShape memory_shape(const ArchitectureOptions& options) {
  return std::visit(Shape{options.d_model}, options.encoder.type);
}

}  // namespace heed::models
