#include "heed/search/candidates.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "heed/core/error.h"
#include "heed/search/phrases.h"
#include "heed/search/places.h"
#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

/// For each token, the number of hypotheses of earlier groups that have taken it in this step.
using Taken = std::map<int32_t, int64_t>;

/// The input of one search step for one sentence.
struct SentenceStep {
  const Continuations& found;
  const SentenceBeam& sentence;
  const StepRules& rules;
  const SearchOptions& options;
  size_t first;  // index of the sentence's first hypothesis in the batch
  size_t count;  // tokens found for each hypothesis
};

bool is_repeated(const SentenceStep& step, size_t parent, int32_t token) {
  return step.options.repetition_penalty != 1 && std::ranges::count(tokens_of(step.sentence, parent), token) > 0;
}

/// The model returns end-of-sentence if it is forced, even if a rule excludes it.
bool is_barred(const SentenceStep& step, size_t hypothesis, int32_t token) {
  return step.rules.any() && std::ranges::binary_search(step.rules.barred.of(hypothesis), token);
}

/// Adds the hypothesis that continues `parent`, unless the model excluded the token (-inf).
void add(const SentenceStep& step, size_t parent, int32_t token, float log_probability, bool repeated,
         std::vector<Candidate>& candidates) {
  if (std::isnan(log_probability)) throw Error(kNotNumbers);
  if (std::isinf(log_probability)) return;
  const LiveHypothesis& live = step.sentence.live[parent];
  const double added = step.sentence.in_prompt() ? 0 : static_cast<double>(log_probability);
  candidates.push_back({.log_probability = live.log_probability + added,
                        .token_log_probability = log_probability,
                        .parent = static_cast<int32_t>(parent),
                        .token = token,
                        .penalty = live.penalty + (repeated ? (step.options.repetition_penalty - 1) * added : 0),
                        .group = live.group});
}

/// All continuations that were found or requested.
std::vector<Candidate> continuations_of(const SentenceStep& step) {
  std::vector<Candidate> candidates;
  candidates.reserve(step.sentence.live.size() * step.count);
  for (size_t parent = 0; parent < step.sentence.live.size(); ++parent) {
    const size_t hypothesis = step.first + parent;
    if (!step.rules.any() || step.rules.asked_alone[hypothesis] == 0) {
      for (size_t i = hypothesis * step.count; i < (hypothesis + 1) * step.count; ++i) {
        if (is_barred(step, hypothesis, step.found.tokens[i])) continue;
        add(step, parent, step.found.tokens[i], step.found.log_probabilities[i], false, candidates);
      }
    }
    if (!step.rules.any()) continue;
    const auto asked = step.rules.asked.of(hypothesis);
    for (size_t i = 0; i < asked.size(); ++i) {
      const float log_probability = step.found.asked[step.rules.asked.begin(hypothesis) + i];
      add(step, parent, asked[i], log_probability, is_repeated(step, parent, asked[i]), candidates);
    }
  }
  return candidates;
}

/// Keeps the best `kept`, sorted by the score that includes the diversity penalty.
void sort_best(std::vector<Candidate>& candidates, size_t kept, double diversity, const Taken& taken) {
  const auto value = [&](const Candidate& candidate) {
    if (taken.empty()) return candidate.ranked_by();
    const auto found = taken.find(candidate.token);
    return candidate.ranked_by() - (found == taken.end() ? 0 : diversity * static_cast<double>(found->second));
  };
  const auto better = [&](const Candidate& a, const Candidate& b) {
    const double value_a = value(a), value_b = value(b);
    if (value_a != value_b) return value_a > value_b;
    return std::pair(a.parent, a.token) < std::pair(b.parent, b.token);
  };
  kept = std::min(candidates.size(), kept);
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept), candidates.end(),
                    better);
  candidates.resize(kept);
}

bool requires_phrases(const SentenceBeam& sentence) {
  return sentence.constraints != nullptr && sentence.constraints->enforces_phrases();
}

/// The number of required phrase tokens that each candidate has.
std::vector<int64_t> banks_of(const SentenceBeam& sentence, std::span<const Candidate> candidates) {
  std::vector<PhraseProgress> parents;
  for (size_t parent = 0; parent < sentence.live.size(); ++parent) {
    parents.push_back(phrase_progress(*sentence.constraints, tokens_of(sentence, parent)));
  }
  std::vector<int64_t> banks;
  for (const Candidate& candidate : candidates) {
    PhraseProgress progress = parents[static_cast<size_t>(candidate.parent)];
    progress.advance(candidate.token);
    banks.push_back(progress.tokens_met());
  }
  return banks;
}

/// The best candidates of a group, from the continuations of all groups.
std::vector<Candidate> candidates_of_group(std::vector<Candidate> candidates, const SentenceStep& step,
                                           const Taken& taken) {
  const auto kept = 2 * static_cast<size_t>(group_size(step.options));
  if (!requires_phrases(step.sentence)) {
    sort_best(candidates, kept, step.options.diversity, taken);
    return candidates;
  }
  sort_best(candidates, candidates.size(), step.options.diversity, taken);
  candidates = in_banks(candidates, banks_of(step.sentence, candidates));
  candidates.resize(std::min(candidates.size(), kept));
  return candidates;
}

/// The candidates that continue hypotheses of the group, assigned to this group.
std::vector<Candidate> of_group(std::span<const Candidate> candidates, int32_t group) {
  std::vector<Candidate> own;
  for (const Candidate& candidate : candidates) {
    if (candidate.group != group && candidate.group != kEveryGroup) continue;
    own.push_back(candidate);
    own.back().group = group;
  }
  return own;
}

/// Counts the tokens of the candidates that the group continues with.
void take(std::span<const Candidate> candidates, int64_t size, Taken& taken) {
  for (const Candidate& candidate : candidates) {
    if (candidate.token == text::kEos || size == 0) continue;
    ++taken[candidate.token];
    --size;
  }
}

/// Adds the place penalty to each candidate that completes a required phrase.
void add_place_penalties(const SentenceBeam& sentence, std::span<Candidate> candidates) {
  std::vector<PhraseProgress> parents;
  std::vector<std::vector<std::span<const float>>> attention;
  for (size_t parent = 0; parent < sentence.live.size(); ++parent) {
    parents.push_back(phrase_progress(*sentence.constraints, tokens_of(sentence, parent)));
    attention.push_back(attention_of(sentence, parent));
  }
  for (Candidate& candidate : candidates) {
    const auto parent = static_cast<size_t>(candidate.parent);
    PhraseProgress after = parents[parent];
    after.advance(candidate.token);
    candidate.penalty += phrase_attention_penalty(*sentence.constraints, attention[parent], parents[parent], after);
  }
}

std::vector<Candidate> candidates_of(const SentenceStep& step) {
  std::vector<Candidate> all = continuations_of(step);
  if (requires_phrases(step.sentence) && !step.sentence.attention.empty()) add_place_penalties(step.sentence, all);
  std::vector<Candidate> candidates;
  Taken taken;
  for (int32_t group = 0; group < step.options.groups; ++group) {
    const std::vector<Candidate> own = candidates_of_group(of_group(all, group), step, taken);
    take(own, group_size(step.options), taken);
    candidates.insert(candidates.end(), own.begin(), own.end());
  }
  return candidates;
}

}  // namespace

int64_t continuations_needed(const SearchOptions& options, int64_t vocab_size) {
  // The tokens that earlier groups take, at most beam - size, may lose too much to stay among the best.
  const int64_t size = group_size(options);
  return std::min(2 * size + (options.beam - size), vocab_size);
}

std::vector<std::vector<Candidate>> pick_candidates(const Continuations& found, std::span<const SentenceBeam> sentences,
                                                    const StepRules& rules, const SearchOptions& options) {
  const size_t hypotheses = sentences.size() * static_cast<size_t>(options.beam);
  check(
      hypotheses > 0 && found.tokens.size() % hypotheses == 0 && found.tokens.size() == found.log_probabilities.size(),
      "a step must give as many continuations of each hypothesis");
  check(found.asked.size() >= rules.asked.all().size(), "a step must give the log-probabilities that are asked for");
  std::vector<std::vector<Candidate>> candidates;
  candidates.reserve(sentences.size());
  const size_t count = found.tokens.size() / hypotheses;
  for (size_t i = 0; i < sentences.size(); ++i) {
    candidates.push_back(
        candidates_of({found, sentences[i], rules, options, i * static_cast<size_t>(options.beam), count}));
  }
  return candidates;
}

std::vector<Candidate> in_banks(std::span<const Candidate> candidates, std::span<const int64_t> banks) {
  std::map<int64_t, int64_t> sizes;
  std::vector<std::pair<int64_t, int64_t>> places;  // the rank in its bank, and the bank, the fullest first
  for (const int64_t bank : banks) places.emplace_back(sizes[bank]++, -bank);
  std::vector<size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return places[i]; });
  std::vector<Candidate> ordered;
  for (const size_t i : order) ordered.push_back(candidates[i]);
  return ordered;
}

}  // namespace heed::search
