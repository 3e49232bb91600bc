#include "heed/search/beam_search.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "heed/core/error.h"
#include "heed/search/beam_steps.h"
#include "heed/search/candidates.h"
#include "heed/search/next_tokens.h"
#include "heed/search/sampled_step.h"
#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

/// Runs `work`, which calls the model. If only the coverage penalty needs attention and the model has none, the
/// ConfigError names that option.
template <class Work>
void for_coverage(bool penalty_alone, const Work& work) {
  if (!penalty_alone) return work();
  try {
    work();
  } catch (const ConfigError&) {
    throw ConfigError("search.coverage-penalty", "needs a model with attention, which this one does not have");
  }
}

}  // namespace

BeamSearch::BeamSearch(BeamModel& model, const SearchOptions& options, ReturnOptions keep)
    : model_(model), options_(as_groups(options)), keep_(keep) {
  validate(options);
}

void BeamSearch::admit(std::span<const SourceSentence> sources) {
  if (sources.empty()) return;
  if (sentences_.empty()) {
    for_coverage(!keep_.attention && !keep_.places && needs_attention(),
                 [&] { model_.start(sources, options_.beam, needs_attention()); });
    tokens_.clear();
  } else {
    model_.join(sources);
  }
  tokens_.insert(tokens_.end(), sources.size() * static_cast<size_t>(options_.beam), text::kBos);
  for (const SourceSentence& source : sources) {
    auto& sentence = sentences_.emplace_back(source.index, source.length(), options_, source.constraints);
    sentence.limit = std::min(sentence.limit, model_.max_length());
    sentence.random_key = source.random_key;
    sentence.first_sample = source.first_sample;
    sentence.source_positions = source.positions();
  }
}

std::vector<FinishedSentence> BeamSearch::advance() {
  check(!sentences_.empty(), "advance needs a sentence under way");
  const std::vector<End> ends = ends_of(sentences_, options_);
  const StepRules rules = step_rules(sentences_, ends, options_);
  auto candidates = std::holds_alternative<SampleMethod>(options_.method) ? draw_candidates(ends, rules)
                                                                          : best_candidates(ends, rules);
  const auto going_on = collect_finished(sentences_, candidates, options_, keep_);
  auto finished = take_finished(going_on);
  tokens_ = reorder(model_, sentences_, candidates, going_on, options_);
  return finished;
}

std::vector<std::vector<Candidate>> BeamSearch::best_candidates(std::span<const End> ends, const StepRules& rules) {
  const std::vector<int64_t> live = live_of(sentences_);
  step({.tokens = tokens_,
        .ends = ends,
        .live = live,
        .count = continuations_needed(options_, model_.vocab_size()),
        .unknown = options_.unknown,
        .barred = rules.any() ? &rules.barred : nullptr,
        .asked = rules.any() ? &rules.asked : nullptr});
  note_ends(found_, ends, options_, sentences_);
  return pick_candidates(found_, sentences_, rules, options_);
}

std::vector<std::vector<Candidate>> BeamSearch::draw_candidates(std::span<const End> ends, const StepRules& rules) {
  const std::vector<int64_t> live = live_of(sentences_);
  SampledStep drawn(sentences_, ends, rules, options_);
  const LogProbabilityCallback rows = [&](size_t hypothesis, std::span<float> log_probabilities) {
    drawn.take(hypothesis, log_probabilities);
  };
  step({.tokens = tokens_, .ends = ends, .live = live, .rows = &rows});
  return drawn.candidates();
}

/// Runs one step of the model.
void BeamSearch::step(const StepRequest& request) {
  for_coverage(!keep_.attention && !keep_.places && needs_attention(), [&] { model_.step(request, found_); });
  if (needs_attention()) keep_attention(found_, sentences_);
}

std::vector<FinishedSentence> BeamSearch::take_finished(const std::vector<bool>& going_on) {
  std::vector<FinishedSentence> finished;
  for (size_t i = 0; i < going_on.size(); ++i) {
    if (going_on[i]) continue;
    check(!sentences_[i].finished.empty(), "a search must find a translation");
    finished.push_back({sentences_[i].index, ranked(std::move(sentences_[i].finished), options_.n_best)});
  }
  return finished;
}

}  // namespace heed::search
