#include "heed_torch/models/rnn/decoder.h"

#include <optional>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "heed_torch/nn/random/dropout.h"

namespace heed::models {
namespace {

/// [S, d] -> [S, beam, d], repeated for each beam.
Tensor for_beams(const Tensor& x, int64_t beam) {
  return x.defined() ? x.unsqueeze(1).expand({-1, beam, -1}).contiguous() : x;
}

/// The target positions 0, 1, ... of a float [S, target, ...]: int64 [1, target].
Tensor places_of(const Tensor& x) { return at::arange(x.size(1), x.options().dtype(at::kLong)).unsqueeze(0); }

}  // namespace

/// The decoder in one pass over the target.
class RnnDecoder::Pass {
 public:
  /// memory: null without attention.
  Pass(RnnDecoder& decoder, const nn::AttendedMemory* memory) : decoder_(decoder), readout_(*decoder.readout) {
    for (const auto& cell : *decoder.cells) cells_.emplace_back(*cell->as<nn::RecurrentCellImpl>());
    if (memory != nullptr) attention_.emplace(decoder.attention->begin(*memory));
  }

  /// Makes `at` the first position of the pass.
  RnnPosition begin(RnnPosition at) const {
    for (size_t i = 0; i < cells_.size(); ++i) at.layers[i] = cells_[i].first(at.layers[i]);
    return at;
  }

  /// The input of the readout from one position; rows are [S, R].
  struct Stepped {
    Tensor state;                  // float [S, R, d_hidden] of the last layer
    nn::AttentionResult attended;  // if attention is before the cell
  };

  /// Computes the first layer for one position. projected: the previous word, float [S, R, gates * d_hidden]; position:
  /// int64 [S or 1, 1].
  Stepped first_layer(const Tensor& projected, RnnPosition& at, const Tensor& position) const {
    Stepped made;
    Tensor extra = at.feed;
    if (decoder_.attends_before()) {
      made.attended = attend(at.layers.front().hidden, position, at.coverage);
      extra = made.attended.context;
    }
    at.layers.front() = cells_.front()(projected, at.layers.front(), extra);
    made.state = at.layers.front().hidden;
    return made;
  }

  /// Computes all layers for one position.
  Stepped step(const Tensor& projected, RnnPosition& at, const Tensor& position) const {
    Stepped made = first_layer(projected, at, position);
    for (size_t i = 1; i < cells_.size(); ++i) made.state = upper_layer(i, made, at);
    return made;
  }

  /// Attends, if the decoder has attention. state: float [S, R, d_hidden]; position: int64 [S or 1, R or 1].
  nn::AttentionResult attend(const Tensor& state, const Tensor& position, Tensor& coverage) const {
    return attention_ ? (*attention_)(state, position, coverage) : nn::AttentionResult{};
  }

  const ReadoutPass& readout() const { return readout_; }

 private:
  Tensor upper_layer(size_t i, const Stepped& below, RnnPosition& at) const {
    const Tensor x = nn::dropout(below.state, decoder_.dropout_, decoder_.is_training());
    const bool takes_context = (*decoder_.cells)[i]->as<nn::RecurrentCellImpl>()->options().d_extra > 0;
    at.layers[i] = cells_[i](cells_[i].input(x), at.layers[i], takes_context ? below.attended.context : Tensor());
    return decoder_.options_.stack.residual ? below.state + at.layers[i].hidden : at.layers[i].hidden;
  }

  RnnDecoder& decoder_;
  std::vector<nn::RecurrentCellPass> cells_;
  std::optional<nn::MemoryAttentionPass> attention_;
  ReadoutPass readout_;
};

RnnDecoder::RnnDecoder(const RnnDecoderOptions& options, double dropout, const MemoryShape& memory,
                       const nn::TokenEmbedding& target)
    : embedding(register_module("embedding", target)), options_(options), dropout_(dropout) {
  const int64_t d_model = embedding->options().d_model, d_context = context_width(options, memory);
  if (memory.d_memory > 0) initial_state = register_module("initial_state", InitialState(options, memory));
  register_module("cells", cells);
  for (const auto& cell : cells_of(options, d_model, memory)) cells->push_back(nn::RecurrentCell(cell));
  if (d_context > 0) {
    const nn::ScoreShape shape{.d_query = options.stack.hidden, .d_memory = d_context, .vocabulary = memory.vocabulary};
    attention = register_module("attention", nn::MemoryAttention(*memory_attention_of(options.attention), shape));
  }
  readout = register_module("readout", Readout(options.readout, options.stack.hidden, d_context, d_model));
}

RnnPosition RnnDecoder::first_position(const Memory* memory, int64_t beam, int64_t sentences) {
  RnnPosition at;
  const Tensor& like = memory ? memory->states : embedding->weight;
  const int64_t count = memory ? memory->sentences() : sentences;
  if (memory) {
    at.layers = initial_state(*memory);
  } else {
    for (const auto& cell : *cells) at.layers.push_back(cell->as<nn::RecurrentCellImpl>()->zero_state(count, like));
  }
  for (CellState& layer : at.layers) {
    layer = {.hidden = for_beams(layer.hidden, beam), .cell = for_beams(layer.cell, beam)};
  }
  if (attention) at.coverage = attention->no_coverage(memory->states, beam);
  if (feeds_readout(options_)) at.feed = at::zeros({count, beam, embedding->options().d_model}, like.options());
  return at;
}

std::vector<Tensor> RnnDecoder::project_steps(const Tensor& embedded) {
  const Tensor projected = (*cells)[0]->as<nn::RecurrentCellImpl>()->project(embedded.transpose(0, 1).contiguous());
  return projected.unsqueeze(2).unbind(0);
}

Decoded RnnDecoder::forward(const Tensor& target, const Memory* memory, RequestedOutputs want) {
  TORCH_CHECK(target.dim() == 2 && target.size(1) > 0, "`target` must be [S, target], found ", target.sizes());
  check_memory(memory, has_memory());
  const Tensor embedded = nn::dropout(embedding(target), dropout_, is_training());  // [S, target, d_model]
  const auto attended = attention ? std::optional(attend_to(*memory)) : std::nullopt;
  const Pass pass(*this, attended ? &*attended : nullptr);
  RnnPosition at = first_position(memory, 1, target.size(0));
  if (feeds_readout(options_)) return read_fed(pass, embedded, pass.begin(std::move(at)), want);
  if (attends_before()) return read_attending(pass, embedded, pass.begin(std::move(at)), want);
  return look_behind(pass, read_layers({.x = embedded}, at.layers), embedded, at, want);
}

Tensor RnnDecoder::read_layers(const LayersInput& input, std::vector<CellState>& states) {
  const auto one_row = [](const Tensor& x) { return x.defined() ? x.squeeze(1) : x; };
  const auto row_of_each = [](const Tensor& x) { return x.defined() ? x.unsqueeze(1) : x; };
  const auto by_step = [](const Tensor& x) { return x.defined() ? x.transpose(0, 1).contiguous() : x; };
  const Tensor context = by_step(input.context);
  Tensor x = by_step(input.x);  // [target, S, d_input]
  for (size_t i = input.first_layer; i < cells->size(); ++i) {
    auto& cell = *cells->ptr<nn::RecurrentCellImpl>(i);
    const Tensor dropped = i > 0 ? nn::dropout(x, dropout_, is_training()) : x;
    const CellState first{.hidden = one_row(states[i].hidden), .cell = one_row(states[i].cell)};
    const Tensor extra = cell.options().d_extra > 0 ? context : Tensor();
    const nn::RecurrentOutput read = nn::read_steps(cell, {.x = dropped, .extra = extra}, first);
    states[i] = {.hidden = row_of_each(read.last.hidden), .cell = row_of_each(read.last.cell)};
    x = options_.stack.residual && i > 0 ? x + read.states : read.states;
  }
  return x.transpose(0, 1);
}

Decoded RnnDecoder::look_behind(const Pass& pass, const Tensor& states, const Tensor& embedded, RnnPosition& at,
                                const RequestedOutputs& want) {
  const Tensor positions = places_of(states);
  nn::AttentionResult attended;
  if (attention && attention->remembers()) {
    std::vector<nn::AttentionResult> of_each;
    for (int64_t t = 0; t < states.size(1); ++t) {
      of_each.push_back(pass.attend(states.narrow(1, t, 1), positions.narrow(1, t, 1), at.coverage));
    }
    attended = nn::side_by_side(of_each);
  } else {
    attended = pass.attend(states, positions, at.coverage);
  }
  return finish(pass.readout()(states, attended.context, embedded), attended, want);
}

Decoded RnnDecoder::read_attending(const Pass& pass, const Tensor& embedded, RnnPosition at,
                                   const RequestedOutputs& want) {
  const std::vector<Tensor> by_step = project_steps(embedded);
  const Tensor positions = places_of(embedded);
  std::vector<Tensor> bottom;  // first layer's states of each position, [S, 1, d_hidden]
  std::vector<nn::AttentionResult> attended;
  for (int64_t t = 0; t < embedded.size(1); ++t) {
    const Pass::Stepped made = pass.first_layer(by_step[static_cast<size_t>(t)], at, positions.narrow(1, t, 1));
    bottom.push_back(made.state);
    attended.push_back(made.attended);
  }
  const nn::AttentionResult all_attended = nn::side_by_side(attended);
  const Tensor states =
      read_layers({.x = at::cat(bottom, 1), .first_layer = 1, .context = all_attended.context}, at.layers);
  return finish(pass.readout()(states, all_attended.context, embedded), all_attended, want);
}

Decoded RnnDecoder::read_fed(const Pass& pass, const Tensor& embedded, RnnPosition at, const RequestedOutputs& want) {
  const std::vector<Tensor> by_step = project_steps(embedded);
  const Tensor positions = places_of(embedded);
  std::vector<Tensor> readouts;  // of each position, [S, 1, d_model]
  std::vector<nn::AttentionResult> attended;
  for (int64_t t = 0; t < embedded.size(1); ++t) {
    const Tensor position = positions.narrow(1, t, 1);
    const Pass::Stepped made = pass.step(by_step[static_cast<size_t>(t)], at, position);
    attended.push_back(pass.attend(made.state, position, at.coverage));
    at.feed = pass.readout()(made.state, attended.back().context, embedded.narrow(1, t, 1));
    readouts.push_back(at.feed);
  }
  return finish(at::cat(readouts, 1), nn::side_by_side(attended), want);
}

nn::AttendedMemory RnnDecoder::attend_to(const Memory& memory) {
  return attention->attend_to(memory.states, memory.tokens, memory.mask);
}

std::unique_ptr<DecoderState> RnnDecoder::start(const Memory* memory, int64_t beam, int64_t sentences) {
  check_memory(memory, has_memory());
  auto state = std::make_unique<RnnState>();
  state->at = Pass(*this, nullptr).begin(first_position(memory, beam, sentences));
  const int64_t count = memory ? memory->sentences() : sentences;
  state->position = at::zeros({count}, embedding->weight.options().dtype(at::kLong));
  if (attention) state->memory = attend_to(*memory);
  return state;
}

Decoded RnnDecoder::step(const Tensor& tokens, DecoderState& state, RequestedOutputs want) {
  auto& remembered = dynamic_cast<RnnState&>(state);
  check_tokens(tokens, state);
  const Tensor embedded = nn::dropout(embedding(tokens), dropout_, is_training());  // [S, beam, d_model]
  const Pass pass(*this, attention ? &remembered.memory : nullptr);
  const Tensor position = state.position.unsqueeze(1);
  const Tensor projected = (*cells)[0]->as<nn::RecurrentCellImpl>()->project(embedded);
  Pass::Stepped made = pass.step(projected, remembered.at, position);
  if (!attends_before()) made.attended = pass.attend(made.state, position, remembered.at.coverage);
  const Tensor read = pass.readout()(made.state, made.attended.context, embedded);
  if (feeds_readout(options_)) remembered.at.feed = read;
  state.position = state.position + 1;
  return finish(read, made.attended, want);
}

Decoded RnnDecoder::read_on(const Tensor& target, std::vector<CellState>& carried) {
  TORCH_CHECK(target.dim() == 2 && target.size(1) > 0, "`target` must be [S, target], found ", target.sizes());
  TORCH_CHECK(reads_on(), "only a language model can read on");
  const Tensor embedded = nn::dropout(embedding(target), dropout_, is_training());  // [S, target, d_model]
  const Pass pass(*this, nullptr);
  RnnPosition at = first_position(nullptr, 1, target.size(0));
  for (size_t i = 0; i < carried.size(); ++i) {
    at.layers[i] = {.hidden = for_beams(carried[i].hidden, 1), .cell = for_beams(carried[i].cell, 1)};
  }
  const Tensor states = read_layers({.x = embedded}, at.layers);
  carried.clear();
  for (const CellState& layer : at.layers) {
    const auto ended = [](const Tensor& x) { return x.defined() ? x.squeeze(1).detach() : x; };
    carried.push_back({.hidden = ended(layer.hidden), .cell = ended(layer.cell)});
  }
  return finish(pass.readout()(states, {}, embedded), {}, {});
}

Decoded RnnDecoder::finish(const Tensor& readouts, const nn::AttentionResult& attended, const RequestedOutputs& want) {
  Decoded decoded{.hidden = nn::dropout(readouts, dropout_, is_training()),
                  .attention = {},
                  .all_attention = {},
                  .samples = attended.samples};
  if (!attended.weights.defined()) return decoded;
  if (want.attention) decoded.attention = attended.weights;
  if (want.all_attention) decoded.all_attention = {attended.weights.unsqueeze(1)};
  return decoded;
}

}  // namespace heed::models
