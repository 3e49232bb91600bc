// What is demanded of the translation of one sentence beside being likely.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "heed/search/forbidden_phrases.h"
#include "heed/text/token_texts.h"
#include "heed/text/tokenizer.h"

namespace heed::search {

/// Tokens of a source, [begin, end). Empty: not known.
struct SourceSpan {
  size_t begin = 0, end = 0;
  bool operator==(const SourceSpan&) const = default;
};

/// A phrase that a translation contains. Its tokens may depend on what precedes them: SentencePiece without a dummy
/// prefix writes "Haus" at the begin of a line and "▁Haus" behind another word.
struct RequiredPhrase {
  std::vector<text::Ids> forms;  ///< at least one, none empty; each spells the phrase
  SourceSpan source = {};        ///< what it translates

  RequiredPhrase(std::vector<text::Ids> ways) : forms(std::move(ways)) {}  // NOLINT(google-explicit-constructor)
  RequiredPhrase(std::initializer_list<int32_t> ids) : forms{text::Ids(ids)} {}
  bool operator==(const RequiredPhrase&) const = default;

  /// The tokens of its longest form.
  size_t longest() const { return std::ranges::max(forms, {}, &text::Ids::size).size(); }
};

struct Demands {
  text::Ids prefix = {};                      ///< how it begins
  size_t tag = 0;                             ///< of the prefix, the tokens that only tell the model which language to
                                              ///< write
  std::vector<RequiredPhrase> required = {};  ///< phrases that it contains, each as often as it is listed
  bool enforced = true;  ///< false: the search does not care whether they are there, and hypotheses tell
  std::shared_ptr<const ForbiddenPhrases> forbidden = {};    ///< phrases that it does not contain; null: none
  ForbiddenPhrases::State before = {};                       ///< the text that precedes it on its line
  std::shared_ptr<const text::TokenTexts> token_texts = {};  ///< required phrases begin and end at word boundaries of
                                                             ///< these; null: each token is a word

  /// Whether the search sees to it that translations contain required phrases.
  bool enforces_phrases() const { return enforced && !required.empty(); }
  /// The tokens of a hypothesis that are text: all but the tag.
  std::span<const int32_t> text_of(std::span<const int32_t> hypothesis) const {
    return hypothesis.subspan(std::min(tag, hypothesis.size()));
  }
  /// The tokens of the shortest translation that has all of it, if nothing overlaps, and of one that ends a word before
  /// a required phrase.
  int64_t tokens() const {
    size_t sum = prefix.size() + (token_texts && !required.empty() ? 1 : 0);
    for (const RequiredPhrase& phrase : required) sum += phrase.longest();
    return static_cast<int64_t>(sum);
  }
};

}  // namespace heed::search
