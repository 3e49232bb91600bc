#include "heed/engine/common/output.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "heed/core/error.h"
#include "heed/kernels/attention_step.h"
#include "heed/search/beam_model.h"

namespace heed::engine {
namespace {

/// Panels of which the weights stay in the processor's cache while all rows pass, and the logits of one row as well.
kernels::PanelRange panels_from(int64_t first, int64_t panels, int64_t inner) {
  constexpr int64_t kCached = 1 << 16;  // numbers of the weight
  const int64_t count = std::clamp<int64_t>(kCached / (inner * kernels::kPanel), 2, 32);
  return {first, std::min(first + count, panels)};
}

/// Throws Error if it is not finite: infinite or NaN logits make it so.
double logsumexp_of(const kernels::RowTopK& row) {
  const double logsumexp = row.logsumexp();
  if (!std::isfinite(logsumexp)) throw Error(search::kNotNumbers);
  return logsumexp;
}

/// Turns logits into log-probabilities. Throws Error if they are not numbers.
void normalize(std::span<float> logits) {
  kernels::RowTopK row;
  std::array<float, 1> best;
  std::array<int32_t, 1> column;
  row.best = best.data();
  row.columns = column.data();
  row.count = 1;
  row.begin();
  std::vector<float> copy(logits.begin(), logits.end());
  copy.resize(static_cast<size_t>(kernels::panels_of(std::ssize(logits)) * kernels::kPanel));
  kernels::take_columns(row, copy.data(), 0, std::ssize(logits), {});
  const double logsumexp = logsumexp_of(row);
  for (float& logit : logits) logit = static_cast<float>(logit - logsumexp);
}

/// The tokens excluded for a hypothesis.
std::span<const int32_t> barred_of(size_t row, const TopKRules& rules) {
  if (rules.barred_of != nullptr) return rules.barred_of->of(row);
  const bool without_end = !rules.without_end.empty() && rules.without_end[row] != 0;
  return without_end ? rules.barred_and_end : rules.barred;
}

/// Stores the logits of a row's requested tokens that are among the columns [first, first + columns).
void keep_asked(size_t row, const float* logits, int64_t first, int64_t columns, const TopKRules& rules, TopK& top) {
  if (rules.asked == nullptr) return;
  float* to = top.asked.data() + rules.asked->begin(row);
  for (const int32_t token : rules.asked->of(row)) {
    if (token >= first && token < first + columns) *to = logits[token - first];
    ++to;
  }
}

}  // namespace

Output::Output(const Weight& weight, const Weight* bias, Precision precision)
    : matrix_(weight, bias, precision),
      weight_(weight),
      bias_(bias == nullptr ? std::span<const float>() : bias->numbers) {}

/// Calls use(row, logits, first, columns) for each row and block of panels. The block has the logits of the columns
/// [first, first + columns), padded to whole vector lanes.
template <class Use>
void Output::for_each_stretch(const Rows& hidden, Scratch& scratch, const Use& use) const {
  scratch.operand.take(hidden);
  const int64_t panels = kernels::panels_of(vocab_size());
  for (kernels::PanelRange range = panels_from(0, panels, matrix_.in()); range.first < panels;
       range = panels_from(range.last, panels, matrix_.in())) {
    const int64_t first = range.first * kernels::kPanel, width = (range.last - range.first) * kernels::kPanel;
    float* logits = scratch.logits.reserve(hidden.count() * width);
    matrix_.multiply_panels(scratch.operand, range, logits, width);
    const int64_t columns = std::min(width, vocab_size() - first);
    for (size_t row = 0; row < scratch.rows.size(); ++row, logits += width) use(row, logits, first, columns);
  }
}

void Output::top_k(const Rows& hidden, const TopKRules& rules, Scratch& scratch, TopK& top) const {
  begin(hidden.count(), rules, scratch, top);
  for_each_stretch(hidden, scratch, [&](size_t row, float* logits, int64_t first, int64_t columns) {
    if (rules.end >= first && rules.end < first + columns) top.of_end[row] = logits[rules.end - first];
    keep_asked(row, logits, first, columns, rules, top);
    kernels::take_columns(scratch.rows[row], logits, first, columns, barred_of(row, rules));
  });
  finish(rules, scratch, top);
}

void Output::top_k(const Rows& hidden, std::span<const std::vector<int32_t>> lists, std::span<const int64_t> hypotheses,
                   const TopKRules& rules, Scratch& scratch, TopK& top) const {
  begin(hidden.count(), rules, scratch, top);
  int64_t row = 0;
  for (size_t sentence = 0; sentence < lists.size(); ++sentence) {
    const std::span<const int32_t> list = lists[sentence];
    scratch.places.clear();
    for (const int32_t token : list) scratch.places.push_back(token * weight_.columns);
    for (const int64_t end = row + hypotheses[sentence]; row < end; ++row) {
      top_k_listed(hidden.row(row), list, static_cast<size_t>(row), rules, scratch, top);
    }
  }
  finish(rules, scratch, top);
}

/// The columns of a row are indices of its shortlist; they are mapped to tokens at the end.
void Output::top_k_listed(const float* hidden, std::span<const int32_t> list, size_t row, const TopKRules& rules,
                          Scratch& scratch, TopK& top) const {
  const auto count = std::ssize(list);
  float* logits = scratch.logits.reserve(count + kernels::kPanel);
  kernels::dot_scores(hidden, weight_.columns, 1, weight_.numbers.data(), scratch.places.data(), count, logits);
  if (!bias_.empty()) {
    for (size_t i = 0; i < list.size(); ++i) logits[i] += bias_[static_cast<size_t>(list[i])];
  }
  const auto place_of = [&](int32_t token) { return std::ranges::lower_bound(list, token) - list.begin(); };
  const auto has = [&](int64_t place, int32_t token) {
    return place < count && list[static_cast<size_t>(place)] == token;
  };
  top.of_end[row] = logits[place_of(rules.end)];
  if (rules.asked != nullptr) {
    float* to = top.asked.data() + rules.asked->begin(row);
    for (const int32_t token : rules.asked->of(row)) {
      if (const auto place = place_of(token); has(place, token)) *to = logits[place];
      ++to;
    }
  }
  scratch.barred.clear();
  for (const int32_t token : barred_of(row, rules)) {
    if (const auto place = place_of(token); has(place, token)) scratch.barred.push_back(static_cast<int32_t>(place));
  }
  kernels::RowTopK& row_best = scratch.rows[row];
  kernels::take_columns(row_best, logits, 0, count, scratch.barred);
  for (int64_t i = 0; i < row_best.count; ++i) row_best.columns[i] = list[static_cast<size_t>(row_best.columns[i])];
}

void Output::finish(const TopKRules& rules, Scratch& scratch, TopK& top) {
  for (size_t row = 0; row < scratch.rows.size(); ++row) {
    const double logsumexp = logsumexp_of(scratch.rows[row]);
    top.of_end[row] = static_cast<float>(top.of_end[row] - logsumexp);
    float* best = scratch.rows[row].best;
    for (int64_t i = 0; i < rules.count; ++i) best[i] = static_cast<float>(best[i] - logsumexp);
    if (rules.asked == nullptr) continue;
    float* asked = top.asked.data() + rules.asked->begin(row);
    for (size_t i = 0; i < rules.asked->of(row).size(); ++i) asked[i] = static_cast<float>(asked[i] - logsumexp);
  }
}

void Output::score(const Rows& hidden, std::span<const int32_t> tokens, Scratch& scratch,
                   std::span<float> found) const {
  begin(hidden.count(), {}, scratch, scratch.scored);
  for_each_stretch(hidden, scratch, [&](size_t row, float* logits, int64_t first, int64_t columns) {
    if (tokens[row] >= first && tokens[row] < first + columns) found[row] = logits[tokens[row] - first];
    kernels::take_columns(scratch.rows[row], logits, first, columns, {});
  });
  for (size_t row = 0; row < tokens.size(); ++row) {
    const double logsumexp = logsumexp_of(scratch.rows[row]);
    found[row] = static_cast<float>(found[row] - logsumexp);
  }
}

void Output::logits(const Rows& hidden, Scratch& scratch, float* logits) const {
  scratch.operand.take(hidden);
  matrix_.multiply_panels(scratch.operand, {0, kernels::panels_of(vocab_size())}, logits, row_size());
}

void Output::for_each_row(const Rows& hidden, Scratch& scratch, const UseRow& use) const {
  constexpr int64_t kTogether = 16;
  Buffer<float> memory;
  for (int64_t first = 0; first < hidden.count(); first += kTogether) {
    const int64_t count = std::min(kTogether, hidden.count() - first);
    scratch.some.resize(count, hidden.width());
    for (int64_t i = 0; i < count; ++i) std::copy_n(hidden.row(first + i), hidden.width(), scratch.some.row(i));
    float* rows = memory.reserve(count * row_size());
    logits(scratch.some, scratch, rows);
    for (int64_t i = 0; i < count; ++i) {
      const std::span row(rows + i * row_size(), static_cast<size_t>(vocab_size()));
      normalize(row);
      use(first + i, row);
    }
  }
}

void Output::begin(int64_t rows, const TopKRules& rules, Scratch& scratch, TopK& top) {
  const int64_t count = rules.count;
  top.log_probabilities.resize(static_cast<size_t>(rows * count));
  top.tokens.resize(static_cast<size_t>(rows * count));
  top.of_end.assign(static_cast<size_t>(rows), 0);
  top.asked.assign(rules.asked == nullptr ? 0 : rules.asked->all().size(), -std::numeric_limits<float>::infinity());
  scratch.rows.resize(static_cast<size_t>(rows));
  for (int64_t row = 0; row < rows; ++row) {
    kernels::RowTopK& row_best = scratch.rows[static_cast<size_t>(row)];
    row_best.best = top.log_probabilities.data() + row * count;
    row_best.columns = top.tokens.data() + row * count;
    row_best.count = count;
    row_best.begin();
  }
}

}  // namespace heed::engine
