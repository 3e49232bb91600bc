#include "heed/search/beam_steps.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "heed/search/stopping.h"
#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

/// Whether a group accepts no further finished hypothesis.
bool is_full(const SentenceBeam& sentence, int32_t group, const SearchOptions& options) {
  const auto* stop = std::get_if<StopAtCount>(&options.stop);
  return stop != nullptr &&
         sentence.finished_of_group[static_cast<size_t>(group)] >= stop_count(*stop, group_size(options));
}

/// Ends the best hypothesis of a group if none of its candidates continues or ends one.
void end_by_rules(SentenceBeam& sentence, int32_t group, const SearchOptions& options, ReturnOptions keep) {
  std::optional<size_t> best;
  for (size_t beam = 0; beam < sentence.live.size(); ++beam) {
    const LiveHypothesis& live = sentence.live[beam];
    if (live.group != group && live.group != kEveryGroup) continue;
    if (!best || live.ranked_by() > sentence.live[*best].ranked_by()) best = beam;
  }
  if (!best) return;  // the group has no hypotheses: an earlier group took its only token
  sentence.finished.push_back(ended_by_rules(sentence, *best, options, keep));
  ++sentence.finished_of_group[static_cast<size_t>(group)];
}

void retire_group(SentenceBeam& sentence, int32_t group, std::vector<Candidate>& candidates,
                  const SearchOptions& options, ReturnOptions keep) {
  int64_t rank = 0;
  for (const Candidate& candidate : candidates) {
    if (candidate.group != group || rank++ >= group_size(options)) continue;
    if (candidate.token != text::kEos || is_full(sentence, group, options)) continue;
    sentence.finished.push_back(trace(sentence, candidate, options, keep));
    ++sentence.finished_of_group[static_cast<size_t>(group)];
  }
  if (!group_is_done(sentence, group, candidates, options)) return;
  if (sentence.finished_of_group[static_cast<size_t>(group)] == 0) end_by_rules(sentence, group, options, keep);
  std::erase_if(candidates, [&](const Candidate& candidate) { return candidate.group == group; });
}

}  // namespace

std::vector<End> ends_of(std::span<const SentenceBeam> sentences, const SearchOptions& options) {
  std::vector<End> ends;
  ends.reserve(sentences.size());
  for (const SentenceBeam& sentence : sentences) {
    // The model's length limit may be below `min_length`.
    const End below_limit = sentence.generated() < options.min_length ? End::Barred : End::Allowed;
    ends.push_back(sentence.at_limit() ? End::Forced : below_limit);
  }
  return ends;
}

std::vector<int64_t> live_of(std::span<const SentenceBeam> sentences) {
  std::vector<int64_t> live;
  live.reserve(sentences.size());
  for (const SentenceBeam& sentence : sentences) live.push_back(std::ssize(sentence.live));
  return live;
}

void note_ends(const Continuations& found, std::span<const End> ends, const SearchOptions& options,
               std::span<SentenceBeam> sentences) {
  for (size_t i = 0; i < sentences.size(); ++i) {
    SentenceBeam& sentence = sentences[i];
    if (ends[i] != End::Forced || sentence.generated() < options.min_length) continue;
    const auto first = found.ends_by_itself.begin() + static_cast<std::ptrdiff_t>(i) * sentence.beam;
    sentence.ends_by_itself.assign(first, first + sentence.beam);
  }
}

void keep_attention(const Continuations& found, std::span<SentenceBeam> sentences) {
  const float* row = found.attention.data();
  for (SentenceBeam& sentence : sentences) {
    std::vector<float>& kept = sentence.attention.emplace_back();
    for (int64_t beam = 0; beam < sentence.beam; ++beam, row += found.columns) {
      kept.insert(kept.end(), row, row + sentence.source_positions);
    }
  }
}

std::vector<bool> collect_finished(std::span<SentenceBeam> sentences, std::span<std::vector<Candidate>> candidates,
                                   const SearchOptions& options, ReturnOptions keep) {
  std::vector<bool> going_on;
  for (size_t i = 0; i < sentences.size(); ++i) {
    for (int32_t group = 0; group < options.groups; ++group) {
      retire_group(sentences[i], group, candidates[i], options, keep);
    }
    going_on.push_back(!candidates[i].empty());
  }
  return going_on;
}

std::vector<Hypothesis> ranked(std::vector<Hypothesis> finished, int64_t n_best) {
  std::ranges::stable_sort(finished, std::greater{}, &Hypothesis::score);
  if (finished.size() > static_cast<size_t>(n_best)) finished.resize(static_cast<size_t>(n_best));
  return finished;
}

std::vector<int32_t> reorder(BeamModel& model, std::vector<SentenceBeam>& sentences,
                             std::span<const std::vector<Candidate>> candidates, const std::vector<bool>& going_on,
                             const SearchOptions& options) {
  std::vector<int64_t> kept;
  std::vector<int32_t> parents, tokens;
  bool moved = false;
  for (size_t i = 0; i < going_on.size(); ++i) {
    if (!going_on[i]) continue;
    SentenceBeam& sentence = sentences[i];
    extend(sentence, candidates[i], options);
    const auto last = std::span(sentence.history).last(static_cast<size_t>(sentence.beam));
    for (size_t beam = 0; beam < last.size(); ++beam) {
      const bool live = beam < sentence.live.size();
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
