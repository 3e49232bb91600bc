#include "heed/architecture/rnn_options.h"

#include <numeric>

#include "heed/architecture/norm_options.h"
#include "heed/architecture/parameter_list.h"
#include "heed/core/error.h"

namespace heed::models {
namespace {

nn::Direction direction_of(EncoderDirection direction, int64_t layer) {
  switch (direction) {
    case EncoderDirection::Both:
      return nn::Direction::Both;
    case EncoderDirection::Backward:
      return nn::Direction::Backward;
    case EncoderDirection::BothFirst:
      return layer == 0 ? nn::Direction::Both : nn::Direction::Forward;
    case EncoderDirection::Forward:
      break;
  }
  return nn::Direction::Forward;
}

nn::RecurrentCellOptions cell_of(const RnnStackOptions& stack, int64_t d_input) {
  return {.d_input = d_input,
          .d_hidden = stack.hidden,
          .kind = stack.cell,
          .memory_tape = stack.memory_tape,
          .layer_norm = stack.layer_norm};
}

void list_cell(const nn::RecurrentCellOptions& cell, const ParameterList& list) {
  const int64_t d = cell.d_hidden, gates = nn::gates_of(cell.kind) * d;
  list.linear("input", cell.d_input, cell.memory_tape ? gates + d : gates, !cell.layer_norm);
  list.linear("recurrent", d, gates, cell.kind == nn::CellKind::Gru && !cell.layer_norm);
  if (cell.d_extra > 0) list.linear("extra", cell.d_extra, gates, false);
  if (cell.memory_tape) {
    const ParameterList tape = list.module("tape");
    for (const char* name : {"key", "recall"}) tape.linear(name, d, d, false);
    tape.tensor("vector", {1, d});
  }
  if (!cell.layer_norm) return;
  const bool apart = cell.kind == nn::CellKind::GruCho;  // the candidate is multiplied separately
  list.norm("input_norm", {.d_model = gates});
  list.norm("recurrent_norm", {.d_model = apart ? gates - d : gates});
  if (apart) list.norm("candidate_norm", {.d_model = d});
  if (cell.d_extra > 0) list.norm("extra_norm", {.d_model = gates});
  if (cell.kind == nn::CellKind::Lstm) list.norm("cell_norm", {.d_model = d});
}

void list_coverage(const nn::CoverageOptions& coverage, const nn::ScoreShape& shape, const ParameterList& list) {
  const int64_t width = shape.d_coverage;
  const bool neural = std::holds_alternative<nn::NeuralCoverage>(coverage);
  list.linear("source", shape.d_memory, width, neural);
  if (!neural) return;
  list.linear("step", width + 1, width, false);
  list.linear("query", shape.d_query, width, false);
}

void list_attention(const nn::MemoryAttentionOptions& attention, nn::ScoreShape shape, const ParameterList& list) {
  shape.d_coverage = nn::width_of(attention.coverage);
  const auto list_score = [&](const auto& score) {
    if constexpr (requires { list_parameters(score, shape, list); }) {
      list_parameters(score, shape, list.module("score"));
    }
  };
  std::visit(list_score, attention.score);
  if (shape.d_coverage > 0) list_coverage(attention.coverage, shape, list.module("coverage"));
  if (std::holds_alternative<nn::HardAttention>(attention.function)) list.linear("baseline", shape.d_query, 1);
  if (!std::holds_alternative<nn::PredictedWindow>(attention.window)) return;
  list.linear("predict_hidden", shape.d_query, shape.d_query, false);
  list.linear("predict_middle", shape.d_query, 1, false);
}

}  // namespace

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

std::vector<RnnEncoderLayer> layers_of(const RnnEncoderOptions& o, int64_t d_model) {
  std::vector<RnnEncoderLayer> layers;
  int64_t width = d_model;
  for (int64_t i = 0; i < o.stack.layers; ++i) {
    const nn::RecurrentLayerOptions layer{.cell = cell_of(o.stack, width), .direction = direction_of(o.direction, i)};
    layers.push_back({.recurrent = layer, .residual = o.stack.residual && i > 0 && layer.d_output() == width});
    width = layer.d_output();
  }
  return layers;
}

MemoryShape memory_shape(const RnnEncoderOptions& o, int64_t d_model) {
  MemoryShape shape{.cells = o.stack.cell == nn::CellKind::Lstm};
  for (const RnnEncoderLayer& layer : layers_of(o, d_model)) shape.last.push_back(layer.recurrent.d_output());
  shape.d_memory = shape.last.back();
  return shape;
}

void list_parameters(const RnnEncoderOptions& o, int64_t d_model, const ParameterList& list) {
  const auto layers = layers_of(o, d_model);
  for (size_t i = 0; i < layers.size(); ++i) {
    const auto& [cell, direction] = layers[i].recurrent;
    const ParameterList layer = list.layer(static_cast<int64_t>(i));
    if (direction != nn::Direction::Backward) list_cell(cell, layer.module("forward_cell"));
    if (direction != nn::Direction::Forward) list_cell(cell, layer.module("backward_cell"));
  }
}

bool feeds_readout(const RnnDecoderOptions& o) {
  const auto* after = std::get_if<AttentionAfterCell>(&o.attention);
  return after != nullptr && after->input_feeding;
}

int64_t context_width(const RnnDecoderOptions& o, const MemoryShape& memory) {
  return memory_attention_of(o.attention) == nullptr ? 0 : memory.d_memory;
}

std::vector<nn::RecurrentCellOptions> cells_of(const RnnDecoderOptions& o, int64_t d_model, const MemoryShape& memory) {
  const auto* before = std::get_if<AttentionBeforeCell>(&o.attention);
  std::vector<nn::RecurrentCellOptions> cells;
  for (int64_t i = 0; i < o.stack.layers; ++i) {
    nn::RecurrentCellOptions& cell = cells.emplace_back(cell_of(o.stack, i == 0 ? d_model : o.stack.hidden));
    if (before != nullptr && (i == 0 || before->every_layer)) cell.d_extra = context_width(o, memory);
    if (feeds_readout(o) && i == 0) cell.d_extra = d_model;
  }
  return cells;
}

int64_t initial_state_input(const RnnDecoderOptions& o, const MemoryShape& memory) {
  if (std::holds_alternative<MeanState>(o.initial_state)) return memory.d_memory;
  if (!std::holds_alternative<BridgeState>(o.initial_state)) return 0;
  return std::accumulate(memory.last.begin(), memory.last.end(), int64_t{0});
}

void list_parameters(const RnnDecoderOptions& o, int64_t d_model, const MemoryShape& memory,
                     const ParameterList& list) {
  const int64_t hidden = o.stack.hidden, d_context = context_width(o, memory);
  if (const int64_t in = initial_state_input(o, memory); in > 0) {
    list.linear("initial_state.hidden", in, o.stack.layers * hidden);
    if (o.stack.cell == nn::CellKind::Lstm) list.linear("initial_state.cell", in, o.stack.layers * hidden);
  }
  const auto cells = cells_of(o, d_model, memory);
  for (size_t i = 0; i < cells.size(); ++i) list_cell(cells[i], list.module("cells." + std::to_string(i)));
  if (d_context > 0) {
    const nn::ScoreShape shape{.d_query = hidden, .d_memory = d_context, .vocabulary = memory.vocabulary};
    list_attention(*memory_attention_of(o.attention), shape, list.module("attention"));
  }
  if (std::holds_alternative<TanhReadout>(o.readout)) list.linear("readout.map", hidden + d_context, d_model);
  if (std::holds_alternative<MaxoutReadout>(o.readout)) {
    list.linear("readout.map", hidden + d_context + d_model, 2 * d_model);
  }
}

}  // namespace heed::models
