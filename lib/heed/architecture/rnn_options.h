// The options of recurrent encoders and decoders. The defaults are those of Bahdanau et al. 2015
// (https://arxiv.org/abs/1409.0473) in smaller sizes. The presets rnn-* are the systems of the papers.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heed/architecture/cell_options.h"
#include "heed/architecture/memory_attention_options.h"
#include "heed/architecture/memory_shape.h"
#include "heed/core/options.h"

namespace heed::models {

class Encoder;        // encoder.h
class ParameterList;  // parameter_list.h
class SourceReader;   // sources/source_reader.h

/// The direction in which the encoder's layers read.
enum class EncoderDirection {
  Forward,    ///< left to right
  Backward,   ///< right to left: the reversed source of Sutskever et al. 2014, section 3.3
  Both,       ///< every layer in both directions, states concatenated
  BothFirst,  ///< the first layer in both directions, the others left to right (Wu et al. 2016, section 3.2)
};
constexpr auto option_names(EncoderDirection) {
  using Name = std::pair<EncoderDirection, std::string_view>;
  return std::array{Name{EncoderDirection::Forward, "forward"}, Name{EncoderDirection::Backward, "backward"},
                    Name{EncoderDirection::Both, "both"}, Name{EncoderDirection::BothFirst, "both-first"}};
}

/// The options that encoder and decoder share.
struct RnnStackOptions {
  nn::CellKind cell = nn::CellKind::Gru;
  int64_t layers = 1;       ///< layers in the stack
  int64_t hidden = 256;     ///< width of a cell's state, in each direction
  bool layer_norm = false;  ///< layer normalization of the sums within the cells
  bool memory_tape =
      false;  ///< read a mixture of all earlier states, not the last state (heed_torch/nn/recurrent/memory_tape.h)
  bool residual = false;  ///< from the second layer on, a layer adds its input (before dropout) to its output; both
                          ///< must have the same width
  bool operator==(const RnnStackOptions&) const = default;
};
void describe(RnnStackOptions& o, AnyOptionVisitor auto& visit) {
  visit("cell", o.cell,
        "recurrent cell; gru-cho applies the reset gate before the multiplication by U, gru (LibTorch's) after it");
  visit("layers", o.layers, "layers in the stack", between(1, 1000));
  visit("hidden", o.hidden, "width of a cell's state; an encoder's in each direction", between(1, 1e6));
  visit("layer-norm", o.layer_norm, "layer normalization within the cells");
  visit("memory-tape", o.memory_tape, "intra-attention: attend to the layer's own past states (Cheng et al. 2016)");
  visit("residual", o.residual, "residual connections from the second layer on, where widths agree");
}

/// Throws ConfigError for options without effect. section: for messages, such as "arch.encoder".
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
/// A layer of the encoder.
struct RnnEncoderLayer {
  nn::RecurrentLayerOptions recurrent;
  bool residual;  ///< whether the layer's input is added to its output
};
/// The layers, first layer first. d_model: width of the embeddings.
std::vector<RnnEncoderLayer> layers_of(const RnnEncoderOptions& options, int64_t d_model);
MemoryShape memory_shape(const RnnEncoderOptions& options, int64_t d_model);
/// d_model is ignored.
void validate(const RnnEncoderOptions& options, int64_t d_model);
void list_parameters(const RnnEncoderOptions& options, int64_t d_model, const ParameterList& list);

/// The decoder starts with zeros.
struct ZeroState {
  static constexpr std::string_view kName = "zero";
  bool operator==(const ZeroState&) const = default;
};
/// The decoder starts with the encoder's last states, layer by layer (Sutskever et al. 2014).
struct LastState {
  static constexpr std::string_view kName = "last";
  bool operator==(const LastState&) const = default;
};
/// Each decoder layer starts with tanh(W m + b), where m is the mean of the source's states (Sennrich et al. 2017,
/// nematus).
struct MeanState {
  static constexpr std::string_view kName = "mean";
  bool operator==(const MeanState&) const = default;
};
/// Each decoder layer starts with tanh(W h + b), where h is the concatenation of the last states of all encoder layers.
/// (Bahdanau et al. 2015, appendix A.2.2, use the backward state at the first word.)
struct BridgeState {
  static constexpr std::string_view kName = "bridge";
  bool operator==(const BridgeState&) const = default;
};
template <class State>
  requires(std::same_as<State, ZeroState> || std::same_as<State, LastState> || std::same_as<State, MeanState> ||
           std::same_as<State, BridgeState>)
void describe(State&, AnyOptionVisitor auto&) {}
using InitialStateOptions = std::variant<MeanState, BridgeState, LastState, ZeroState>;

/// No attention: the decoder sees the source only through its initial state (Sutskever et al. 2014,
/// https://arxiv.org/abs/1409.3215).
struct NoMemoryAttention {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoMemoryAttention&) const = default;
};
void describe(NoMemoryAttention&, AnyOptionVisitor auto&) {}

/// Bahdanau et al. 2015: the query is the state of the previous position, and the context is an input of the cell.
struct AttentionBeforeCell {
  static constexpr std::string_view kName = "before";
  nn::MemoryAttentionOptions attend;
  bool every_layer = false;  ///< the context is also an input of the layers above the first (Wu et al. 2016, section 3)
  bool operator==(const AttentionBeforeCell&) const = default;
};
void describe(AttentionBeforeCell& o, AnyOptionVisitor auto& visit) {
  describe(o.attend, visit);
  visit("context-to-every-layer", o.every_layer, "feed the context into every layer, not only the first");
}

/// Luong et al. 2015: the query is the new state of the last layer, and the context is an input of the readout.
struct AttentionAfterCell {
  static constexpr std::string_view kName = "after";
  nn::MemoryAttentionOptions attend;
  bool input_feeding = true;  ///< the readout is an input of the first layer at the next position (section 3.3)
  bool operator==(const AttentionAfterCell&) const = default;
};
void describe(AttentionAfterCell& o, AnyOptionVisitor auto& visit) {
  describe(o.attend, visit);
  visit("input-feeding", o.input_feeding,
        "input feeding: the attentional vector is an input of the first layer at the next position");
}
using DecoderAttentionOptions = std::variant<AttentionBeforeCell, AttentionAfterCell, NoMemoryAttention>;

/// The options of the attention; null without attention.
inline const nn::MemoryAttentionOptions* memory_attention_of(const DecoderAttentionOptions& attention) {
  if (const auto* before = std::get_if<AttentionBeforeCell>(&attention)) return &before->attend;
  if (const auto* after = std::get_if<AttentionAfterCell>(&attention)) return &after->attend;
  return nullptr;
}

/// The readout: what the output layer reads. It is computed from the last layer's state s, the context c and the
/// embedding y of the previous word.
struct StateReadout {
  static constexpr std::string_view kName = "state";  ///< s; needs hidden = d_model, no attention after the cell
  bool operator==(const StateReadout&) const = default;
};
/// tanh(W [s; c] + b): the attentional vector of Luong et al. 2015, equation 5.
struct TanhReadout {
  static constexpr std::string_view kName = "tanh";
  bool operator==(const TanhReadout&) const = default;
};
/// Maxout: the larger of each pair of components of W [s; c; y] + b (Goodfellow et al. 2013,
/// https://arxiv.org/abs/1302.4389). It is the deep output of Bahdanau et al. 2015, appendix A.2.2, but from the state
/// that has read y and c, as in section 3.1.
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

/// Whether the readout is an input of the first layer at the next position.
bool feeds_readout(const RnnDecoderOptions& options);
/// The width of the context; 0 without attention.
int64_t context_width(const RnnDecoderOptions& options, const MemoryShape& memory);
/// The cell of each layer, first layer first. d_model: width of the embeddings.
std::vector<nn::RecurrentCellOptions> cells_of(const RnnDecoderOptions& options, int64_t d_model,
                                               const MemoryShape& memory);
/// The input width of the projection to the initial states; 0: they are not projected.
int64_t initial_state_input(const RnnDecoderOptions& options, const MemoryShape& memory);
void list_parameters(const RnnDecoderOptions& options, int64_t d_model, const MemoryShape& memory,
                     const ParameterList& list);

}  // namespace heed::models
