#include "heed_torch/interchange/common/model_size.h"

#include <variant>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::interchange {
namespace {

/// The numbers in the projections of a stack. attentions: per layer.
double numbers_of(const models::TransformerOptions& stack, double d_model, double attentions) {
  const double maps = attentions * 4 * d_model * d_model;
  return static_cast<double>(stack.layers) * (maps + 2 * d_model * static_cast<double>(stack.feed_forward.d_hidden));
}

}  // namespace

void require_numbers(const models::ArchitectureOptions& arch, int64_t rows, const ExternalTensors& tensors,
                     std::string_view description) {
  const auto d_model = static_cast<double>(arch.d_model);
  const double numbers = numbers_of(std::get<models::TransformerEncoderOptions>(arch.encoder.type).stack, d_model, 1) +
                         numbers_of(std::get<models::TransformerDecoderOptions>(arch.decoder.type).stack, d_model, 2) +
                         d_model * static_cast<double>(rows);
  if (numbers <= static_cast<double>(tensors.numbers())) return;
  throw CheckpointError(tensors.path(), fmt::format("has {} numbers, but {} a model of more than {:.0f}",
                                                    tensors.numbers(), description, numbers));
}

}  // namespace heed::interchange
