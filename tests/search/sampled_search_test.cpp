// Sampling of translations, and of texts that complete a prompt.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "heed/search/search_continuously.h"
#include "search/exhaustive.h"
#include "support/forbidden_tokens.h"
#include "support/message_of.h"

namespace heed::search {
namespace {

using text::Ids;

SearchOptions sampling(int64_t samples, const DrawOptions& draw = {}, int64_t seed = 1) {
  return {.method = SampleMethod{.draw = draw, .seed = seed}, .n_best = samples};
}

std::vector<Hypothesis> sample_one(const Scorer& scorer, const SearchOptions& options,
                                   const SentenceConstraints* constraints = nullptr) {
  return search_one(scorer, options, {4}, {.token_scores = true}, constraints);
}

TEST(SampledSearch, ATranslationComesAsOftenAsItIsProbable) {
  const Scorer scorer = random_scorer(kVocab, 4);
  constexpr int64_t kSamples = 4000;
  std::map<Prefix, double> counts;
  const SearchOptions options = sampling(kSamples);
  for (const Hypothesis& sample : sample_one(scorer, options)) ++counts[{sample.ids.begin(), sample.ids.end()}];
  // What may come is a, b, c and, behind the first token, the end.
  for (const int64_t first : {4, 5, 6}) {
    const auto at_first = log_softmax(scorer({4}, {})), at_second = log_softmax(scorer({4}, {first}));
    const double words = std::exp(at_first[4]) + std::exp(at_first[5]) + std::exp(at_first[6]);
    const double then =
        std::exp(at_second[3]) + std::exp(at_second[4]) + std::exp(at_second[5]) + std::exp(at_second[6]);
    const double expected =
        kSamples * std::exp(at_first[static_cast<size_t>(first)]) / words * std::exp(at_second[text::kEos]) / then;
    EXPECT_NEAR(counts[{first}], expected, 4 * std::sqrt(expected));
  }
}

TEST(SampledSearch, ProbabilitiesAreTheModelsWhateverIsDrawnFrom) {
  const Scorer scorer = random_scorer(kVocab, 5);
  for (const Hypothesis& sample : sample_one(scorer, sampling(20, {.temperature = 3, .top_k = 2}))) {
    Prefix prefix;
    double sum = 0;
    for (size_t i = 0; i <= sample.ids.size(); ++i) {
      const auto token = i < sample.ids.size() ? sample.ids[i] : text::kEos;
      const double expected = log_softmax(scorer({4}, prefix))[static_cast<size_t>(token)];
      EXPECT_NEAR(sample.token_log_probabilities[i], expected, 1e-5);
      sum += expected;
      prefix.push_back(token);
    }
    EXPECT_NEAR(sample.log_probability, sum, 1e-4);
    EXPECT_NEAR(sample.score, sum / (static_cast<double>(sample.ids.size()) + 1), 1e-4);
  }
}

TEST(SampledSearch, TheColdestIsGreedySearch) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const Scorer scorer = random_scorer(kVocab, seed);
    const Ids greedy = search_one(scorer, {.beam = 1}, {4})[0].ids;
    for (const DrawOptions& draw : {DrawOptions{.top_p = 1e-6}, DrawOptions{.top_k = 1}}) {
      for (const Hypothesis& sample : sample_one(scorer, sampling(3, draw))) EXPECT_EQ(sample.ids, greedy);
    }
  }
}

TEST(SampledSearch, OtherSeedsDrawOtherSamples) {
  const Scorer scorer = random_scorer(kVocab, 2);
  const auto ids_of = [&](int64_t seed) {
    std::vector<Ids> ids;
    for (const Hypothesis& sample : sample_one(scorer, sampling(10, {}, seed))) ids.push_back(sample.ids);
    return ids;
  };
  EXPECT_EQ(ids_of(1), ids_of(1));
  EXPECT_NE(ids_of(1), ids_of(2));
}

TEST(SampledSearch, MeetsConstraints) {
  const SentenceConstraints constraints{.prefix = {5, 6, 5}, .forbidden = forbid({{6}}, kVocab)};
  SearchOptions options = sampling(50);
  options.no_repeat_ngram = 2;
  options.max_length_constant = 6;
  for (const Hypothesis& sample : sample_one(random_scorer(kVocab, 1, -2), options, &constraints)) {
    ASSERT_GE(sample.ids.size(), 3U);
    EXPECT_EQ(Ids(sample.ids.begin(), sample.ids.begin() + 3), constraints.prefix);
    EXPECT_EQ(std::count(sample.ids.begin() + 3, sample.ids.end(), 6), 0);
    std::set<std::pair<int32_t, int32_t>> pairs;
    for (size_t i = 1; i < sample.ids.size(); ++i) pairs.insert({sample.ids[i - 1], sample.ids[i]});
    EXPECT_EQ(pairs.size(), sample.ids.size() - 1);
  }
}

TEST(SampledSearch, TheLimitEndsASample) {
  const Scorer endless = [](const Prefix&, const Prefix&) { return std::vector<float>{0, 0, 0, -20, 1, 0, 0}; };
  SearchOptions options = sampling(2);
  options.max_length_factor = 0;
  options.max_length_constant = 3;
  for (const Hypothesis& sample : sample_one(endless, options)) {
    EXPECT_EQ(sample.ids.size(), 3U);
    EXPECT_FALSE(sample.complete);
  }
}

/// The samples of eight sources in batches of so many.
std::vector<std::vector<Ids>> samples_in_batches(int64_t sentences) {
  static const std::vector<Ids> kTexts{{4}, {5, 6}, {6, 6, 6, 6}, {5}, {4, 4, 4}, {6}, {5, 4}, {4}};
  std::vector<SourceSentence> sources;
  for (size_t i = 0; i < kTexts.size(); ++i) {
    sources.push_back({static_cast<int64_t>(i), kTexts[i], nullptr, nullptr, stream_key(i, Purpose::Test)});
  }
  FakeBeamModel model(kVocab, random_scorer(kVocab, 7));
  std::vector<std::vector<Ids>> found(sources.size());
  search_continuously(model, sampling(3), {}, {.sentences = sentences}, sources, [&](FinishedSentence&& finished) {
    for (const Hypothesis& hypothesis : finished.hypotheses) {
      found[static_cast<size_t>(finished.index)].push_back(hypothesis.ids);
    }
  });
  return found;
}

TEST(SampledSearch, NoSampleDependsOnItsNeighbors) {
  const auto alone = samples_in_batches(1);
  EXPECT_EQ(samples_in_batches(3), alone);
  EXPECT_EQ(samples_in_batches(8), alone);
  EXPECT_NE(alone.front(), alone.back()) << "the same source at another place";
}

TEST(SampledSearch, ScoresThatAreNotNumbersAreAnError) {
  const Scorer broken = [](const Prefix&, const Prefix&) { return std::vector<float>(kVocab, std::nanf("")); };
  for (const SearchOptions& options : {SearchOptions{.beam = 1}, sampling(1)}) {
    EXPECT_EQ(heed::testing::message_of<Error>([&] { search_one(broken, options, {4}); }),
              "the model's scores are not numbers: were its parameters damaged?");
  }
}

/// Options of a text that completes a prompt.
SearchOptions completing(int64_t max_length = 100) {
  return {.method = SampleMethod{}, .max_length_factor = 0, .max_length_constant = max_length, .min_length = 0};
}

/// So many samples of a prompt, each a sentence of its own.
std::vector<Hypothesis> complete(FakeBeamModel& model, const Ids& prompt, int64_t samples,
                                 const SearchOptions& options = completing()) {
  const SentenceConstraints constraints{.prefix = prompt, .prompt = true};
  std::vector<SourceSentence> texts;
  for (int64_t i = 0; i < samples; ++i) {
    texts.push_back({.index = i, .ids = {}, .constraints = &constraints, .first_sample = static_cast<uint64_t>(i)});
  }
  std::vector<Hypothesis> found(texts.size());
  search_continuously(model, options, {.token_scores = true}, {.sentences = 50}, texts, [&](FinishedSentence&& text) {
    found[static_cast<size_t>(text.index)] = std::move(text.hypotheses.front());
  });
  return found;
}

/// p(text | prompt) by the formula: every token and end-of-sentence; pad, unk and bos never come.
double probability_of(const Scorer& scorer, const Ids& prompt, Ids text) {
  Prefix prefix(prompt.begin(), prompt.end());
  double log_probability = 0;
  text.push_back(text::kEos);
  for (const int32_t token : text) {
    const std::vector<float> logits = scorer({}, prefix);
    double sum = 0;
    for (size_t id = text::kEos; id < logits.size(); ++id) sum += std::exp(static_cast<double>(logits[id]));
    log_probability += static_cast<double>(logits[static_cast<size_t>(token)]) - std::log(sum);
    prefix.push_back(token);
  }
  return std::exp(log_probability);
}

TEST(Prompt, TextsComeAsOftenAsTheyAreProbable) {
  const Scorer scorer = random_scorer(kVocab, 1, /*eos_logit=*/2);
  constexpr int64_t kSamples = 6000;
  for (const Ids& prompt : {Ids{}, Ids{5, 6}}) {
    FakeBeamModel model(kVocab, scorer);
    std::map<Ids, double> counts;
    for (const Hypothesis& text : complete(model, prompt, kSamples)) ++counts[text.ids];
    EXPECT_LT(model.starts, 10) << "texts enter while others are under way";
    std::vector<Ids> texts{{}};
    for (int32_t a = 4; a < kVocab; ++a) {
      texts.push_back({a});
      for (int32_t b = 4; b < kVocab; ++b) texts.push_back({a, b});
    }
    for (const Ids& text : texts) {
      const double expected = probability_of(scorer, prompt, text) * kSamples;
      EXPECT_NEAR(counts[text], expected, 4 * std::sqrt(expected) + 1) << ::testing::PrintToString(text);
    }
  }
}

TEST(Prompt, HasNoLogProbability) {
  const Scorer scorer = random_scorer(kVocab, 1, /*eos_logit=*/1);
  for (const SearchMethod& method : {SearchMethod{SampleMethod{}}, SearchMethod{BeamMethod{}}}) {
    FakeBeamModel model(kVocab, scorer);
    SearchOptions options = completing();
    options.method = method;
    options.length_penalty = NoPenalty{};
    for (const Hypothesis& text : complete(model, {5, 6, 4}, 20, options)) {
      Prefix read{5, 6, 4};
      double expected = 0;
      for (size_t i = 0; i <= text.ids.size(); ++i) {
        const int32_t token = i < text.ids.size() ? text.ids[i] : text::kEos;
        expected += log_softmax(scorer({}, read))[static_cast<size_t>(token)];
        read.push_back(token);
      }
      EXPECT_TRUE(text.complete);
      EXPECT_NEAR(text.log_probability, expected, 1e-4);
      EXPECT_NEAR(text.score, expected, 1e-4);
      EXPECT_EQ(text.token_log_probabilities.size(), text.ids.size() + 1);
    }
  }
}

TEST(Prompt, LengthsAreWithoutIt) {
  FakeBeamModel endless(kVocab, random_scorer(kVocab, 1, /*eos_logit=*/-50));
  for (const Hypothesis& text : complete(endless, {4, 5}, 4, completing(6))) {
    EXPECT_EQ(text.ids.size(), 6U);
    EXPECT_FALSE(text.complete);
  }
  endless.longest = 5;
  EXPECT_EQ(complete(endless, {4, 5}, 1)[0].ids.size(), 3U) << "the model reads the prompt too";
  FakeBeamModel short_one(kVocab, random_scorer(kVocab, 1, /*eos_logit=*/50));
  SearchOptions options = completing();
  options.min_length = 2;
  EXPECT_EQ(complete(short_one, {4, 5}, 1, options)[0].ids.size(), 2U);
  options.method = BeamMethod{};
  options.stop = StopAtBest{};
  EXPECT_EQ(complete(short_one, {4, 5}, 1, options)[0].ids.size(), 2U);
}

TEST(Prompt, MayHaveUnknownWordsAndItsTextHasNone) {
  const Scorer special = [](const Prefix&, const Prefix&) { return std::vector<float>{9, 8, 9, 0, 0, 0, 0}; };
  FakeBeamModel model(kVocab, special);
  for (const Hypothesis& text : complete(model, {text::kUnk, 4}, 30, completing(20))) {
    EXPECT_FALSE(text.ended_by_rules);
    for (const int32_t id : text.ids) EXPECT_GT(id, text::kEos);
  }
}

TEST(Prompt, MayBeFollowedByUnknownWordsIfTheyAreAllowed) {
  const Scorer unknowing = [](const Prefix&, const Prefix&) { return std::vector<float>{0, 8, 0, 2, 0, 0, 0}; };
  FakeBeamModel model(kVocab, unknowing);
  SearchOptions options = completing(20);
  options.unknown = true;
  int64_t unknown = 0;
  for (const Hypothesis& text : complete(model, {4}, 30, options)) unknown += std::ranges::count(text.ids, text::kUnk);
  EXPECT_GT(unknown, 0);
}

TEST(Prompt, GreedySearchTakesTheMostProbableTokens) {
  const Scorer scorer = random_scorer(kVocab, 6, /*eos_logit=*/1);
  FakeBeamModel model(kVocab, scorer);
  SearchOptions options = completing(10);
  options.method = BeamMethod{};
  options.beam = 1;
  const Hypothesis text = complete(model, {5, 6}, 1, options)[0];
  Prefix read{5, 6};
  for (size_t i = 0; i <= text.ids.size(); ++i) {
    const auto scores = scorer({}, read);
    const auto best = std::ranges::max_element(scores.begin() + text::kEos, scores.end()) - scores.begin();
    ASSERT_EQ(best, i < text.ids.size() ? text.ids[i] : text::kEos);
    read.push_back(best);
  }
}

TEST(Prompt, ATextThatTheModelEndsAtTheLimitIsComplete) {
  const Scorer of_two = [](const Prefix&, const Prefix& prefix) {
    const float end = prefix.size() >= 3 ? 50 : -50;
    return std::vector<float>{0, 0, 0, end, 1, 1, 1};
  };
  FakeBeamModel model(kVocab, of_two);
  for (const SearchMethod& method : {SearchMethod{SampleMethod{}}, SearchMethod{BeamMethod{}}}) {
    SearchOptions options = completing(2);
    options.method = method;
    const Hypothesis text = complete(model, {4}, 1, options)[0];
    EXPECT_EQ(text.ids.size(), 2U);
    EXPECT_TRUE(text.complete);
  }
}

TEST(Prompt, RandomNumbersDependOnTheSampleAndOnTheTokensAfterIt) {
  const Scorer forgetful = [](const Prefix&, const Prefix&) { return std::vector<float>{0, 0, 0, 1, 2, 2, 2}; };
  FakeBeamModel model(kVocab, forgetful);
  const auto ids_of = [](const std::vector<Hypothesis>& texts) {
    std::vector<Ids> ids;
    for (const Hypothesis& text : texts) ids.push_back(text.ids);
    return ids;
  };
  const auto texts = ids_of(complete(model, {}, 12));
  EXPECT_GT(std::set(texts.begin(), texts.end()).size(), 6U);
  EXPECT_EQ(ids_of(complete(model, {4, 5, 6}, 12)), texts);
  SearchOptions together = completing();
  together.n_best = 12;
  const auto samples = ids_of(search_one(forgetful, together, {}));  // best first
  EXPECT_TRUE(std::ranges::is_permutation(samples, texts)) << "the samples of one sentence have the same numbers";
}

}  // namespace
}  // namespace heed::search
