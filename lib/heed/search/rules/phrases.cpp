#include "heed/search/rules/phrases.h"

#include <algorithm>
#include <utility>

#include "heed/search/rules/repetition.h"

namespace heed::search {
namespace {

/// How many first tokens of the phrase stand at the end of its first `matched` tokens and `token`.
size_t matched_with(const text::Ids& phrase, size_t matched, int32_t token) {
  const auto fits = [&](size_t length) {  // the first `length` tokens, of which `token` is the last
    return phrase[length - 1] == token &&
           std::equal(phrase.begin(), phrase.begin() + static_cast<std::ptrdiff_t>(length - 1),
                      phrase.begin() + static_cast<std::ptrdiff_t>(matched - (length - 1)));
  };
  for (size_t length = matched + 1; length > 0; --length) {
    if (fits(length)) return length;
  }
  return 0;
}

/// The places of a phrase at which a hypothesis may be, its begin among them: true of each.
std::vector<bool> places_of(const text::Spellings& phrase, std::span<const int32_t> hypothesis) {
  std::vector<bool> places(phrase.end() + 1, false);
  places[0] = true;
  for (const int32_t token : hypothesis) {
    std::vector<bool> after(places.size(), false);
    after[0] = true;
    for (size_t place = 0; place < phrase.end(); ++place) {
      if (!places[place]) continue;
      for (const text::Spellings::Step& step : phrase.steps[place]) {
        if (step.token == token) after[step.to] = true;
      }
    }
    places = std::move(after);
  }
  return places;
}

}  // namespace

PhraseProgress::PhraseProgress(std::span<const text::Ids> required, std::span<const int32_t> hypothesis)
    : PhraseProgress(required) {
  for (const int32_t token : hypothesis) advance(token);
}

/// Whether an equal phrase before it is not met yet.
bool PhraseProgress::waits_for_its_like(size_t phrase) const {
  for (size_t i = 0; i < phrase; ++i) {
    if (!is_met(i) && required_[i] == required_[phrase]) return true;
  }
  return false;
}

void PhraseProgress::advance(int32_t token) {
  // The last first: a phrase waits for its like as it was before this token.
  for (size_t i = required_.size(); i-- > 0;) {
    if (!is_met(i) && !waits_for_its_like(i)) matched_[i] = matched_with(required_[i], matched_[i], token);
  }
}

bool PhraseProgress::all_met() const {
  for (size_t i = 0; i < required_.size(); ++i) {
    if (!is_met(i)) return false;
  }
  return true;
}

int64_t PhraseProgress::met() const {
  size_t sum = 0;
  for (size_t i = 0; i < required_.size(); ++i) sum += is_met(i) ? matched_[i] : 0;
  return static_cast<int64_t>(sum);
}

size_t PhraseProgress::furthest() const {
  size_t most = 0;
  for (size_t i = 0; i < required_.size(); ++i) most = std::max(most, is_met(i) ? 0 : matched_[i]);
  return most;
}

int64_t PhraseProgress::tokens_left() const {
  size_t sum = 0;
  for (const text::Ids& phrase : required_) sum += phrase.size();
  return static_cast<int64_t>(sum) - tokens_met();
}

text::Ids PhraseProgress::next() const {
  text::Ids tokens;
  for (size_t i = 0; i < required_.size(); ++i) {
    if (!is_met(i)) tokens.push_back(required_[i][matched_[i]]);
  }
  return distinct(tokens);
}

text::Ids PhraseProgress::next_within(int64_t room) const {
  text::Ids tokens;
  for (size_t i = 0; i < required_.size(); ++i) {
    if (!is_met(i)) tokens.insert(tokens.end(), required_[i].begin(), required_[i].end());
  }
  tokens = distinct(tokens);
  std::erase_if(tokens, [&](int32_t token) {
    PhraseProgress after = *this;
    after.advance(token);
    return after.tokens_left() >= room;
  });
  return tokens;
}

text::Ids completing(std::span<const text::Spellings> phrases, std::span<const int32_t> hypothesis) {
  text::Ids tokens;
  for (const text::Spellings& phrase : phrases) {
    const std::vector<bool> places = places_of(phrase, hypothesis.last(std::min(phrase.end(), hypothesis.size())));
    for (size_t place = 0; place < phrase.end(); ++place) {
      if (!places[place]) continue;
      for (const text::Spellings::Step& step : phrase.steps[place]) {
        if (step.to == phrase.end()) tokens.push_back(step.token);
      }
    }
  }
  return distinct(tokens);
}

}  // namespace heed::search
