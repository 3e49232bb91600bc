#include "heed/search/rules/next_tokens.h"

#include <algorithm>

#include "heed/search/rules/phrases.h"
#include "heed/search/rules/repetition.h"

namespace heed::search {
namespace {

text::Ids joined(const text::Ids& a, const text::Ids& b) {
  text::Ids both;
  std::ranges::set_union(a, b, std::back_inserter(both));
  return both;
}

text::Ids without(const text::Ids& a, const text::Ids& b) {
  text::Ids rest;
  std::ranges::set_difference(a, b, std::back_inserter(rest));
  return rest;
}

/// What the required phrases want; nothing if there are none or all are met.
NextTokens for_required(std::span<const int32_t> hypothesis, int64_t room, const Demands& demands) {
  const PhraseProgress progress(demands.required, hypothesis);
  if (progress.all_met()) return {};
  const bool waits = progress.may_wait(room);
  return {.barred = {text::kEos}, .asked = waits ? progress.next() : progress.next_within(room), .asked_alone = !waits};
}

}  // namespace

NextTokens next_tokens(std::span<const int32_t> hypothesis, int64_t room, const Demands* demands,
                       const SearchOptions& options) {
  NextTokens next;
  text::Ids against_rules;
  if (demands != nullptr) {
    if (hypothesis.size() < demands->prefix.size()) {
      return {.asked = {demands->prefix[hypothesis.size()]}, .asked_alone = true};
    }
    next = for_required(hypothesis, room, *demands);
    against_rules = completing(demands->forbidden, hypothesis);
  }
  if (options.no_repeat_ngram > 0) {
    against_rules = joined(against_rules, repeating(hypothesis, options.no_repeat_ngram));
  }
  next.barred = joined(next.barred, without(against_rules, next.asked));
  if (options.repetition_penalty != 1 && !next.asked_alone) {
    const text::Ids never = options.unknown ? next.barred : joined(next.barred, {text::kUnk});
    next.asked = joined(next.asked, without(distinct(hypothesis), never));
  }
  return next;
}

bool need_rules(std::span<const RunningSentence> sentences, const SearchOptions& options) {
  return options.no_repeat_ngram > 0 || options.repetition_penalty != 1 ||
         std::ranges::any_of(sentences, [](const RunningSentence& sentence) { return sentence.demands != nullptr; });
}

StepRules step_rules(std::span<const RunningSentence> sentences, std::span<const End> ends,
                     const SearchOptions& options) {
  StepRules rules;
  if (!need_rules(sentences, options)) return rules;
  for (size_t i = 0; i < sentences.size(); ++i) {
    const RunningSentence& sentence = sentences[i];
    const int64_t room = sentence.limit - sentence.length();
    for (size_t beam = 0; beam < static_cast<size_t>(sentence.beam); ++beam) {
      NextTokens next;
      if (beam < sentence.live.size() && ends[i] != End::Forced) {
        next = next_tokens(tokens_of(sentence, beam), room, sentence.demands, options);
      }
      rules.barred.add(joined(next.barred, next.asked));
      rules.asked.add(next.asked);
      rules.asked_alone.push_back(next.asked_alone ? 1 : 0);
    }
  }
  return rules;
}

}  // namespace heed::search
