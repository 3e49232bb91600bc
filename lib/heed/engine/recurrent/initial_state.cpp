#include "heed/engine/recurrent/initial_state.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "heed/kernels/row_kernels.h"

namespace heed::engine {
namespace {

void fill_with_zeros(Rows& rows, int64_t count, int64_t width) {
  rows.resize(count, width);
  std::fill_n(rows.data(), count * rows.distance(), 0.0f);
}

/// The mean state of each sentence's positions.
void mean_states(const Sources& sources, const Rows& states, Rows& means) {
  fill_with_zeros(means, sources.sentences(), states.width());
  for (int64_t i = 0; i < sources.sentences(); ++i) {
    const int64_t begin = sources.begins[static_cast<size_t>(i)], length = sources.length(i);
    float* mean = means.row(i);
    for (int64_t token = begin; token < begin + length; ++token) {
      for (int64_t k = 0; k < states.width(); ++k) mean[k] += states.row(token)[k];
    }
    for (int64_t k = 0; k < states.width(); ++k) mean[k] /= static_cast<float>(length);
  }
}

/// The last states of all layers, concatenated.
void last_states(const std::vector<LastState>& last, Rows LastState::* member, Rows& all) {
  int64_t width = 0;
  for (const LastState& layer : last) width += (layer.*member).width();
  all.resize((last.front().*member).count(), width);
  for (int64_t i = 0; i < all.count(); ++i) {
    float* to = all.row(i);
    for (const LastState& layer : last) to = std::copy_n((layer.*member).row(i), (layer.*member).width(), to);
  }
}

}  // namespace

InitialState::InitialState(const Weights& weights, const std::string& name, const models::RnnDecoderOptions& options,
                           Precision precision)
    : options_(options.initial_state),
      width_(options.stack.layers * options.stack.hidden),
      cells_(options.stack.cell == nn::CellKind::Lstm),
      precision_(precision),
      hidden_(read_linear(weights, name + ".hidden", precision)),
      cell_(read_linear(weights, name + ".cell", precision)) {}

void InitialState::map(const Rows& from, const Matrix& matrix, Rows& states) const {
  Operand operand(precision_);
  operand.take(from);
  matrix.multiply(operand, states);
  kernels::hyperbolic_tangent(states.data(), states.count() * states.distance());
}

void InitialState::make(const Sources& sources, const Memory* memory, States& states) const {
  if (std::holds_alternative<models::LastState>(options_)) {
    last_states(memory->last, &LastState::hidden, states.hidden);
    if (cells_) last_states(memory->last, &LastState::cell, states.cell);
    return;
  }
  if (hidden_.empty()) {
    fill_with_zeros(states.hidden, sources.sentences(), width_);
    if (cells_) fill_with_zeros(states.cell, sources.sentences(), width_);
    return;
  }
  const bool bridge = std::holds_alternative<models::BridgeState>(options_);
  Rows from;
  bridge ? last_states(memory->last, &LastState::hidden, from) : mean_states(sources, memory->states, from);
  map(from, hidden_, states.hidden);
  if (!cells_) return;
  if (bridge && memory->last.front().cell.count() > 0) last_states(memory->last, &LastState::cell, from);
  map(from, cell_, states.cell);
}

}  // namespace heed::engine
