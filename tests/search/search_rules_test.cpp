// Searches with constraints on the translation, compared with all translations there are.
#include <gtest/gtest.h>

#include <set>

#include "heed/core/error.h"
#include "heed/search/search_continuously.h"
#include "heed/text/character_tokenizer.h"
#include "search/exhaustive.h"
#include "support/forbidden_tokens.h"

namespace heed::search {
namespace {

using text::Ids;

/// Wide enough for every hypothesis of up to four tokens.
const SearchOptions kEverything{.beam = 200, .max_length_factor = 0, .max_length_constant = 4};

bool has(const Prefix& ids, const Ids& phrase) {
  return std::search(ids.begin(), ids.end(), phrase.begin(), phrase.end()) != ids.end();
}
bool begins_with(const Prefix& ids, const Ids& prefix) {
  return ids.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), ids.begin());
}
Prefix prefix_of(const Hypothesis& hypothesis) { return {hypothesis.ids.begin(), hypothesis.ids.end()}; }

/// The search must find the best translation that `fits`, with its score.
template <class Fits>
void expect_best(const Scorer& scorer, const SearchOptions& options, const SentenceConstraints* constraints,
                 const Fits& fits) {
  const auto found = search_one(scorer, options, {4}, {}, constraints);
  for (const auto& [score, ids] : all_translations(scorer, {4}, options)) {
    if (!fits(ids)) continue;
    EXPECT_EQ(prefix_of(found[0]), ids);
    EXPECT_NEAR(found[0].score, score, 1e-5);
    EXPECT_TRUE(found[0].complete || ids.size() == 4);
    return;
  }
  FAIL() << "no translation fits";
}

TEST(SearchRules, TheBestWithAPrefix) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    for (const Ids& prefix : std::vector<Ids>{{4}, {6, 6}, {5, 4, 6, 6}}) {
      const SentenceConstraints constraints{.prefix = prefix};
      expect_best(random_scorer(kVocab, seed), kEverything, &constraints,
                  [&](const Prefix& ids) { return begins_with(ids, prefix); });
    }
  }
}

TEST(SearchRules, TheBestWithRequiredPhrases) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    for (const std::vector<Ids>& required :
         std::vector<std::vector<Ids>>{{{6}}, {{5, 6}}, {{4, 4}, {6}}, {{5, 4}, {6}}}) {
      SentenceConstraints constraints;
      for (const Ids& phrase : required) constraints.required.emplace_back(std::vector<Ids>{phrase});
      expect_best(random_scorer(kVocab, seed), kEverything, &constraints, [&](const Prefix& ids) {
        return std::ranges::all_of(required, [&](const Ids& phrase) { return has(ids, phrase); });
      });
    }
  }
}

TEST(SearchRules, TheBestWithoutForbiddenPhrases) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const Scorer scorer = random_scorer(kVocab, seed);
    // What the free search finds is forbidden, first as a whole, then its last token.
    const Ids best = search_one(scorer, kEverything, {4})[0].ids;
    for (const Ids& phrase : {best, Ids{best.back()}}) {
      const SentenceConstraints constraints{.forbidden = forbid({phrase}, kVocab)};
      expect_best(scorer, kEverything, &constraints, [&](const Prefix& ids) { return !has(ids, phrase); });
    }
  }
}

TEST(SearchRules, TheBestThatRepeatsNothing) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    SearchOptions options = kEverything;
    options.no_repeat_ngram = 1;
    options.max_length_constant = 3;
    expect_best(random_scorer(kVocab, seed), options, nullptr,
                [](const Prefix& ids) { return std::set(ids.begin(), ids.end()).size() == ids.size(); });
  }
}

TEST(SearchRules, ANarrowBeamMeetsAllConstraintsToo) {
  const Ids never{6, 6};
  const std::vector<Ids> required{{4, 5, 6}, {6, 4}, {5}};
  const SentenceConstraints constraints{
      .prefix = {5, 6}, .required = {{4, 5, 6}, {6, 4}, {5}}, .forbidden = forbid({never}, kVocab)};
  for (uint64_t seed = 0; seed < 40; ++seed) {
    for (const int64_t beam : {1, 2, 5}) {
      const SearchOptions options{.beam = beam, .max_length_factor = 0, .max_length_constant = 8};
      for (const Hypothesis& hypothesis : search_one(random_scorer(kVocab, seed), options, {4}, {}, &constraints)) {
        const Prefix ids = prefix_of(hypothesis);
        EXPECT_TRUE(begins_with(ids, constraints.prefix));
        for (const Ids& phrase : required) EXPECT_TRUE(has(ids, phrase));
        EXPECT_FALSE(has(ids, never));
        EXPECT_LE(ids.size(), 8U);
      }
    }
  }
}

/// Three tokens at most, none twice, but at least ten are wanted.
TEST(SearchRules, RulesThatLeaveNoTokenEndASentenceWithWhatItHas) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const Scorer scorer = random_scorer(kVocab, seed);
    SearchOptions options{.beam = 3, .min_length = 10, .no_repeat_ngram = 1};
    for (const int64_t groups : {1, 3}) {
      options.groups = groups;
      const Hypothesis found = search_one(scorer, options, {4}, {.token_scores = true, .attention = true})[0];
      EXPECT_TRUE(found.ended_by_rules && found.complete);
      EXPECT_EQ(std::set(found.ids.begin(), found.ids.end()), (std::set<int32_t>{4, 5, 6}));
      double sum = 0;
      Prefix prefix;
      for (const int32_t id : found.ids) {
        sum += log_softmax(scorer({4}, prefix))[static_cast<size_t>(id)];
        prefix.push_back(id);
      }
      EXPECT_NEAR(found.log_probability, sum, 1e-5) << "without the end";
      EXPECT_NEAR(found.score, normalized_score(sum, 4, options), 1e-5);
      EXPECT_EQ(found.token_log_probabilities.size(), 4U);
      EXPECT_EQ(found.attention.size(), 4U);
    }
  }
}

TEST(SearchRules, OneSentenceThatRulesEndLeavesTheOthersAlone) {
  const SearchOptions options{.beam = 2, .min_length = 2};
  const SentenceConstraints constraints{.forbidden = forbid({{4}, {5}, {6}, {text::kUnk}}, kVocab)};
  const std::vector<Ids> texts{{4}, {5}, {6}};
  std::vector<SourceSentence> sources;
  for (size_t i = 0; i < texts.size(); ++i) {
    sources.push_back({static_cast<int64_t>(i), texts[i], nullptr, i == 1 ? &constraints : nullptr});
  }
  FakeBeamModel model(kVocab, random_scorer(kVocab, 3));
  int ended = 0;
  search_continuously(model, options, {}, {}, sources, [&](FinishedSentence&& finished) {
    const auto place = static_cast<size_t>(finished.index);
    const Hypothesis& best = finished.hypotheses[0];
    EXPECT_EQ(best.ended_by_rules, place == 1);
    if (place != 1) {
      EXPECT_EQ(best.ids, search_one(random_scorer(kVocab, 3), options, texts[place])[0].ids);
    }
    ++ended;
  });
  EXPECT_EQ(ended, 3);
}

TEST(SearchRules, ATranslationDoesNotEndWithAForbiddenPhraseAtTheLimit) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (const SearchMethod& method : std::vector<SearchMethod>{BeamMethod{}, SampleMethod{}}) {
      // Characters a, b and the space: "a", "b" and "a b" are allowed to begin what may become "aa" or "ab".
      const text::CharacterTokenizer characters({"a", "b", " "});
      const auto texts = std::make_shared<const text::TokenTexts>(characters);
      const SentenceConstraints constraints{
          .forbidden = std::make_shared<const ForbiddenPhrases>(texts, std::vector<std::string>{"a", "b", "ab"})};
      const SearchOptions options{.method = method, .beam = 2, .max_length_factor = 0, .max_length_constant = 2};
      const Hypothesis found = search_one(random_scorer(kVocab, seed, -9), options, {4}, {}, &constraints)[0];
      EXPECT_FALSE(constraints.forbidden->is_found_in(characters.decode(found.ids))) << characters.decode(found.ids);
    }
  }
}

TEST(SearchRules, ConstraintsMayBeLongerThanTheLimit) {
  const SentenceConstraints constraints{.prefix = {4, 4}, .required = {{5, 5, 5}}};
  const SearchOptions options{.beam = 2, .max_length_factor = 0, .max_length_constant = 1};
  EXPECT_EQ(search_one(random_scorer(kVocab), options, {4}, {}, &constraints)[0].ids, (Ids{4, 4, 5, 5, 5}));
}

TEST(SearchRules, ThePenaltyOfRepetitionIsInTheScoreNotInTheProbability) {
  // The first token is likeliest always: 0.6 against 0.3 and end-of-sentence 0.1.
  const Scorer repeats = [](const Prefix&, const Prefix&) {
    return std::vector<float>{-99, -99, -99, std::log(0.1F), std::log(0.6F), std::log(0.3F), -99};
  };
  const SearchOptions options{.beam = 1,
                              .length_penalty = NoPenalty{},
                              .max_length_factor = 0,
                              .max_length_constant = 3,
                              .repetition_penalty = 3};
  const Hypothesis found = search_one(repeats, options, {4})[0];
  // 0.6; then 0.6^3 = 0.216 against 0.3; then 0.6^3 against 0.3^3 and the end, 0.1.
  EXPECT_EQ(found.ids, (Ids{4, 5, 4}));
  EXPECT_NEAR(found.log_probability, std::log(0.6 * 0.3 * 0.6 * 0.1), 1e-5);
  EXPECT_NEAR(found.score, std::log(0.6 * 0.3 * 0.6 * 0.6 * 0.6 * 0.1), 1e-5);
}

TEST(SearchRules, TheCoveragePenaltyIsOfWhatNothingLooksAt) {
  // The fake model looks at source position i with token i: shorter translations leave the last ones out.
  const SearchOptions options{.beam = 200,
                              .length_penalty = NoPenalty{},
                              .max_length_factor = 0,
                              .max_length_constant = 4,
                              .n_best = 100,
                              .coverage_penalty = 0.5};
  for (const Hypothesis& hypothesis : search_one(random_scorer(kVocab), options, {4, 5, 6})) {
    const auto looked_at = std::min<double>(3, static_cast<double>(hypothesis.ids.size()) + 1);  // end-of-sentence too
    EXPECT_NEAR(hypothesis.coverage, 0.5 * (3 - looked_at) * std::log(1e-6), 1e-9);
    EXPECT_NEAR(hypothesis.score, hypothesis.log_probability + hypothesis.coverage, 1e-9);
    EXPECT_TRUE(hypothesis.attention.empty());
  }
}

TEST(SearchRules, ACoveragePenaltyOfAModelWithoutAttentionIsAnError) {
  FakeBeamModel model(kVocab, random_scorer(kVocab));
  model.has_attention = false;
  BeamSearch search(model, {.beam = 2, .coverage_penalty = 1});
  const Ids ids{4};
  search.admit(std::vector<SourceSentence>{{0, ids}});
  try {
    search.advance();
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "`search.coverage-penalty` needs a model with attention, which this one does not have");
  }
}

TEST(SearchRules, StoppingAtTheBestFindsWhatAllWouldFind) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Scorer scorer = random_scorer(kVocab, seed);
    SearchOptions options = kEverything;
    const Hypothesis best = search_one(scorer, options, {4})[0];
    options.stop = StopAtBest{};
    const Hypothesis found = search_one(scorer, options, {4})[0];
    EXPECT_EQ(found.ids, best.ids);
    EXPECT_EQ(found.score, best.score);
  }
}

TEST(SearchRules, PatienceFindsNothingWorse) {
  int better = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Scorer scorer = random_scorer(kVocab, seed);
    const double impatient = search_one(scorer, {.beam = 2}, {4})[0].score;
    const double patient = search_one(scorer, {.beam = 2, .stop = StopAtCount{.patience = 4}}, {4})[0].score;
    EXPECT_GE(patient, impatient);
    better += patient > impatient ? 1 : 0;
  }
  EXPECT_GT(better, 0);
}

TEST(SearchRules, GroupsFindDifferentTranslations) {
  const Scorer scorer = random_scorer(kVocab, 3);
  const auto first_tokens = [&](double diversity) {
    std::set<int32_t> tokens;
    const SearchOptions options{.beam = 3, .n_best = 3, .groups = 3, .diversity = diversity};
    for (const Hypothesis& hypothesis : search_one(scorer, options, {4})) tokens.insert(hypothesis.ids[0]);
    return tokens.size();
  };
  EXPECT_EQ(first_tokens(0), 1U) << "each group is a greedy search";
  EXPECT_EQ(first_tokens(100), 3U) << "no group takes what an earlier one takes";
}

TEST(SearchRules, OneGroupIsPlainBeamSearch) {
  const Scorer scorer = random_scorer(kVocab, 5);
  const auto plain = search_one(scorer, {.beam = 4, .n_best = 4}, {4});
  const auto grouped = search_one(scorer, {.beam = 4, .n_best = 4, .groups = 1, .diversity = 9}, {4});
  ASSERT_EQ(plain.size(), grouped.size());
  for (size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(plain[i].ids, grouped[i].ids);
}

/// The hypotheses of sentences of which every other one has constraints, in batches of so many.
std::vector<std::vector<Ids>> in_batches(int64_t sentences, const SearchOptions& options) {
  static const SentenceConstraints kConstraints{
      .prefix = {6}, .required = {{5, 5}}, .forbidden = forbid({{4, 5}}, kVocab)};
  static const std::vector<Ids> kSources{{4}, {5, 6}, {6, 6, 6, 6}, {5}, {4, 4, 4}, {6}, {5, 4}, {4, 5, 6}};
  std::vector<SourceSentence> sources;
  for (size_t i = 0; i < kSources.size(); ++i) {
    sources.push_back({static_cast<int64_t>(i), kSources[i], nullptr, i % 2 == 0 ? &kConstraints : nullptr});
  }
  FakeBeamModel model(kVocab, random_scorer(kVocab, 7));
  std::vector<std::vector<Ids>> found(sources.size());
  search_continuously(model, options, {}, {.sentences = sentences}, sources, [&](FinishedSentence&& finished) {
    for (const Hypothesis& hypothesis : finished.hypotheses) {
      found[static_cast<size_t>(finished.index)].push_back(hypothesis.ids);
    }
  });
  return found;
}

TEST(SearchRules, NoSentenceDependsOnItsNeighbors) {
  for (const SearchOptions& options :
       std::vector<SearchOptions>{{.beam = 3, .n_best = 3},
                                  {.beam = 4, .n_best = 4, .groups = 2, .diversity = 1},
                                  {.beam = 3, .n_best = 2, .no_repeat_ngram = 2, .repetition_penalty = 1.3},
                                  {.beam = 2, .n_best = 2, .coverage_penalty = 0.3, .stop = StopAtBest{}},
                                  {.beam = 2, .n_best = 2, .stop = StopAtCount{.patience = 3}}}) {
    const auto alone = in_batches(1, options);
    EXPECT_EQ(in_batches(3, options), alone);
    EXPECT_EQ(in_batches(8, options), alone);
  }
}

}  // namespace
}  // namespace heed::search
