#include "heed/engine/common/encoder_decoder.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "heed/architecture/rnn_options.h"
#include "heed/core/error.h"
#include "heed/engine/common/embedding.h"
#include "heed/engine/recurrent/cell.h"
#include "heed/engine/recurrent/decoder_state.h"
#include "heed/engine/recurrent/initial_state.h"
#include "heed/engine/recurrent/readout.h"
#include "heed/engine/recurrent/source_attention.h"
#include "heed/engine/recurrent/token_projections.h"

namespace heed::engine {
namespace {

/// The recurrent decoder, one position of all hypotheses at a time. heed_torch/models/rnn/decoder.h has the formulas.
class RecurrentDecoder : public Decoder {
 public:
  /// memory: the shape of the encoder output; d_memory is 0 for a language model.
  RecurrentDecoder(const Weights& weights, const models::RnnDecoderOptions& options, const EmbeddingTable& embedding,
                   const models::MemoryShape& memory, Precision precision);
  std::unique_ptr<DecoderRun> begin_run() const override;

 private:
  class Run;

  bool attends_before() const { return std::holds_alternative<models::AttentionBeforeCell>(options_.attention); }
  int64_t d_model() const { return embedding_.weight.columns; }
  StateLayout layout() const;

  models::RnnDecoderOptions options_;
  EmbeddingTable embedding_;
  Precision precision_;
  InitialState initial_state_;
  std::vector<RecurrentCell> cells_;
  std::optional<SourceAttention> attention_;
  Readout readout_;
  StateLayout layout_;
};

class RecurrentDecoder::Run : public DecoderRun {
 public:
  explicit Run(const RecurrentDecoder& decoder)
      : decoder_(decoder),
        projections_(decoder.cells_.front(), decoder.embedding_),
        cell_scratch_(decoder.precision_),
        attention_scratch_(decoder.precision_),
        readout_scratch_(decoder.precision_) {}

  void start(const Sources& sources, const Memory* memory, int64_t beam, SentenceStates& states) override {
    beam_ = beam;
    std::vector<RecurrentState*> fresh;
    for (int64_t i = 0; i < sources.sentences(); ++i) {
      const int64_t coverage = decoder_.attention_ ? decoder_.attention_->coverage_width() * sources.length(i) : 0;
      auto state = std::make_unique<RecurrentState>(beam, decoder_.layout_.coverage + coverage);
      fresh.push_back(state.get());
      states.push_back(std::move(state));
    }
    begin_layers(sources, memory, fresh);
    if (!decoder_.attention_) return;
    std::vector<AttendedSource*> kept;
    for (RecurrentState* state : fresh) kept.push_back(&state->source);
    decoder_.attention_->keep(sources, memory->states, attention_scratch_, kept);
  }

  void step(std::span<const int32_t> tokens, const SentenceStates& states, Rows& hidden,
            const AttentionRows& wanted) override {
    take_rows(tokens, states);
    projections_.look_up(tokens, cell_scratch_, projected_words_);
    if (decoder_.readout_.reads_words()) embed(tokens);
    if (decoder_.attends_before()) attend(hidden_before(), wanted);
    for (size_t i = 0; i < decoder_.cells_.size(); ++i) read_layer(i);
    if (decoder_.attention_ && !decoder_.attends_before()) attend(state_, wanted);
    decoder_.readout_(state_, context_, embedded_, readout_scratch_, hidden);
    if (feeds_readout(decoder_.options_)) keep_feed(hidden);
    for (RecurrentState* state : stepping_) state->advance();
  }

 private:
  /// A hypothesis with its old and new state.
  struct StateRow {
    RecurrentState* state;
    int64_t beam;
    const float* before;
    float* after;
  };

  /// Writes the initial states, the same for all beams, and the first entries of the tapes.
  void begin_layers(const Sources& sources, const Memory* memory, std::span<RecurrentState* const> fresh) {
    decoder_.initial_state_.make(sources, memory, initial_);
    const int64_t d = decoder_.options_.stack.hidden;
    for (size_t i = 0; i < decoder_.cells_.size(); ++i) {
      cell_rows_.clear();
      for (size_t s = 0; s < fresh.size(); ++s) {
        const int64_t sentence = static_cast<int64_t>(s), column = static_cast<int64_t>(i) * d;
        float* cell = decoder_.cells_[i].has_cell() ? initial_.cell.row(sentence) + column : nullptr;
        begin_layer(i, initial_.hidden.row(sentence) + column, cell, *fresh[s]);
      }
      decoder_.cells_[i].begin_tapes(cell_rows_, cell_scratch_);
    }
    for (RecurrentState* state : fresh) state->begin();
  }
  void begin_layer(size_t layer, float* hidden, float* cell, RecurrentState& state) {
    const RecurrentCell& made = decoder_.cells_[layer];
    const auto& places = decoder_.layout_.layers[layer];
    const int64_t d = made.options().d_hidden;
    for (int64_t b = 0; b < beam_; ++b) {
      float* row = state.after(b);
      std::copy_n(hidden, d, row + places.hidden);
      if (cell != nullptr) std::copy_n(cell, d, row + places.cell);
      if (made.tape() != nullptr) std::copy_n(hidden, d, row + places.recall);
    }
    if (made.tape() == nullptr) return;
    if (!state.tapes) {
      state.tapes.emplace(std::ssize(decoder_.cells_), beam_, made.tape()->entry_width(), BeamCache::Begin::RowOfZeros);
    }
    cell_rows_.push_back({.projected = nullptr,
                          .hidden_before = nullptr,
                          .cell_before = nullptr,
                          .hidden = hidden,
                          .cell = cell,
                          .tape = {.entry = state.tapes->rows(static_cast<int64_t>(layer))}});
  }

  void take_rows(std::span<const int32_t> tokens, const SentenceStates& states) {
    rows_.clear();
    stepping_.clear();
    for (const auto& each : states) {
      auto* state = static_cast<RecurrentState*>(each.get());
      stepping_.push_back(state);
      if (state->tapes) state->tapes->append();
      for (int64_t b = 0; b < state->live; ++b) rows_.push_back({state, b, state->before(b), state->after(b)});
    }
    check(tokens.size() == rows_.size(), "a step needs a token of every live hypothesis");
  }

  void embed(std::span<const int32_t> tokens) {
    embedded_.resize(std::ssize(tokens), decoder_.d_model());
    for (int64_t row = 0; row < embedded_.count(); ++row) {
      decoder_.embedding_.look_up(tokens[static_cast<size_t>(row)], embedded_.row(row));
    }
  }

  /// The previous hidden states of the first layer.
  const Rows& hidden_before() {
    const auto& layer = decoder_.layout_.layers.front();
    before_.resize(std::ssize(rows_), decoder_.options_.stack.hidden);
    for (int64_t r = 0; r < before_.count(); ++r) {
      std::copy_n(rows_[static_cast<size_t>(r)].before + layer.hidden, before_.width(), before_.row(r));
    }
    return before_;
  }

  void attend(const Rows& queries, const AttentionRows& wanted) {
    attending_.clear();
    for (const StateRow& row : rows_) {
      attending_.push_back({.source = &row.state->source,
                            .position = row.state->position(),
                            .coverage_before = row.before + decoder_.layout_.coverage,
                            .coverage_after = row.after + decoder_.layout_.coverage});
    }
    decoder_.attention_->attend(queries, attending_, attention_scratch_, context_, wanted);
  }

  /// Computes a layer: its input is the state of the layer below, or the word.
  void read_layer(size_t i) {
    const RecurrentCell& cell = decoder_.cells_[i];
    if (i > 0) cell.project(state_, cell_scratch_, projected_);
    if (cell.options().d_extra > 0) cell.project_extra(extra_input(), cell_scratch_, extra_);
    cell_rows_.clear();
    for (size_t r = 0; r < rows_.size(); ++r) cell_rows_.push_back(cell_row(i, r));
    cell.step(cell_rows_, cell_scratch_);
    const bool adds = decoder_.options_.stack.residual && i > 0;
    if (!adds) state_.resize(std::ssize(rows_), cell.options().d_hidden);
    for (size_t r = 0; r < rows_.size(); ++r) {
      const float* hidden = cell_rows_[r].hidden;
      float* state = state_.row(static_cast<int64_t>(r));
      for (int64_t k = 0; k < state_.width(); ++k) state[k] = adds ? state[k] + hidden[k] : hidden[k];
    }
  }
  /// The second input of a cell: the context, or the readout of the previous position.
  const Rows& extra_input() {
    if (decoder_.attends_before()) return context_;
    before_.resize(std::ssize(rows_), decoder_.d_model());
    for (size_t r = 0; r < rows_.size(); ++r) {
      std::copy_n(rows_[r].before + decoder_.layout_.feed, before_.width(), before_.row(static_cast<int64_t>(r)));
    }
    return before_;
  }
  CellRow cell_row(size_t layer, size_t r) {
    const auto& places = decoder_.layout_.layers[layer];
    const StateRow& row = rows_[r];
    const auto i = static_cast<int64_t>(r);
    CellRow made{.projected = layer == 0 ? projected_words_[r] : projected_.row(i),
                 .extra = decoder_.cells_[layer].options().d_extra > 0 ? extra_.row(i) : nullptr,
                 .hidden_before = row.before + places.hidden,
                 .cell_before = row.before + places.cell,
                 .hidden = row.after + places.hidden,
                 .cell = row.after + places.cell};
    if (!row.state->tapes) return made;
    float* entries = row.state->tapes->rows(static_cast<int64_t>(layer));
    const std::vector<int64_t>& past = row.state->tapes->places(row.beam);
    made.tape = {.entries = entries,
                 .places = past.data(),
                 .count = std::ssize(past) - 1,
                 .entry = entries + past.back(),
                 .recall = row.before + places.recall,
                 .next_recall = row.after + places.recall};
    return made;
  }

  void keep_feed(const Rows& read) {
    for (size_t r = 0; r < rows_.size(); ++r) {
      std::copy_n(read.row(static_cast<int64_t>(r)), read.width(), rows_[r].after + decoder_.layout_.feed);
    }
  }

  const RecurrentDecoder& decoder_;
  TokenProjections projections_;
  int64_t beam_ = 1;
  RecurrentCell::Scratch cell_scratch_;
  SourceAttention::Scratch attention_scratch_;
  Readout::Scratch readout_scratch_;
  InitialState::States initial_;
  std::vector<StateRow> rows_;
  std::vector<RecurrentState*> stepping_;
  std::vector<CellRow> cell_rows_;
  std::vector<AttendingRow> attending_;
  std::vector<const float*> projected_words_;
  Rows embedded_, before_, context_, projected_, extra_, state_;
};

RecurrentDecoder::RecurrentDecoder(const Weights& weights, const models::RnnDecoderOptions& options,
                                   const EmbeddingTable& embedding, const models::MemoryShape& memory,
                                   Precision precision)
    : options_(options),
      embedding_(embedding),
      precision_(precision),
      initial_state_(weights, "decoder.initial_state", options, precision),
      readout_(weights, "decoder.readout", options.readout, context_width(options, memory), d_model(), precision) {
  for (const nn::RecurrentCellOptions& cell : cells_of(options, d_model(), memory)) {
    cells_.emplace_back(weights, "decoder.cells." + std::to_string(cells_.size()), cell, precision);
  }
  if (const int64_t d_context = context_width(options, memory); d_context > 0) {
    const ScoreSource source{
        .weights = weights, .precision = precision, .name = "decoder.attention", .d_query = options.stack.hidden};
    attention_.emplace(*models::memory_attention_of(options.attention), source, d_context);
  }
  layout_ = layout();
}

StateLayout RecurrentDecoder::layout() const {
  StateLayout made;
  int64_t end = 0;
  const auto place = [&](bool exists, int64_t width) {
    const int64_t begin = end;
    if (exists) end += width;
    return begin;
  };
  for (const RecurrentCell& cell : cells_) {
    const int64_t d = cell.options().d_hidden;
    made.layers.push_back(
        {.hidden = place(true, d), .cell = place(cell.has_cell(), d), .recall = place(cell.tape() != nullptr, d)});
  }
  made.feed = place(feeds_readout(options_), d_model());
  made.coverage = end;
  return made;
}

std::unique_ptr<DecoderRun> RecurrentDecoder::begin_run() const { return std::make_unique<Run>(*this); }

}  // namespace

std::unique_ptr<Decoder> build(const models::RnnDecoderOptions& options, const ModelSource& source) {
  return std::make_unique<RecurrentDecoder>(source.weights, options, source.embedding, source.memory, source.precision);
}

}  // namespace heed::engine
