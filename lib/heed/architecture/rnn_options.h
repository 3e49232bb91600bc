// The options of recurrent encoders and decoders. The defaults are those of Bahdanau et al. 2015
// (https://arxiv.org/abs/1409.0473) in smaller sizes; the presets rnn-* have the papers' systems.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "heed/architecture/cell_options.h"
#include "heed/architecture/memory_attention_options.h"
#include "heed/architecture/memory_shape.h"
#include "heed/core/options.h"

namespace heed::models {

class Encoder;       // encoder.h
class SourceReader;  // sources/source_reader.h

/// Which way the encoder's layers read.
enum class EncoderDirection {
  Forward,    ///< left to right
  Backward,   ///< right to left: the reversed source of Sutskever et al. 2014, section 3.3
  Both,       ///< every layer both ways, states side by side
  BothFirst,  ///< the first layer both ways, those above left to right (Wu et al. 2016, section 3.2)
};
constexpr auto option_names(EncoderDirection) {
  using Name = std::pair<EncoderDirection, std::string_view>;
  return std::array{Name{EncoderDirection::Forward, "forward"}, Name{EncoderDirection::Backward, "backward"},
                    Name{EncoderDirection::Both, "both"}, Name{EncoderDirection::BothFirst, "both-first"}};
}

/// What encoder and decoder have alike.
struct RnnStackOptions {
  nn::CellKind cell = nn::CellKind::Gru;
  int64_t layers = 1;       ///< one above the other
  int64_t hidden = 256;     ///< width of a cell's state, in each direction
  bool layer_norm = false;  ///< of the sums within the cells
  bool memory_tape =
      false;  ///< go on from a mixture of all states before, not from the last (heed_torch/nn/recurrent/memory_tape.h)
  bool residual = false;  ///< layers of equal width add their input, as it was before its dropout, to their output,
                          ///< from the second one on
  bool operator==(const RnnStackOptions&) const = default;
};
void describe(RnnStackOptions& o, AnyOptionVisitor auto& visit) {
  visit("cell", o.cell,
        "recurrent cell; gru-cho applies the reset gate before the product with U, gru (LibTorch's) after it");
  visit("layers", o.layers, "layers in the stack", between(1, 1000));
  visit("hidden", o.hidden, "width of a cell's state; an encoder's in each direction", between(1, 1e6));
  visit("layer-norm", o.layer_norm, "layer normalization within the cells");
  visit("memory-tape", o.memory_tape, "intra-attention: attend to the layer's own past states (Cheng et al. 2016)");
  visit("residual", o.residual, "residual connections from the second layer on, where widths agree");
}

/// Throws ConfigError for what has no effect. section: "arch.encoder", say.
void validate(const RnnStackOptions& options, const std::string& section);

struct RnnEncoderOptions {
  static constexpr std::string_view kName = "rnn";
  RnnStackOptions stack;
  EncoderDirection direction = EncoderDirection::Both;
  bool operator==(const RnnEncoderOptions&) const = default;
};
void describe(RnnEncoderOptions& o, AnyOptionVisitor auto& visit) {
  describe(o.stack, visit);
  visit("direction", o.direction,
        "reading direction: left to right (forward), right to left (backward: Sutskever's reversed source), "
        "bidirectional (both), or the first layer bidirectional and the others left to right (both-first: GNMT)");
}
std::shared_ptr<Encoder> make_encoder(const RnnEncoderOptions& options, double dropout,
                                      std::shared_ptr<SourceReader> source);
/// d_model: not looked at, here and in validate.
MemoryShape memory_shape(const RnnEncoderOptions& options, int64_t d_model);
void validate(const RnnEncoderOptions& options, int64_t d_model);

/// The decoder begins with zeros.
struct ZeroState {
  static constexpr std::string_view kName = "zero";
  bool operator==(const ZeroState&) const = default;
};
/// With the encoder's last states, layer by layer (Sutskever et al. 2014).
struct LastState {
  static constexpr std::string_view kName = "last";
  bool operator==(const LastState&) const = default;
};
/// With tanh(W m + b), m the mean of the source's states, for each layer (Sennrich et al. 2017, nematus).
struct MeanState {
  static constexpr std::string_view kName = "mean";
  bool operator==(const MeanState&) const = default;
};
/// With tanh(W h + b), h the last states of the encoder's layers side by side, for each layer (Bahdanau et al. 2015,
/// appendix A.2.2, take the backward state at the first word).
struct BridgeState {
  static constexpr std::string_view kName = "bridge";
  bool operator==(const BridgeState&) const = default;
};
template <class State>
  requires(std::same_as<State, ZeroState> || std::same_as<State, LastState> || std::same_as<State, MeanState> ||
           std::same_as<State, BridgeState>)
void describe(State&, AnyOptionVisitor auto&) {}
using InitialStateOptions = std::variant<MeanState, BridgeState, LastState, ZeroState>;

/// The source is known by the initial state alone (Sutskever et al. 2014, https://arxiv.org/abs/1409.3215).
struct NoMemoryAttention {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoMemoryAttention&) const = default;
};
void describe(NoMemoryAttention&, AnyOptionVisitor auto&) {}

/// Bahdanau et al. 2015: the state of the position before asks, and the context goes into the cell.
struct AttentionBeforeCell {
  static constexpr std::string_view kName = "before";
  nn::MemoryAttentionOptions attend;
  bool every_layer = false;  ///< the context also goes into the layers above the first (Wu et al. 2016, section 3)
  bool operator==(const AttentionBeforeCell&) const = default;
};
void describe(AttentionBeforeCell& o, AnyOptionVisitor auto& visit) {
  describe(o.attend, visit);
  visit("context-to-every-layer", o.every_layer, "feed the context into every layer, not the first alone");
}

/// Luong et al. 2015: the new state of the last layer asks, and the context goes into the readout.
struct AttentionAfterCell {
  static constexpr std::string_view kName = "after";
  nn::MemoryAttentionOptions attend;
  bool input_feeding = true;  ///< the readout goes into the first layer of the next position (section 3.3)
  bool operator==(const AttentionAfterCell&) const = default;
};
void describe(AttentionAfterCell& o, AnyOptionVisitor auto& visit) {
  describe(o.attend, visit);
  visit("input-feeding", o.input_feeding,
        "input feeding: the attentional vector is an input of the first layer at the next position");
}
using DecoderAttentionOptions = std::variant<AttentionBeforeCell, AttentionAfterCell, NoMemoryAttention>;

/// How it attends; null if it does not.
inline const nn::MemoryAttentionOptions* memory_attention_of(const DecoderAttentionOptions& attention) {
  if (const auto* before = std::get_if<AttentionBeforeCell>(&attention)) return &before->attend;
  if (const auto* after = std::get_if<AttentionAfterCell>(&attention)) return &after->attend;
  return nullptr;
}

/// What the output layer reads, of the last layer's state s, the context c and the embedding y of the word before.
struct StateReadout {
  static constexpr std::string_view kName = "state";  ///< s itself; needs the width of the model, and no attention
  bool operator==(const StateReadout&) const = default;
};
/// tanh(W [s; c] + b): the attentional vector of Luong et al. 2015, equation 5.
struct TanhReadout {
  static constexpr std::string_view kName = "tanh";
  bool operator==(const TanhReadout&) const = default;
};
/// The larger of each two of W [s; c; y] + b: the deep output of Bahdanau et al. 2015, appendix A.2.2 (Goodfellow et
/// al. 2013, https://arxiv.org/abs/1302.4389), of the state that has read y and c, as section 3.1 has it.
struct MaxoutReadout {
  static constexpr std::string_view kName = "maxout";
  bool operator==(const MaxoutReadout&) const = default;
};
template <class Readout>
  requires(std::same_as<Readout, StateReadout> || std::same_as<Readout, TanhReadout> ||
           std::same_as<Readout, MaxoutReadout>)
void describe(Readout&, AnyOptionVisitor auto&) {}
using ReadoutOptions = std::variant<MaxoutReadout, TanhReadout, StateReadout>;

struct RnnDecoderOptions {
  static constexpr std::string_view kName = "rnn";
  RnnStackOptions stack{.hidden = 512};
  InitialStateOptions initial_state;
  DecoderAttentionOptions attention;
  ReadoutOptions readout;
  bool operator==(const RnnDecoderOptions&) const = default;
};
void describe(RnnDecoderOptions& o, AnyOptionVisitor auto& visit) {
  describe(o.stack, visit);
  visit.alternatives("initial-state", o.initial_state,
                     "initial state of the decoder: tanh(W m + b) of the mean of the encoder's states "
                     "(mean) or of its last states (bridge), those last states themselves (last), or zeros");
  visit.alternatives(
      "attention", o.attention,
      "attention to the source: before the cell (Bahdanau et al. 2015), after it (Luong et al. 2015), or none");
  visit.alternatives("readout", o.readout,
                     "what the output layer reads: the larger of each two components of W [state; "
                     "context; last word] (maxout), tanh(W [state; context]), or the state itself");
}

}  // namespace heed::models
