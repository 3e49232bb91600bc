#include "heed/search/phrases.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "heed/search/repetition.h"

namespace heed::search {

using text::WordClass;

PhraseProgress::PhraseProgress(std::span<const RequiredPhrase> required, const text::TokenTexts* token_texts)
    : required_(required), token_texts_(token_texts), progress_(required.size()) {
  for (size_t i = 0; i < required.size(); ++i) reset(i);
}

PhraseProgress::PhraseProgress(std::span<const RequiredPhrase> required, std::span<const int32_t> hypothesis,
                               const text::TokenTexts* token_texts)
    : PhraseProgress(required, token_texts) {
  for (const int32_t token : hypothesis) advance(token);
}

void PhraseProgress::reset(size_t phrase) {
  progress_[phrase] = {.matched = std::vector<size_t>(required_[phrase].forms.size(), 0)};
}

/// Whether an earlier unmet phrase shares a form with this one. That phrase is met first.
bool PhraseProgress::waits_for_its_like(size_t phrase) const {
  const auto shares_form = [&](const RequiredPhrase& other) {
    return std::ranges::any_of(other.forms, [&](const text::Ids& form) {
      return std::ranges::find(required_[phrase].forms, form) != required_[phrase].forms.end();
    });
  };
  for (size_t i = 0; i < phrase; ++i) {
    if (!progress_[i].met && shares_form(required_[i])) return true;
  }
  return false;
}

bool PhraseProgress::starts_at_boundary(const text::Ids& form, WordClass before) const {
  if (token_texts_ == nullptr) return true;
  const auto first = std::ranges::find_if(form, [&](int32_t token) { return !!token_texts_->first_class(token); });
  return first == form.end() || is_word_boundary(before, *token_texts_->first_class(*first));
}

bool PhraseProgress::continues_word(int32_t token) const {
  const auto first = token_texts_ == nullptr ? std::nullopt : token_texts_->first_class(token);
  return first && !is_word_boundary(last_, *first);
}

/// The number of first tokens of the form that match the end of its first `matched` tokens plus `token`.
size_t PhraseProgress::matched_with(const text::Ids& form, size_t matched, int32_t token) const {
  const auto before = [&](size_t length) {  // the class of the character before the last `length` tokens
    if (length == 1 || token_texts_ == nullptr) return last_;
    return token_texts_->last_class(form[matched - length]).value_or(WordClass::Letter);
  };
  const auto fits = [&](size_t length) {  // whether `token` completes a match of the first `length` tokens of the form
    return form[length - 1] == token &&
           std::equal(form.begin(), form.begin() + static_cast<std::ptrdiff_t>(length - 1),
                      form.begin() + static_cast<std::ptrdiff_t>(matched - (length - 1))) &&
           ((length > 1 && length == matched + 1) || starts_at_boundary(form, before(length)));
  };
  for (size_t length = matched + 1; length > 0; --length) {
    if (fits(length)) return length;
  }
  return 0;
}

void PhraseProgress::advance_phrase(size_t phrase, int32_t token) {
  Progress& progress = progress_[phrase];
  if (progress.met) {
    if (!progress.open) return;
    if (!continues_word(token)) {
      progress.open = !token_texts_->first_class(token);
      return;
    }
    reopen(phrase);
  } else if (waits_for_its_like(phrase)) {
    return;
  }
  match_forms(phrase, token);
}

/// The last word of a met phrase has more letters, so the phrase is unmet again. The word may belong to a longer form.
void PhraseProgress::reopen(size_t phrase) {
  Progress& progress = progress_[phrase];
  progress.met = progress.open = false;
  for (size_t i = 0; i < progress.matched.size(); ++i) {
    if (progress.matched[i] == required_[phrase].forms[i].size()) progress.matched[i] = 0;
  }
}

void PhraseProgress::match_forms(size_t phrase, int32_t token) {
  Progress& progress = progress_[phrase];
  const auto& forms = required_[phrase].forms;
  for (size_t i = 0; i < forms.size(); ++i) {
    progress.matched[i] = matched_with(forms[i], progress.matched[i], token);
    if (progress.matched[i] < forms[i].size()) continue;
    progress.met = true;
    const auto last = token_texts_ == nullptr ? std::nullopt : token_texts_->last_class(token);
    progress.open = last && !is_word_boundary(*last, WordClass::Letter);
  }
}

void PhraseProgress::advance(int32_t token) {
  // From last to first: waits_for_its_like needs the earlier phrases as they were before this token.
  for (size_t i = required_.size(); i-- > 0;) advance_phrase(i, token);
  if (token_texts_ != nullptr) last_ = token_texts_->last_class(token).value_or(last_);
}

bool PhraseProgress::all_met() const {
  return std::ranges::all_of(progress_, [](const Progress& progress) { return progress.met; });
}

size_t PhraseProgress::met_length(size_t phrase) const {
  if (!progress_[phrase].met) return 0;
  const auto& forms = required_[phrase].forms;
  size_t form = 0;
  while (progress_[phrase].matched[form] < forms[form].size()) ++form;
  return forms[form].size();
}

bool PhraseProgress::any_open() const {
  return std::ranges::any_of(progress_, [](const Progress& progress) { return progress.open; });
}

/// The number of phrase tokens that the hypothesis has. A shorter form gets its difference to the longest form added,
/// so that all forms count equally.
size_t PhraseProgress::progress_of(size_t phrase) const {
  const RequiredPhrase& required = required_[phrase];
  if (progress_[phrase].met) return required.longest();
  size_t most = 0;
  for (size_t i = 0; i < required.forms.size(); ++i) {
    const size_t matched = progress_[phrase].matched[i];
    if (matched > 0) most = std::max(most, required.longest() - required.forms[i].size() + matched);
  }
  return most;
}

int64_t PhraseProgress::tokens_met() const {
  size_t met = 0, furthest = 0;
  for (size_t i = 0; i < required_.size(); ++i) {
    if (progress_[i].met) {
      met += required_[i].longest();
    } else {
      furthest = std::max(furthest, progress_of(i));
    }
  }
  return static_cast<int64_t>(met + furthest);
}

int64_t PhraseProgress::tokens_left() const {
  size_t sum = 0;
  for (const RequiredPhrase& phrase : required_) sum += phrase.longest();
  return static_cast<int64_t>(sum) - tokens_met();
}

/// Whether some phrase cannot follow a letter, so that a word must end first.
bool PhraseProgress::some_wait_for_word_end() const {
  return std::ranges::any_of(required_, [&](const RequiredPhrase& phrase) {
    return std::ranges::none_of(phrase.forms,
                                [&](const text::Ids& form) { return starts_at_boundary(form, WordClass::Letter); });
  });
}

bool PhraseProgress::may_wait(int64_t room) const {
  size_t unmet = some_wait_for_word_end() ? 1 : 0;
  for (size_t i = 0; i < required_.size(); ++i) {
    if (!progress_[i].met || progress_[i].open) unmet += required_[i].longest();
  }
  return static_cast<int64_t>(unmet) < room;
}

text::Ids PhraseProgress::next() const {
  text::Ids tokens;
  for (size_t i = 0; i < required_.size(); ++i) {
    if (progress_[i].met) continue;
    const auto& forms = required_[i].forms;
    for (size_t form = 0; form < forms.size(); ++form) {
      const size_t matched = progress_[i].matched[form];
      if (matched > 0 || starts_at_boundary(forms[form], last_)) tokens.push_back(forms[form][matched]);
    }
  }
  return distinct(tokens);
}

text::Ids PhraseProgress::next_within(int64_t room) const {
  text::Ids tokens;
  for (size_t i = 0; i < required_.size(); ++i) {
    if (progress_[i].met) continue;
    for (const text::Ids& form : required_[i].forms) tokens.insert(tokens.end(), form.begin(), form.end());
  }
  tokens = distinct(tokens);
  std::erase_if(tokens, [&](int32_t token) {
    PhraseProgress after = *this;
    after.advance(token);
    const bool word_ends_first = !after.all_met() && after.next().empty();
    return after.tokens_left() + (word_ends_first ? 1 : 0) >= room;
  });
  return tokens;
}

std::vector<float> required_log_probabilities(const SentenceConstraints& constraints,
                                              std::span<const int32_t> hypothesis,
                                              std::span<const float> log_probabilities) {
  const std::span<const int32_t> tokens = constraints.text_of(hypothesis);
  const auto own = log_probabilities.subspan(hypothesis.size() - tokens.size(), tokens.size());
  PhraseProgress progress(constraints.required, constraints.token_texts.get());
  std::vector<std::span<const float>> places(constraints.required.size());  // empty: not met
  for (size_t end = 1; end <= tokens.size(); ++end) {
    progress.advance(tokens[end - 1]);
    for (size_t phrase = 0; phrase < places.size(); ++phrase) {
      const size_t length = progress.met_length(phrase);
      if (length == 0) {
        places[phrase] = {};
      } else if (places[phrase].empty()) {
        places[phrase] = own.subspan(end - length, length);
      }
    }
  }
  std::vector<float> means;
  for (const auto& place : places) {
    if (place.empty()) continue;
    means.push_back(std::accumulate(place.begin(), place.end(), 0.0F) / static_cast<float>(place.size()));
  }
  return means;
}

PhraseProgress phrase_progress(const SentenceConstraints& constraints, std::span<const int32_t> hypothesis) {
  return {constraints.required, constraints.text_of(hypothesis), constraints.token_texts.get()};
}

}  // namespace heed::search
