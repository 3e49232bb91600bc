#include "heed/search/beam_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>

#include "heed/core/error.h"
#include "heed/search/row_best.h"
#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// The rows of the sentences for which `holds`.
template <class Predicate>
std::vector<int64_t> rows_where(std::span<const RunningSentence> sentences, Predicate holds) {
  std::vector<int64_t> rows;
  for (size_t i = 0; i < sentences.size(); ++i) {
    if (holds(sentences[i])) rows.push_back(static_cast<int64_t>(i));
  }
  return rows;
}

/// Leaves nothing but end-of-sentence to the sentences of `indices`, and notes which hypotheses would have chosen it
/// and are as long as they must be.
void force_end(const Tensor& logits, std::span<RunningSentence> sentences, const std::vector<int64_t>& indices,
               int64_t min_length) {
  const Tensor rows = at::tensor(indices, at::kLong).to(logits.device());
  const Tensor chosen = logits.index_select(0, rows).argmax(-1).eq(text::kEos).to(at::kCPU);  // [rows, beam]
  const bool* by_itself = chosen.const_data_ptr<bool>();
  for (const int64_t index : indices) {
    RunningSentence& sentence = sentences[static_cast<size_t>(index)];
    if (sentence.length() >= min_length) sentence.ends_by_itself.assign(by_itself, by_itself + chosen.size(1));
    by_itself += chosen.size(1);
  }
  const Tensor ends = logits.select(-1, text::kEos);
  const Tensor kept = ends.index_select(0, rows);
  logits.index_fill_(0, rows, kNever);
  ends.index_copy_(0, rows, kept);
}

bool better(const Candidate& a, const Candidate& b) {
  if (a.log_probability != b.log_probability) return a.log_probability > b.log_probability;
  return std::pair(a.parent, a.token) < std::pair(b.parent, b.token);
}

/// The best continuations of each beam on the CPU, in one transfer. float [S, beam, 2 * count]: log p, then tokens
/// (a float holds every whole number below 2^24).
Tensor best_continuations(const StepScores& scores, int64_t count) {
  const int64_t size = scores.logits.size(-1);
  TORCH_CHECK(size < (1 << 24), "the vocabulary must have fewer than 2^24 entries, but has ", size);
  const RowBest best = best_of_rows(scores.logits.reshape({-1, size}), count);
  const Tensor log_probabilities = best.logits - scores.logsumexp.reshape({-1, 1}).to(at::kFloat);
  const Tensor packed = at::cat({log_probabilities, best.tokens.to(at::kFloat)}, -1).to(at::kCPU);
  return packed.view({scores.logits.size(0), scores.logits.size(1), 2 * count});
}

/// continuations: [beam, 2 * count] of one sentence.
std::vector<Candidate> candidates_of(const RunningSentence& sentence, const float* continuations, size_t count) {
  std::vector<Candidate> all;
  all.reserve(sentence.log_probabilities.size() * count);
  for (size_t parent = 0; parent < sentence.log_probabilities.size(); ++parent) {
    const float* row = continuations + parent * 2 * count;
    for (size_t i = 0; i < count; ++i) {
      if (std::isnan(row[i])) throw Error(kNotNumbers);
      if (std::isinf(row[i])) continue;
      all.push_back({sentence.log_probabilities[parent] + static_cast<double>(row[i]), row[i],
                     static_cast<int32_t>(parent), static_cast<int32_t>(row[count + i])});
    }
  }
  const auto kept = std::min(all.size(), 2 * static_cast<size_t>(sentence.beam));
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(), better);
  all.resize(kept);
  return all;
}

}  // namespace

void adjust_scores(const Tensor& logits, std::span<RunningSentence> sentences, const SearchOptions& options) {
  logits.select(-1, text::kPad).fill_(kNever);
  logits.select(-1, text::kBos).fill_(kNever);
  if (!options.unknown) logits.select(-1, text::kUnk).fill_(kNever);
  // A model may end before the shortest translation that is asked for.
  const auto short_rows =
      rows_where(sentences, [&](const RunningSentence& s) { return s.length() < options.min_length && !s.at_limit(); });
  if (!short_rows.empty()) {
    const Tensor rows = at::tensor(short_rows, at::kLong).to(logits.device());
    logits.select(-1, text::kEos).index_fill_(0, rows, kNever);
  }
  const auto ending_rows = rows_where(sentences, [](const RunningSentence& s) { return s.at_limit(); });
  if (!ending_rows.empty()) force_end(logits, sentences, ending_rows, options.min_length);
}

std::vector<std::vector<Candidate>> pick_candidates(const StepScores& scores,
                                                    std::span<const RunningSentence> sentences) {
  TORCH_CHECK(scores.logits.dim() == 3 && scores.logits.size(0) == static_cast<int64_t>(sentences.size()),
              "logits must be [", sentences.size(), ", beam, V], but are ", scores.logits.sizes());
  const int64_t beam = scores.logits.size(1);
  const int64_t count = std::min(2 * beam, scores.logits.size(-1));
  const Tensor continuations = best_continuations(scores, count);
  const auto* values = continuations.const_data_ptr<float>();
  std::vector<std::vector<Candidate>> candidates;
  candidates.reserve(sentences.size());
  for (const RunningSentence& sentence : sentences) {
    candidates.push_back(candidates_of(sentence, values, static_cast<size_t>(count)));
    values += beam * 2 * count;
  }
  return candidates;
}

void keep_attention(const Tensor& attention, std::span<RunningSentence> sentences) {
  const Tensor host = attention.to(at::kCPU, at::kFloat).contiguous();
  const int64_t columns = host.size(2);
  const auto* row = host.const_data_ptr<float>();
  for (RunningSentence& sentence : sentences) {
    std::vector<float>& kept = sentence.attention.emplace_back();
    for (int64_t beam = 0; beam < sentence.beam; ++beam, row += columns) {
      kept.insert(kept.end(), row, row + sentence.source_length + 1);
    }
  }
}

std::vector<bool> retire_finished(std::span<RunningSentence> sentences,
                                  std::span<const std::vector<Candidate>> candidates, const SearchOptions& options,
                                  Keep keep) {
  const auto beam = static_cast<size_t>(options.beam);
  std::vector<bool> going_on;
  for (size_t i = 0; i < sentences.size(); ++i) {
    RunningSentence& sentence = sentences[i];
    const auto& ranking = candidates[i];
    for (size_t rank = 0; rank < std::min(beam, ranking.size()); ++rank) {
      if (ranking[rank].token != text::kEos || sentence.finished.size() == beam) continue;
      sentence.finished.push_back(trace(sentence, ranking[rank], options.length_penalty, keep));
    }
    const bool alive = std::ranges::any_of(ranking, [](const Candidate& c) { return c.token != text::kEos; });
    going_on.push_back(alive && sentence.finished.size() < beam);
  }
  return going_on;
}

std::vector<Hypothesis> ranked(std::vector<Hypothesis> finished, int64_t n_best) {
  std::ranges::stable_sort(finished, std::greater{}, &Hypothesis::score);
  if (finished.size() > static_cast<size_t>(n_best)) finished.resize(static_cast<size_t>(n_best));
  return finished;
}

Tensor reorder(StepModel& model, std::vector<RunningSentence>& sentences,
               std::span<const std::vector<Candidate>> candidates, const std::vector<bool>& going_on) {
  std::vector<int64_t> kept, parents, tokens;
  bool moved = false;
  for (size_t i = 0; i < going_on.size(); ++i) {
    if (!going_on[i]) continue;
    RunningSentence& sentence = sentences[i];
    extend(sentence, candidates[i]);
    const auto last = std::span(sentence.history).last(static_cast<size_t>(sentence.beam));
    for (size_t beam = 0; beam < last.size(); ++beam) {
      const bool live = beam < sentence.log_probabilities.size();
      parents.push_back(live ? last[beam].parent : static_cast<int64_t>(beam));
      tokens.push_back(last[beam].token);
      moved |= parents.back() != static_cast<int64_t>(beam);
    }
    if (kept.size() != i) sentences[kept.size()] = std::move(sentence);
    kept.push_back(static_cast<int64_t>(i));
  }
  moved |= kept.size() != sentences.size();
  sentences.erase(sentences.begin() + static_cast<std::ptrdiff_t>(kept.size()), sentences.end());
  const auto rows = static_cast<int64_t>(kept.size());
  const int64_t beam = rows == 0 ? 0 : sentences.front().beam;
  if (moved && rows > 0) model.select(at::tensor(kept, at::kLong), at::tensor(parents, at::kLong).view({rows, beam}));
  return at::tensor(tokens, at::kLong).view({rows, beam});
}

}  // namespace heed::search
