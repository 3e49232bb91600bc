#include "heed/engine/recurrent/source_attention.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "heed/engine/recurrent/attention_function.h"
#include "heed/kernels/attention_step.h"
#include "heed/kernels/row_kernels.h"
#include "heed/kernels/vector_code.h"

namespace heed::engine {
namespace {

/// Copies the rows of a sentence to `kept`, with a gap of one vector register between rows. Otherwise all rows could
/// compete for the same few sets of the processor's cache.
void keep_rows(const Rows& rows, int64_t first, int64_t count, std::vector<float>& kept, std::vector<int64_t>& places) {
  const int64_t distance = rows.width() + kernels::kLanes;
  kept.resize(static_cast<size_t>(count * distance));
  for (int64_t j = 0; j < count; ++j) {
    std::copy_n(rows.row(first + j), rows.width(), kept.data() + j * distance);
    places.push_back(j * distance);
  }
}

/// Multiplies the weights by a Gaussian around the predicted middle: exp(-(j - p)^2 / (2 (D/2)^2)).
void weigh_by_distance(float* weights, int64_t first, int64_t count, float middle, double half_width) {
  const double deviation = half_width / 2;
  for (int64_t j = 0; j < count; ++j) {
    const double distance = static_cast<double>(static_cast<float>(first + j) - middle);
    weights[j] *= static_cast<float>(std::exp(distance * distance * (-1 / (2 * deviation * deviation))));
  }
}

}  // namespace

SourceAttention::SourceAttention(const nn::MemoryAttentionOptions& options, const ScoreSource& source, int64_t d_memory)
    : options_(options),
      d_memory_(d_memory),
      predict_hidden_(read_linear(source.weights, source.name + ".predict_hidden", source.precision)),
      predict_middle_(read_linear(source.weights, source.name + ".predict_middle", source.precision)) {
  ScoreSource of_score = source;
  of_score.name += ".score";
  score_ = make_source_score(options.score, of_score);
  if (nn::width_of(options.coverage) > 0) {
    coverage_.emplace(source.weights, source.name + ".coverage", options.coverage, source.precision);
  }
}

void SourceAttention::keep(const Sources& sources, const Rows& states, Scratch& scratch,
                           std::span<AttendedSource* const> kept) const {
  const int64_t d_key = score_->d_key();
  if (d_key > 0) score_->make_keys(sources, states, scratch.score, scratch.keys);
  if (coverage_) coverage_->of_source(states, scratch.coverage, scratch.of_source);
  for (size_t s = 0; s < kept.size(); ++s) {
    AttendedSource& source = *kept[s];
    source.length = sources.length(static_cast<int64_t>(s));
    keep_rows(states, sources.begins[s], source.length, source.states, source.state_places);
    if (d_key > 0) keep_rows(scratch.keys, sources.begins[s], source.length, source.keys, source.key_places);
    if (!coverage_) continue;
    for (int64_t token = sources.begins[s]; token < sources.begins[s + 1]; ++token) {
      const float* of_source = scratch.of_source.row(token);
      source.coverage.insert(source.coverage.end(), of_source, of_source + coverage_->width());
    }
  }
}

void SourceAttention::attend(const Rows& queries, std::span<const AttendingRow> rows, Scratch& scratch, Rows& contexts,
                             const AttentionRows& wanted) const {
  if (!predict_hidden_.empty()) {
    scratch.operand.take(queries);
    predict_hidden_.multiply(scratch.operand, scratch.predicted);
    kernels::hyperbolic_tangent(scratch.predicted.data(), scratch.predicted.count() * scratch.predicted.distance());
    scratch.operand.take(scratch.predicted);
    predict_middle_.multiply(scratch.operand, scratch.middles);
  }
  if (coverage_) coverage_->ask(queries, scratch.coverage);
  const Rows* asked = score_->ask(queries, scratch.score);
  contexts.resize(queries.count(), d_memory_);
  for (int64_t r = 0; r < queries.count(); ++r) {
    float* shown = wanted.numbers == nullptr ? nullptr : wanted.numbers + r * wanted.distance;
    attend_row(asked->row(r), r, rows[static_cast<size_t>(r)], scratch, contexts.row(r), shown);
  }
}

void SourceAttention::attend_row(const float* asked, int64_t r, const AttendingRow& row, Scratch& scratch,
                                 float* context, float* wanted) const {
  const AttendedSource& source = *row.source;
  const bool predicts = !predict_hidden_.empty();
  const Window window = window_of(row, predicts ? scratch.middles.row(r) : nullptr);
  const bool keyed = score_->d_key() > 0;
  ScoredPositions positions{.keys = (keyed ? source.keys : source.states).data(),
                            .places = (keyed ? source.key_places : source.state_places).data() + window.first,
                            .first = window.first,
                            .count = window.count};
  if (coverage_) cover(row, window, scratch, positions);
  float* scores = scratch.scores.reserve(kernels::padded_to_lanes(source.length));
  if (window.count > 0) {
    score_->score(asked, positions, scores);
    choose_positions(options_.function, scores, window.count, scratch.sorted);
  }
  if (predicts) {
    const auto half_width = static_cast<double>(std::get<nn::PredictedWindow>(options_.window).half_width);
    weigh_by_distance(scores, window.first, window.count, window.middle, half_width);
  }
  kernels::weigh_values(scores, source.states.data(), source.state_places.data() + window.first, window.count,
                        d_memory_, context);
  if (coverage_ || wanted != nullptr) show(row, r, window, scores, scratch, wanted);
}

SourceAttention::Window SourceAttention::window_of(const AttendingRow& row, const float* predicted) const {
  const int64_t length = row.source->length;
  if (std::holds_alternative<nn::GlobalWindow>(options_.window)) return {0, length, 0};
  int64_t half_width = 0;
  float middle = 0;
  if (const auto* monotonic = std::get_if<nn::MonotonicWindow>(&options_.window)) {
    half_width = monotonic->half_width;
    middle = static_cast<float>(std::min(row.position, length - 1));
  } else {
    half_width = std::get<nn::PredictedWindow>(options_.window).half_width;
    float share = *predicted;
    kernels::sigmoid(&share, 1);
    middle = static_cast<float>(length) * share;
  }
  const auto reach = static_cast<float>(half_width);
  int64_t first = 0, last = length;
  while (first < last && middle - static_cast<float>(first) > reach) ++first;
  while (last > first && static_cast<float>(last - 1) - middle > reach) --last;
  return {first, last - first, middle};
}

/// Computes V C of the window's positions.
void SourceAttention::cover(const AttendingRow& row, const Window& window, Scratch& scratch,
                            ScoredPositions& positions) const {
  const int64_t width = coverage_->width();
  scratch.looked.resize(window.count, width);
  for (int64_t j = 0; j < window.count; ++j) {
    std::copy_n(row.coverage_before + (window.first + j) * width, width, scratch.looked.row(j));
  }
  scratch.operand.take(scratch.looked);
  score_->coverage()->multiply(scratch.operand, scratch.covered);
  positions.covered = scratch.covered.data();
  positions.distance = scratch.covered.distance();
}

/// Copies the weights of all positions to the caller's output, if wanted, and updates the coverage.
void SourceAttention::show(const AttendingRow& row, int64_t r, const Window& window, const float* chosen,
                           Scratch& scratch, float* wanted) const {
  const AttendedSource& source = *row.source;
  scratch.weights.assign(static_cast<size_t>(source.length), 0);
  std::copy_n(chosen, window.count, scratch.weights.begin() + window.first);
  if (wanted != nullptr) std::ranges::copy(scratch.weights, wanted);
  if (!coverage_) return;
  coverage_->take({.before = row.coverage_before,
                   .weights = scratch.weights.data(),
                   .of_source = source.coverage.data(),
                   .source = source.length,
                   .row = r},
                  scratch.coverage, row.coverage_after);
}

}  // namespace heed::engine
