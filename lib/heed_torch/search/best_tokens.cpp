#include "heed_torch/search/best_tokens.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/zeros.h>

#include "heed/search/best_of_row.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/nn/transfer.h"

namespace heed::search {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// Adjacent sentences: selecting these rows needs no indices, which would have to be copied to the device.
struct Stretch {
  int64_t first = 0;
  int64_t count = 0;
  Tensor of(const Tensor& x) const { return x.narrow(0, first, count); }
};

/// The sentences whose entry in `ends` is `end`.
std::vector<Stretch> stretches_with(std::span<const End> ends, End end) {
  std::vector<Stretch> stretches;
  for (size_t i = 0; i < ends.size(); ++i) {
    if (ends[i] != end) continue;
    const auto row = static_cast<int64_t>(i);
    const bool goes_on = !stretches.empty() && stretches.back().first + stretches.back().count == row;
    if (!goes_on) stretches.push_back({.first = row});
    ++stretches.back().count;
  }
  return stretches;
}

/// Allows only end-of-sentence. logits: float [rows, beam, V]. Returns whether it was the most probable token: bool
/// [rows, beam].
Tensor force_end(const Tensor& logits) {
  const Tensor likeliest = logits.argmax(-1).eq(text::kEos);
  const Tensor ends = logits.select(-1, text::kEos);
  const Tensor kept = ends.clone();
  logits.fill_(kNever);
  ends.copy_(kept);
  return likeliest;
}

/// The index of each hypothesis's tokens in the flattened logits: int64 [tokens of all] on the CPU.
Tensor places_of(const TokenLists& lists, int64_t vocab_size) {
  std::vector<int64_t> places;
  for (size_t row = 0; row < lists.hypotheses(); ++row) {
    for (const int32_t token : lists.of(row)) places.push_back(static_cast<int64_t>(row) * vocab_size + token);
  }
  return at::tensor(places, at::kLong);
}

/// Copies the numbers of a CPU tensor.
template <class T, class To>
void assign(const Tensor& tensor, std::vector<To>& to) {
  const auto* numbers = tensor.const_data_ptr<T>();
  to.resize(static_cast<size_t>(tensor.numel()));
  std::transform(numbers, numbers + tensor.numel(), to.begin(), [](T number) { return static_cast<To>(number); });
}

RowBest best_on_cpu(const Tensor& logits, int64_t count) {
  constexpr int64_t kChunkElements = 1 << 17;  // numbers for one thread
  const int64_t rows = logits.size(0);
  const int64_t size = logits.size(1);
  RowBest best{at::empty({rows, count}, logits.options()), at::empty({rows, count}, logits.options().dtype(at::kLong))};
  const auto* values = logits.const_data_ptr<float>();
  auto* best_values = best.logits.mutable_data_ptr<float>();
  auto* best_tokens = best.tokens.mutable_data_ptr<int64_t>();
  at::parallel_for(0, rows, std::max<int64_t>(1, kChunkElements / size), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const auto width = static_cast<size_t>(count);
      best_of_row({values + row * size, static_cast<size_t>(size)}, {best_values + row * count, width},
                  {best_tokens + row * count, width});
    }
  });
  return best;
}

/// Reads the best `count` tokens of each hypothesis, the results of bar_tokens and of asked_log_probabilities
/// (undefined: none), and the attention if requested.
void read_step(const StepScores& scores, const Tensor& ends_by_itself, const Tensor& asked, int64_t count,
               bool attention, Continuations& found) {
  const RowBest best = best_of_rows(scores.logits.reshape({-1, scores.logits.size(-1)}), count);
  const Tensor log_probabilities = best.logits - scores.logsumexp.reshape({-1, 1}).to(at::kFloat);
  const Tensor weights = attention ? scores.attention.to(at::kFloat) : Tensor();
  const std::vector<Tensor> read = nn::download({log_probabilities, best.tokens, ends_by_itself, weights, asked});
  assign<float>(read[0], found.log_probabilities);
  assign<int64_t>(read[1], found.tokens);
  found.ends_by_itself.assign(static_cast<size_t>(best.tokens.size(0)), 0);
  if (read[2].defined()) assign<bool>(read[2], found.ends_by_itself);
  found.asked.clear();
  if (read[4].defined()) assign<float>(read[4], found.asked);
  if (!attention) return;
  assign<float>(read[3], found.attention);
  found.columns = read[3].size(2);
}

/// Passes all log-probabilities of each live hypothesis to the request, and reads the attention if requested.
void give_rows(const StepScores& scores, const StepRequest& request, bool attention, Continuations& found) {
  const Tensor normalized = (scores.logits - scores.logsumexp).to(at::kFloat);
  const auto read = nn::download({normalized, attention ? scores.attention.to(at::kFloat) : Tensor()});
  const int64_t beam = normalized.size(1), tokens = normalized.size(2);
  auto* numbers = read[0].mutable_data_ptr<float>();
  for (int64_t sentence = 0; sentence < normalized.size(0); ++sentence) {
    const int64_t live = request.live.empty() ? beam : request.live[static_cast<size_t>(sentence)];
    for (int64_t row = sentence * beam; row < sentence * beam + live; ++row) {
      (*request.rows)(static_cast<size_t>(row), {numbers + row * tokens, static_cast<size_t>(tokens)});
    }
  }
  if (!attention) return;
  assign<float>(read[1], found.attention);
  found.columns = read[1].size(2);
}

}  // namespace

void find_tokens(const StepScores& scores, const StepRequest& request, bool attention, Continuations& found) {
  if (request.rows != nullptr) return give_rows(scores, request, attention, found);
  Tensor asked;
  if (request.asked != nullptr) asked = asked_log_probabilities(scores, *request.asked);
  if (request.barred != nullptr) bar_lists(scores.logits, *request.barred);
  const Tensor ends_by_itself = bar_tokens(scores.logits, request.ends, request.unknown);
  read_step(scores, ends_by_itself, asked, request.count, attention, found);
}

RowBest best_of_rows(const Tensor& logits, int64_t count) {
  TORCH_CHECK(logits.dim() == 2, "logits must be [rows, V], but have ", logits.dim(), " dimensions");
  TORCH_CHECK(count >= 1 && count <= logits.size(1), "count must be from 1 to ", logits.size(1), ", but is ", count);
  const Tensor values = logits.to(at::kFloat).contiguous();
  // For longer lists, insertion is slower than torch.topk.
  constexpr int64_t kLongestList = 128;
  if (values.device().is_cpu() && count <= kLongestList) return best_on_cpu(values, count);
  auto [best, tokens] = at::topk(values, count, -1);
  return {std::move(best), std::move(tokens)};
}

Tensor bar_tokens(const Tensor& logits, std::span<const End> ends, bool unknown) {
  logits.select(-1, text::kPad).fill_(kNever);
  logits.select(-1, text::kBos).fill_(kNever);
  if (!unknown) logits.select(-1, text::kUnk).fill_(kNever);
  for (const Stretch& stretch : stretches_with(ends, End::Barred)) {
    stretch.of(logits).select(-1, text::kEos).fill_(kNever);
  }
  Tensor by_itself;
  for (const Stretch& stretch : stretches_with(ends, End::Forced)) {
    if (!by_itself.defined()) {
      by_itself = at::zeros({logits.size(0), logits.size(1)}, logits.options().dtype(at::kBool));
    }
    stretch.of(by_itself).copy_(force_end(stretch.of(logits)));
  }
  return by_itself;
}

Tensor asked_log_probabilities(const StepScores& scores, const TokenLists& asked) {
  const Tensor places = nn::upload(places_of(asked, scores.logits.size(-1)), scores.logits.device());
  const Tensor rows = places.floor_divide(scores.logits.size(-1));
  return scores.logits.reshape(-1).index_select(0, places).to(at::kFloat) -
         scores.logsumexp.reshape(-1).index_select(0, rows).to(at::kFloat);
}

void bar_lists(const Tensor& logits, const TokenLists& barred) {
  if (barred.empty()) return;
  logits.view(-1).index_fill_(0, nn::upload(places_of(barred, logits.size(-1)), logits.device()), kNever);
}

}  // namespace heed::search
