#include "heed/search/next_tokens.h"

#include <algorithm>

#include "heed/search/phrases.h"
#include "heed/search/repetition.h"

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

/// Within the prefix: only the prefix token after the first `length`.
NextTokens for_prefix(const SentenceConstraints& constraints, size_t length) {
  return {.asked = {constraints.prefix[length]}, .asked_alone = true};
}

/// The rules for the required phrases; none if there are no phrases or all are met.
NextTokens for_required(std::span<const int32_t> hypothesis, int64_t room, const SentenceConstraints& constraints) {
  if (!constraints.enforces_phrases()) return {};
  const text::TokenTexts* texts = constraints.token_texts.get();
  const PhraseProgress progress = phrase_progress(constraints, hypothesis);
  const bool waits = progress.may_wait(room);
  if (progress.all_met()) {
    const bool may_lose = progress.any_open() && !waits;
    return {.barred = may_lose ? texts->continuing_word() : text::Ids{}};
  }
  if (waits) return {.barred = {text::kEos}, .asked = progress.next()};
  text::Ids asked = progress.next_within(room);
  if (!asked.empty() || texts == nullptr) {
    return {.barred = {text::kEos}, .asked = std::move(asked), .asked_alone = true};
  }
  return {.barred = joined(text::Ids{text::kEos}, texts->leaving_word_open())};  // the word ends before the phrase
}

/// Excludes tokens that make the text contain a forbidden phrase.
void forbid(std::span<const int32_t> hypothesis, const SentenceConstraints& constraints, bool single,
            NextTokens& next) {
  if (!constraints.forbidden) return;
  const auto state = constraints.forbidden->after(constraints.before, constraints.text_of(hypothesis));
  const text::Ids& forbidden = constraints.forbidden->barred(state, single);
  text::Ids allowed = without(next.asked, forbidden);
  if (!allowed.empty() || !next.asked_alone) next.asked = std::move(allowed);
  next.barred = joined(next.barred, without(forbidden, next.asked));
}

/// At the length limit the end is forced, but not after a forbidden phrase.
NextTokens for_forced_end(std::span<const int32_t> hypothesis, const SentenceConstraints& constraints) {
  const auto& forbidden = constraints.forbidden;
  const bool may_end =
      !forbidden || !forbidden->found_at_end(forbidden->after(constraints.before, constraints.text_of(hypothesis)));
  return {.barred = may_end ? text::Ids{} : text::Ids{text::kEos}};
}

bool within_prefix(const SentenceBeam& sentence) {
  return sentence.constraints != nullptr && sentence.length() < std::ssize(sentence.constraints->prefix);
}

bool has_phrases(const SentenceBeam& sentence) {
  return sentence.constraints != nullptr &&
         (sentence.constraints->enforces_phrases() || sentence.constraints->forbidden);
}

NextTokens of_hypothesis(const SentenceBeam& sentence, size_t beam, End end, const SearchOptions& options) {
  const SentenceConstraints* constraints = sentence.constraints;
  if (end == End::Forced) {
    return constraints == nullptr ? NextTokens{} : for_forced_end(tokens_of(sentence, beam), *constraints);
  }
  // The tokens so far are computed only where a rule needs them: for a long text that would take quadratic time.
  if (within_prefix(sentence)) return for_prefix(*constraints, static_cast<size_t>(sentence.length()));
  if (!has_phrases(sentence) && options.no_repeat_ngram == 0 && options.repetition_penalty == 1) return {};
  return next_tokens(tokens_of(sentence, beam), sentence.limit - sentence.length(), constraints, options);
}

}  // namespace

NextTokens next_tokens(std::span<const int32_t> hypothesis, int64_t room, const SentenceConstraints* constraints,
                       const SearchOptions& options) {
  NextTokens next;
  if (constraints != nullptr) {
    if (hypothesis.size() < constraints->prefix.size()) return for_prefix(*constraints, hypothesis.size());
    next = for_required(hypothesis, room, *constraints);
    forbid(hypothesis, *constraints, group_size(options) == 1, next);
  }
  if (options.no_repeat_ngram > 0) {
    next.barred = joined(next.barred, without(repeating(hypothesis, options.no_repeat_ngram), next.asked));
  }
  if (options.repetition_penalty != 1 && !next.asked_alone) {
    const text::Ids never = options.unknown ? next.barred : joined(next.barred, {text::kUnk});
    next.asked = joined(next.asked, without(distinct(hypothesis), never));
  }
  return next;
}

bool need_rules(std::span<const SentenceBeam> sentences, const SearchOptions& options) {
  return options.no_repeat_ngram > 0 || options.repetition_penalty != 1 ||
         std::ranges::any_of(
             sentences, [](const SentenceBeam& sentence) { return within_prefix(sentence) || has_phrases(sentence); });
}

StepRules step_rules(std::span<const SentenceBeam> sentences, std::span<const End> ends, const SearchOptions& options) {
  StepRules rules;
  if (!need_rules(sentences, options)) return rules;
  for (size_t i = 0; i < sentences.size(); ++i) {
    const SentenceBeam& sentence = sentences[i];
    for (size_t beam = 0; beam < static_cast<size_t>(sentence.beam); ++beam) {
      const NextTokens next =
          beam < sentence.live.size() ? of_hypothesis(sentence, beam, ends[i], options) : NextTokens{};
      rules.barred.add(joined(next.barred, next.asked));
      rules.asked.add(next.asked);
      rules.asked_alone.push_back(next.asked_alone ? 1 : 0);
    }
  }
  return rules;
}

}  // namespace heed::search
