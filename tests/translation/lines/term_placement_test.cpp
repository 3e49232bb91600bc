#include "heed/translation/lines/term_placement.h"

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "heed/text/character_tokenizer.h"
#include "support/tiny_tokenizer.h"

namespace heed::translation {
namespace {

using search::Hypothesis;
using search::RequiredPhrase;
using search::SentenceConstraints;
using text::Ids;

constexpr int64_t kNoLimit = 1000;

RequiredPhrase phrase(std::vector<Ids> forms, search::SourceSpan source) {
  RequiredPhrase phrase(std::move(forms));
  phrase.source = source;
  return phrase;
}

/// Each token of these constraints is a word.
SentenceConstraints of_words(std::vector<RequiredPhrase> required) {
  return {.required = std::move(required),
          .token_texts = std::make_shared<const text::TokenTexts>(*text::numbered_words(10))};
}

/// A hypothesis whose token i attends to source position i; end-of-sentence to the first.
Hypothesis diagonal(const Ids& ids) {
  Hypothesis found;
  found.ids = ids;
  if (ids.empty()) return found;
  for (size_t i = 0; i <= ids.size(); ++i) {
    found.attention.emplace_back(ids.size(), 0.1F)[i % ids.size()] = 0.8F;
  }
  return found;
}

std::vector<Ids> prefixes(const SentenceConstraints& constraints, const Hypothesis& found,
                          int64_t max_length = kNoLimit) {
  std::vector<Ids> prefixes;
  for (const SentenceConstraints& search : constraints_of_term_searches(constraints, found, max_length)) {
    prefixes.push_back(search.prefix);
  }
  return prefixes;
}

TEST(TermSearches, APhraseReplacesTheWordThatAttendsToItsSource) {
  const auto constraints = of_words({phrase({{9, 10}}, {.begin = 1, .end = 2})});
  const auto searches = constraints_of_term_searches(constraints, diagonal({4, 5, 6}), kNoLimit);
  ASSERT_EQ(searches.size(), 2U);
  EXPECT_EQ(searches[0].prefix, Ids{}) << "anywhere";
  EXPECT_EQ(searches[1].prefix, (Ids{4, 9, 10}));
  for (const SentenceConstraints& search : searches) {
    EXPECT_EQ(search.required, constraints.required);
    EXPECT_EQ(search.scored_length, 3 + 1 + 2) << "the translation, its end and the phrase";
  }
}

TEST(TermSearches, EachMissingPhraseAndEachFormHasASearch) {
  const auto constraints = of_words({phrase({{9}, {10, 11}}, {.begin = 2, .end = 3}),
                                     phrase({{5}}, {.begin = 1, .end = 2}), phrase({{12}}, {.begin = 0, .end = 1})});
  EXPECT_EQ(prefixes(constraints, diagonal({4, 5, 6})), (std::vector<Ids>{{}, {4, 5, 9}, {4, 5, 10, 11}, {12}}))
      << "the second phrase is met";
}

TEST(TermSearches, APhraseBeginsAtTheBeginningOfAWord) {
  const text::CharacterTokenizer characters({"a", "b", " ", "x"});
  SentenceConstraints constraints{.required = {phrase({characters.encode("x"), characters.encode(" x")}, {3, 5})},
                                  .token_texts = std::make_shared<const text::TokenTexts>(characters)};
  Hypothesis found = diagonal(characters.encode("ab ab"));
  EXPECT_EQ(prefixes(constraints, found).at(1), characters.encode("ab x"));
  constraints.required[0].source = {1, 2};
  EXPECT_EQ(prefixes(constraints, found).at(1), characters.encode("x"));
  found.ids = characters.encode("abab");
  constraints.required[0].source = {3, 4};
  EXPECT_EQ(prefixes(constraints, found).at(1), characters.encode("x")) << "a word has no second beginning";
}

TEST(TermSearches, ThePrefixOfTheLineStays) {
  auto constraints = of_words({phrase({{9}}, {.begin = 1, .end = 2})});
  constraints.prefix = {4, 5};
  EXPECT_EQ(prefixes(constraints, diagonal({4, 5, 6})), (std::vector<Ids>{{4, 5}}));
  constraints.prefix = {4};
  EXPECT_EQ(prefixes(constraints, diagonal({4, 5, 6})), (std::vector<Ids>{{4}, {4, 9}}));
}

TEST(TermSearches, WithoutAPlaceThereIsOneSearch) {
  const Hypothesis found = diagonal({4, 5, 6});
  EXPECT_EQ(prefixes(of_words({phrase({{9}}, {})}), found).size(), 1U) << "the source is unknown";
  EXPECT_EQ(prefixes(of_words({phrase({{9}}, {.begin = 2, .end = 4})}), found).size(), 1U) << "truncated";
  Hypothesis without_attention = found;
  without_attention.attention.clear();
  EXPECT_EQ(prefixes(of_words({phrase({{9}}, {.begin = 2, .end = 3})}), without_attention).size(), 1U);
  EXPECT_EQ(prefixes(of_words({phrase({{9}}, {.begin = 0, .end = 1})}), diagonal({})).size(), 1U);
}

TEST(TermSearches, LengthAndNumberHaveALimit) {
  const auto constraints = of_words({phrase({{9, 10}}, {.begin = 2, .end = 3})});
  const int64_t needed = 2 + 2 + 2 + 1;  // the prefix; the phrase counts again; the end of a word
  EXPECT_EQ(prefixes(constraints, diagonal({4, 5, 6}), needed).size(), 2U);
  EXPECT_EQ(prefixes(constraints, diagonal({4, 5, 6}), needed - 1).size(), 1U);
  std::vector<Ids> forms;
  for (int32_t token = 4; token <= 13; ++token) forms.push_back({9, token});
  EXPECT_EQ(prefixes(of_words({phrase(forms, {.begin = 1, .end = 2})}), diagonal({4, 5, 6})).size(), kMostSearches);
}

}  // namespace
}  // namespace heed::translation
