#include "heed/search/beam_steps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "heed/core/error.h"
#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

bool better(const Candidate& a, const Candidate& b) {
  if (a.log_probability != b.log_probability) return a.log_probability > b.log_probability;
  return std::pair(a.parent, a.token) < std::pair(b.parent, b.token);
}

/// log_probabilities, tokens: [beam, count] of one sentence.
std::vector<Candidate> candidates_of(const RunningSentence& sentence, const float* log_probabilities,
                                     const int32_t* tokens, size_t count) {
  std::vector<Candidate> all;
  all.reserve(sentence.log_probabilities.size() * count);
  for (size_t parent = 0; parent < sentence.log_probabilities.size(); ++parent) {
    for (size_t i = parent * count; i < (parent + 1) * count; ++i) {
      if (std::isnan(log_probabilities[i])) throw Error(kNotNumbers);
      if (std::isinf(log_probabilities[i])) continue;
      all.push_back({sentence.log_probabilities[parent] + static_cast<double>(log_probabilities[i]),
                     log_probabilities[i], static_cast<int32_t>(parent), tokens[i]});
    }
  }
  const auto kept = std::min(all.size(), 2 * static_cast<size_t>(sentence.beam));
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(), better);
  all.resize(kept);
  return all;
}

}  // namespace

std::vector<End> ends_of(std::span<const RunningSentence> sentences, const SearchOptions& options) {
  std::vector<End> ends;
  ends.reserve(sentences.size());
  for (const RunningSentence& sentence : sentences) {
    // A model may end before the shortest translation that is asked for.
    const End below_limit = sentence.length() < options.min_length ? End::Barred : End::Allowed;
    ends.push_back(sentence.at_limit() ? End::Forced : below_limit);
  }
  return ends;
}

std::vector<int64_t> live_of(std::span<const RunningSentence> sentences) {
  std::vector<int64_t> live;
  live.reserve(sentences.size());
  for (const RunningSentence& sentence : sentences) live.push_back(std::ssize(sentence.log_probabilities));
  return live;
}

void note_ends(const Continuations& found, std::span<const End> ends, const SearchOptions& options,
               std::span<RunningSentence> sentences) {
  for (size_t i = 0; i < sentences.size(); ++i) {
    RunningSentence& sentence = sentences[i];
    if (ends[i] != End::Forced || sentence.length() < options.min_length) continue;
    const auto first = found.ends_by_itself.begin() + static_cast<std::ptrdiff_t>(i) * sentence.beam;
    sentence.ends_by_itself.assign(first, first + sentence.beam);
  }
}

std::vector<std::vector<Candidate>> pick_candidates(const Continuations& found,
                                                    std::span<const RunningSentence> sentences) {
  std::vector<std::vector<Candidate>> candidates;
  candidates.reserve(sentences.size());
  size_t hypotheses = 0;
  for (const RunningSentence& sentence : sentences) hypotheses += static_cast<size_t>(sentence.beam);
  check(
      hypotheses > 0 && found.tokens.size() % hypotheses == 0 && found.tokens.size() == found.log_probabilities.size(),
      "a step must give as many continuations of each hypothesis");
  const size_t count = found.tokens.size() / hypotheses;
  size_t at = 0;
  for (const RunningSentence& sentence : sentences) {
    candidates.push_back(candidates_of(sentence, found.log_probabilities.data() + at, found.tokens.data() + at, count));
    at += static_cast<size_t>(sentence.beam) * count;
  }
  return candidates;
}

void keep_attention(const Continuations& found, std::span<RunningSentence> sentences) {
  const float* row = found.attention.data();
  for (RunningSentence& sentence : sentences) {
    std::vector<float>& kept = sentence.attention.emplace_back();
    for (int64_t beam = 0; beam < sentence.beam; ++beam, row += found.columns) {
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

std::vector<int32_t> reorder(BeamModel& model, std::vector<RunningSentence>& sentences,
                             std::span<const std::vector<Candidate>> candidates, const std::vector<bool>& going_on) {
  std::vector<int64_t> kept;
  std::vector<int32_t> parents, tokens;
  bool moved = false;
  for (size_t i = 0; i < going_on.size(); ++i) {
    if (!going_on[i]) continue;
    RunningSentence& sentence = sentences[i];
    extend(sentence, candidates[i]);
    const auto last = std::span(sentence.history).last(static_cast<size_t>(sentence.beam));
    for (size_t beam = 0; beam < last.size(); ++beam) {
      const bool live = beam < sentence.log_probabilities.size();
      parents.push_back(live ? last[beam].parent : static_cast<int32_t>(beam));
      tokens.push_back(last[beam].token);
      moved |= parents.back() != static_cast<int32_t>(beam);
    }
    if (kept.size() != i) sentences[kept.size()] = std::move(sentence);
    kept.push_back(static_cast<int64_t>(i));
  }
  moved |= kept.size() != sentences.size();
  sentences.erase(sentences.begin() + static_cast<std::ptrdiff_t>(kept.size()), sentences.end());
  if (moved && !kept.empty()) model.select(kept, parents);
  return tokens;
}

}  // namespace heed::search
