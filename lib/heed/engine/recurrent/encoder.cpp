#include "heed/engine/common/encoder_decoder.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "heed/architecture/rnn_options.h"
#include "heed/engine/common/embedding.h"
#include "heed/engine/recurrent/cell.h"

namespace heed::engine {
namespace {

/// The recurrent encoder of heed_torch/models/rnn/encoder.cpp. The inputs of a layer are multiplied for all positions
/// of all sentences at once. The recurrent steps run over all sentences together, longest first, so that unfinished
/// sentences are the first rows.
class RecurrentEncoder : public Encoder {
 public:
  RecurrentEncoder(const Weights& weights, const models::RnnEncoderOptions& options, const EmbeddingTable& embedding,
                   Precision precision);
  std::unique_ptr<EncoderRun> begin_run() const override;

 private:
  class Run;
  struct Layer {
    std::optional<RecurrentCell> left_to_right = {}, right_to_left = {};
    int64_t width;  ///< of the states, both directions together
    bool residual;
  };

  EmbeddingTable embedding_;
  Precision precision_;
  std::vector<Layer> layers_;
};

/// The indices of the sentences, longest first.
std::vector<int64_t> longest_first(const Sources& sources) {
  std::vector<int64_t> order(static_cast<size_t>(sources.sentences()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](int64_t i) { return sources.length(i); });
  return order;
}

/// Runs a cell over all sentences, in one direction.
class Reading {
 public:
  Reading(const RecurrentCell& cell, const Sources& sources, bool backwards, RecurrentCell::Scratch& scratch)
      : cell_(cell), sources_(sources), backwards_(backwards), scratch_(scratch), order_(longest_first(sources)) {}

  /// Writes the states to the columns that begin at `column`.
  void read(const Rows& projected, Rows& states, int64_t column, LastState& last) {
    begin();
    for (int64_t step = 0; take_step(step, projected, states, column); ++step) cell_.step(rows_, scratch_);
    keep_last(states, column, last);
  }

 private:
  /// Sets the initial states to zero, and begins the tapes with them.
  void begin() {
    const int64_t d = cell_.options().d_hidden;
    zeros_.assign(static_cast<size_t>(d), 0);
    cells_.assign(static_cast<size_t>(cell_.has_cell() ? sources_.sentences() * d : 0), 0);
    if (cell_.tape() != nullptr) begin_tapes();
  }
  void begin_tapes() {
    const int64_t d = cell_.options().d_hidden, width = cell_.tape()->entry_width();
    recalls_.assign(static_cast<size_t>(sources_.sentences() * d), 0);
    entries_.resize(static_cast<size_t>((sources_.size() + sources_.sentences()) * width));
    places_.resize(entries_.size() / static_cast<size_t>(width));
    for (size_t i = 0; i < places_.size(); ++i) places_[i] = static_cast<int64_t>(i) * width;
    rows_.clear();
    for (int64_t i = 0; i < sources_.sentences(); ++i) {
      rows_.push_back({.projected = nullptr,
                       .hidden_before = nullptr,
                       .cell_before = nullptr,
                       .hidden = zeros_.data(),
                       .cell = zeros_.data(),
                       .tape = {.entry = first_entry(i)}});
    }
    cell_.begin_tapes(rows_, scratch_);
  }
  /// The entries of a sentence are adjacent: one more than it has tokens.
  float* first_entry(int64_t sentence) {
    const int64_t before = sources_.begins[static_cast<size_t>(sentence)] + sentence;
    return entries_.data() + before * cell_.tape()->entry_width();
  }

  int64_t token(int64_t sentence, int64_t step) const {
    const int64_t begin = sources_.begins[static_cast<size_t>(sentence)];
    return backwards_ ? begin + sources_.length(sentence) - 1 - step : begin + step;
  }

  /// Makes the rows of the sentences that have more than `step` tokens; false if there are none.
  bool take_step(int64_t step, const Rows& projected, Rows& states, int64_t column) {
    rows_.clear();
    for (const int64_t i : order_) {
      if (sources_.length(i) <= step) break;
      const int64_t d = cell_.options().d_hidden;
      float* cell = cell_.has_cell() ? cells_.data() + i * d : nullptr;
      rows_.push_back({.projected = projected.row(token(i, step)),
                       .hidden_before = step == 0 ? zeros_.data() : states.row(token(i, step - 1)) + column,
                       .cell_before = cell,
                       .hidden = states.row(token(i, step)) + column,
                       .cell = cell,
                       .tape = tape(i, step)});
    }
    return !rows_.empty();
  }
  TapeRow tape(int64_t sentence, int64_t step) {
    if (cell_.tape() == nullptr) return {};
    float* recall = recalls_.data() + sentence * cell_.options().d_hidden;
    float* entries = first_entry(sentence);
    return {.entries = entries,
            .places = places_.data(),
            .count = step + 1,
            .entry = entries + (step + 1) * cell_.tape()->entry_width(),
            .recall = recall,
            .next_recall = recall};
  }

  void keep_last(const Rows& states, int64_t column, LastState& last) const {
    const int64_t d = cell_.options().d_hidden;
    for (int64_t i = 0; i < sources_.sentences(); ++i) {
      std::copy_n(states.row(token(i, sources_.length(i) - 1)) + column, d, last.hidden.row(i) + column);
      if (cell_.has_cell()) std::copy_n(cells_.data() + i * d, d, last.cell.row(i) + column);
    }
  }

  const RecurrentCell& cell_;
  const Sources& sources_;
  bool backwards_;
  RecurrentCell::Scratch& scratch_;
  std::vector<int64_t> order_;
  std::vector<CellRow> rows_;
  std::vector<float> zeros_, cells_, recalls_, entries_;
  std::vector<int64_t> places_;  // offsets of tape entries, the same for all sentences
};

class RecurrentEncoder::Run : public EncoderRun {
 public:
  explicit Run(const RecurrentEncoder& encoder) : encoder_(encoder), scratch_(encoder.precision_) {}

  void encode(const Sources& sources, Memory& memory) override {
    memory.last.resize(encoder_.layers_.size());
    embed(sources, memory.states);
    for (size_t i = 0; i < encoder_.layers_.size(); ++i) {
      const Layer& layer = encoder_.layers_[i];
      std::swap(memory.states, below_);
      read(layer, sources, memory.states, memory.last[i]);
      if (layer.residual) add(below_, memory.states);
    }
  }

 private:
  void embed(const Sources& sources, Rows& x) {
    x.resize(sources.size(), encoder_.embedding_.weight.columns);
    for (int64_t i = 0; i < sources.size(); ++i) {
      encoder_.embedding_.look_up(sources.tokens[static_cast<size_t>(i)], x.row(i));
    }
  }

  void read(const Layer& layer, const Sources& sources, Rows& states, LastState& last) {
    states.resize(sources.size(), layer.width);
    last.hidden.resize(sources.sentences(), layer.width);
    last.cell.resize(0, 0);
    int64_t column = 0;
    for (const auto* cell : {&layer.left_to_right, &layer.right_to_left}) {
      if (!*cell) continue;
      if ((*cell)->has_cell() && last.cell.count() == 0) last.cell.resize(sources.sentences(), layer.width);
      (*cell)->project(below_, scratch_, projected_);
      Reading(**cell, sources, cell == &layer.right_to_left, scratch_).read(projected_, states, column, last);
      column += (*cell)->options().d_hidden;
    }
  }
  static void add(const Rows& below, Rows& x) {
    for (int64_t row = 0; row < x.count(); ++row) {
      for (int64_t i = 0; i < x.width(); ++i) x.row(row)[i] += below.row(row)[i];
    }
  }

  const RecurrentEncoder& encoder_;
  RecurrentCell::Scratch scratch_;
  Rows below_, projected_;
};

RecurrentEncoder::RecurrentEncoder(const Weights& weights, const models::RnnEncoderOptions& options,
                                   const EmbeddingTable& embedding, Precision precision)
    : embedding_(embedding), precision_(precision) {
  for (const auto& [recurrent, residual] : layers_of(options, embedding.weight.columns)) {
    const auto& [cell, direction] = recurrent;
    const std::string name = "encoder.layers." + std::to_string(layers_.size());
    Layer layer{.width = recurrent.d_output(), .residual = residual};
    if (direction != nn::Direction::Backward) {
      layer.left_to_right.emplace(weights, name + ".forward_cell", cell, precision);
    }
    if (direction != nn::Direction::Forward) {
      layer.right_to_left.emplace(weights, name + ".backward_cell", cell, precision);
    }
    layers_.push_back(std::move(layer));
  }
}

std::unique_ptr<EncoderRun> RecurrentEncoder::begin_run() const { return std::make_unique<Run>(*this); }

}  // namespace

std::unique_ptr<Encoder> build(const models::RnnEncoderOptions& options, const ModelSource& source) {
  return std::make_unique<RecurrentEncoder>(source.weights, options, source.embedding, source.precision);
}

}  // namespace heed::engine
