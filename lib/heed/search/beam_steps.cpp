#include "heed/search/beam_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include "heed/core/error.h"
#include "heed/nn/transfer.h"
#include "heed/search/row_best.h"
#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// Sentences beside each other: rows that need no indices, which would have to be copied to the device.
struct Stretch {
  int64_t first = 0;
  int64_t count = 0;
  Tensor of(const Tensor& x) const { return x.narrow(0, first, count); }
};

/// The sentences for which `holds`.
template <class Predicate>
std::vector<Stretch> stretches_where(std::span<const RunningSentence> sentences, Predicate holds) {
  std::vector<Stretch> stretches;
  for (size_t i = 0; i < sentences.size(); ++i) {
    if (!holds(sentences[i])) continue;
    const auto row = static_cast<int64_t>(i);
    if (stretches.empty() || stretches.back().first + stretches.back().count != row)
      stretches.push_back({.first = row});
    ++stretches.back().count;
  }
  return stretches;
}

/// Leaves nothing but end-of-sentence. logits: float [rows, beam, V]. Returns which hypotheses would have chosen it:
/// bool [rows, beam].
Tensor force_end(const Tensor& logits) {
  const Tensor chosen = logits.argmax(-1).eq(text::kEos);
  const Tensor ends = logits.select(-1, text::kEos);
  const Tensor kept = ends.clone();
  logits.fill_(kNever);
  ends.copy_(kept);
  return chosen;
}

bool better(const Candidate& a, const Candidate& b) {
  if (a.log_probability != b.log_probability) return a.log_probability > b.log_probability;
  return std::pair(a.parent, a.token) < std::pair(b.parent, b.token);
}

/// log_probabilities, tokens: [beam, count] of one sentence.
std::vector<Candidate> candidates_of(const RunningSentence& sentence, const float* log_probabilities,
                                     const int64_t* tokens, size_t count) {
  std::vector<Candidate> all;
  all.reserve(sentence.log_probabilities.size() * count);
  for (size_t parent = 0; parent < sentence.log_probabilities.size(); ++parent) {
    const float* row = log_probabilities + parent * count;
    for (size_t i = 0; i < count; ++i) {
      if (std::isnan(row[i])) throw Error(kNotNumbers);
      if (std::isinf(row[i])) continue;
      all.push_back({sentence.log_probabilities[parent] + static_cast<double>(row[i]), row[i],
                     static_cast<int32_t>(parent), static_cast<int32_t>(tokens[parent * count + i])});
    }
  }
  const auto kept = std::min(all.size(), 2 * static_cast<size_t>(sentence.beam));
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(), better);
  all.resize(kept);
  return all;
}

}  // namespace

Tensor adjust_scores(const Tensor& logits, std::span<const RunningSentence> sentences, const SearchOptions& options) {
  logits.select(-1, text::kPad).fill_(kNever);
  logits.select(-1, text::kBos).fill_(kNever);
  if (!options.unknown) logits.select(-1, text::kUnk).fill_(kNever);
  // A model may end before the shortest translation that is asked for.
  const auto is_short = [&](const RunningSentence& s) { return s.length() < options.min_length && !s.at_limit(); };
  for (const Stretch& stretch : stretches_where(sentences, is_short)) {
    stretch.of(logits).select(-1, text::kEos).fill_(kNever);
  }
  Tensor ends;
  for (const Stretch& stretch : stretches_where(sentences, [](const RunningSentence& s) { return s.at_limit(); })) {
    if (!ends.defined()) ends = at::zeros({logits.size(0), logits.size(1)}, logits.options().dtype(at::kBool));
    stretch.of(ends).copy_(force_end(stretch.of(logits)));
  }
  return ends;
}

HostScores read_scores(const StepScores& scores, const Tensor& ends, bool attention) {
  const int64_t rows = scores.logits.size(0), beam = scores.logits.size(1), size = scores.logits.size(2);
  const int64_t count = std::min(2 * beam, size);
  const RowBest best = best_of_rows(scores.logits.reshape({-1, size}), count);
  const Tensor log_probabilities = best.logits - scores.logsumexp.reshape({-1, 1}).to(at::kFloat);
  const Tensor weights = attention ? scores.attention.to(at::kFloat) : Tensor();
  const std::vector<Tensor> read = nn::download({log_probabilities, best.tokens, ends, weights});
  return {.log_probabilities = read[0].view({rows, beam, count}),
          .tokens = read[1].view({rows, beam, count}),
          .ends = read[2],
          .attention = read[3]};
}

void note_ends(const HostScores& scores, std::span<RunningSentence> sentences, int64_t min_length) {
  if (!scores.ends.defined()) return;
  const bool* by_itself = scores.ends.const_data_ptr<bool>();
  for (RunningSentence& sentence : sentences) {
    const bool* next = by_itself + sentence.beam;
    if (sentence.at_limit() && sentence.length() >= min_length) sentence.ends_by_itself.assign(by_itself, next);
    by_itself = next;
  }
}

std::vector<std::vector<Candidate>> pick_candidates(const HostScores& scores,
                                                    std::span<const RunningSentence> sentences) {
  const Tensor& log_probabilities = scores.log_probabilities;
  TORCH_CHECK(log_probabilities.size(0) == static_cast<int64_t>(sentences.size()), "scores must be of ",
              sentences.size(), " sentences, but are of ", log_probabilities.size(0));
  const int64_t beam = log_probabilities.size(1), count = log_probabilities.size(2);
  const auto* values = log_probabilities.const_data_ptr<float>();
  const auto* tokens = scores.tokens.const_data_ptr<int64_t>();
  std::vector<std::vector<Candidate>> candidates;
  candidates.reserve(sentences.size());
  for (const RunningSentence& sentence : sentences) {
    candidates.push_back(candidates_of(sentence, values, tokens, static_cast<size_t>(count)));
    values += beam * count;
    tokens += beam * count;
  }
  return candidates;
}

void keep_attention(const HostScores& scores, std::span<RunningSentence> sentences) {
  const int64_t columns = scores.attention.size(2);
  const auto* row = scores.attention.const_data_ptr<float>();
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
