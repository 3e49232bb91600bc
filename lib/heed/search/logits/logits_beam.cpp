#include "heed/search/logits/logits_beam.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>

#include "heed/core/error.h"
#include "heed/search/logits/row_best.h"
#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// int64 [numbers] on the CPU.
template <class T>
Tensor tensor_of(std::span<const T> numbers) {
  return at::tensor(std::vector<int64_t>(numbers.begin(), numbers.end()), at::kLong);
}

/// The sentences for which `end` holds; undefined: none.
Tensor rows_with(std::span<const End> ends, End end, at::Device device) {
  std::vector<int64_t> rows;
  for (size_t i = 0; i < ends.size(); ++i) {
    if (ends[i] == end) rows.push_back(static_cast<int64_t>(i));
  }
  return rows.empty() ? Tensor() : at::tensor(rows, at::kLong).to(device);
}

/// Leaves nothing but end-of-sentence to the sentences of `rows`. Returns whether it was the likeliest: [rows * beam].
Tensor force_end(const Tensor& logits, const Tensor& rows) {
  const Tensor likeliest = logits.index_select(0, rows).argmax(-1).eq(text::kEos).to(at::kCPU);
  const Tensor ends = logits.select(-1, text::kEos);
  const Tensor kept = ends.index_select(0, rows);
  logits.index_fill_(0, rows, kNever);
  ends.index_copy_(0, rows, kept);
  return likeliest;
}

}  // namespace

Tensor source_matrix(std::span<const SourceSentence> sources) {
  size_t longest = 0;
  for (const SourceSentence& source : sources) longest = std::max(longest, source.ids.size());
  const auto columns = static_cast<int64_t>(longest) + 1;
  Tensor matrix = at::full({static_cast<int64_t>(sources.size()), columns}, text::kPad, at::kLong);
  auto* row = matrix.mutable_data_ptr<int64_t>();
  for (const SourceSentence& source : sources) {
    *std::ranges::copy(source.ids, row).out = text::kEos;
    row += columns;
  }
  return matrix;
}

std::vector<uint8_t> bar_tokens(const Tensor& logits, std::span<const End> ends, bool unknown) {
  logits.select(-1, text::kPad).fill_(kNever);
  logits.select(-1, text::kBos).fill_(kNever);
  if (!unknown) logits.select(-1, text::kUnk).fill_(kNever);
  const Tensor barred = rows_with(ends, End::Barred, logits.device());
  if (barred.defined()) logits.select(-1, text::kEos).index_fill_(0, barred, kNever);
  const int64_t beam = logits.size(1);
  std::vector<uint8_t> by_itself(ends.size() * static_cast<size_t>(beam), 0);
  const Tensor forced = rows_with(ends, End::Forced, logits.device());
  if (!forced.defined()) return by_itself;
  const Tensor likeliest = force_end(logits, forced);
  const bool* from = likeliest.const_data_ptr<bool>();
  for (size_t i = 0; i < ends.size(); ++i) {
    if (ends[i] != End::Forced) continue;
    std::copy_n(from, beam, by_itself.begin() + static_cast<std::ptrdiff_t>(i) * beam);
    from += beam;
  }
  return by_itself;
}

// In one transfer: log p, then tokens (a float holds every whole number below 2^24).
void take_best(const StepScores& scores, int64_t count, Continuations& found) {
  const int64_t size = scores.logits.size(-1);
  TORCH_CHECK(size < (1 << 24), "the vocabulary must have fewer than 2^24 entries, but has ", size);
  const RowBest best = best_of_rows(scores.logits.reshape({-1, size}), count);
  const Tensor log_probabilities = best.logits - scores.logsumexp.reshape({-1, 1}).to(at::kFloat);
  const Tensor packed = at::cat({log_probabilities, best.tokens.to(at::kFloat)}, -1).to(at::kCPU).contiguous();
  const auto* row = packed.const_data_ptr<float>();
  found.log_probabilities.clear();
  found.tokens.clear();
  for (int64_t i = 0; i < packed.size(0); ++i, row += 2 * count) {
    found.log_probabilities.insert(found.log_probabilities.end(), row, row + count);
    std::transform(row + count, row + 2 * count, std::back_inserter(found.tokens),
                   [](float token) { return static_cast<int32_t>(token); });
  }
}

void LogitsBeam::start(std::span<const SourceSentence> sources, int64_t beam, bool attention) {
  const c10::InferenceMode guard;
  beam_ = beam;
  attention_ = attention;
  model_.start(source_matrix(sources), beam, attention);
}

void LogitsBeam::step(const StepRequest& request, Continuations& found) {
  const c10::InferenceMode guard;
  const StepScores scores = model_.step(tensor_of(request.tokens).view({-1, beam_}));
  TORCH_CHECK(scores.logits.dim() == 3 && scores.logits.size(0) == std::ssize(request.ends), "logits must be [",
              request.ends.size(), ", beam, V], but are ", scores.logits.sizes());
  if (attention_) {
    if (!scores.attention.defined()) throw ConfigError("this model has no attention to show");
    const Tensor host = scores.attention.to(at::kCPU, at::kFloat).contiguous();
    const auto* numbers = host.const_data_ptr<float>();
    found.attention.assign(numbers, numbers + host.numel());
    found.columns = host.size(2);
  }
  found.ends_by_itself = bar_tokens(scores.logits, request.ends, request.unknown);
  take_best(scores, request.count, found);
}

void LogitsBeam::select(std::span<const int64_t> sentences, std::span<const int32_t> parents) {
  const c10::InferenceMode guard;
  model_.select(tensor_of(sentences), tensor_of(parents).view({std::ssize(sentences), beam_}));
}

void LogitsBeam::join(std::span<const SourceSentence> sources) {
  const c10::InferenceMode guard;
  model_.join(source_matrix(sources));
}

}  // namespace heed::search
