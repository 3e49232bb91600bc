#include "heed/translation/translator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/torch.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/text/unicode.h"
#include "heed_torch/translation/ensemble_model.h"
#include "heed_torch/translation/forced_attention.h"
#include "heed_torch/translation/scorer.h"
#include "support/decisive_model.h"
#include "support/message_of.h"
#include "support/phrases_in_text.h"
#include "support/temporary_directory.h"
#include "support/tiny_models.h"
#include "support/tiny_tokenizer.h"

namespace heed::translation {
namespace {

constexpr int64_t kWords = 60;

class TranslatorTest : public ::testing::Test {
 protected:
  Translator translator(const TranslatorOptions& options = {}, const search::SearchOptions& search = {},
                        search::ReturnOptions keep = {}) const {
    return {ensemble_model(), {words, words}, search, options, keep};
  }
  std::shared_ptr<EnsembleModel> ensemble_model() const { return std::make_shared<EnsembleModel>(model, at::kCPU); }

  std::shared_ptr<models::Model> model = testing::decisive_model(kWords);
  std::shared_ptr<const text::Tokenizer> words = text::numbered_words(kWords);
};

std::vector<std::string> texts(const std::vector<Translation>& translations) {
  std::vector<std::string> all;
  for (const Translation& translation : translations) all.push_back(translation.text);
  return all;
}

TEST_F(TranslatorTest, BatchesOrderWorkersAndRefillDoNotChangeTranslations) {
  const search::SearchOptions search{.beam = 3};
  const auto lines = text::random_lines(1000, kWords, 12);
  const auto expected = texts(translator({.batch_sentences = 1, .workers = 1}, search).translate(source_lines(lines)));
  ASSERT_EQ(expected.size(), lines.size());
  EXPECT_GT(std::set(expected.begin(), expected.end()).size(), 500U);
  EXPECT_EQ(texts(translator({}, search).translate(source_lines(lines))), expected);
  EXPECT_EQ(
      texts(translator({.batch_sentences = 256, .refill = 1, .workers = 2}, search).translate(source_lines(lines))),
      expected);
  EXPECT_EQ(texts(translator({.batch_tokens = 100, .refill = 0, .read_ahead = 100, .workers = 3}, search)
                      .translate(source_lines(lines))),
            expected);
  const std::vector<std::string> backwards(lines.rbegin(), lines.rend());
  auto translated = texts(translator({}, search).translate(source_lines(backwards)));
  std::ranges::reverse(translated);
  EXPECT_EQ(translated, expected);
}

TEST_F(TranslatorTest, LinesThatJoinABatchUnderWayHaveTheirOwnTranslations) {
  auto lines = text::random_lines(300, kWords, 12);
  lines[7] = lines[8] = lines[299] = "";
  lines[50] = text::random_lines(1, kWords, 60)[0];  // is split
  const Translator one = translator({.max_source_length = 20, .batch_sentences = 7}, {.beam = 3});
  const auto expected = texts(one.translate(source_lines(lines)));
  std::vector<std::string> found(lines.size());
  size_t next = 0, steps = 0, finished = 0, early = 0;
  one.translate_continuously(
      [&](size_t most) {
        std::vector<SourceLine> more;
        const size_t wanted = finished == next || steps++ % 3 == 0 ? most : 0;
        for (; more.size() < wanted && next < lines.size(); ++next) more.push_back({.text = lines[next]});
        return more;
      },
      [&](FinishedLine&& line) {
        early += ++finished < next ? 1 : 0;
        EXPECT_EQ(line.source_tokens > 0, !lines[line.number].empty());
        found[line.number] = line.translation.text;
      });
  EXPECT_EQ(found, expected);
  EXPECT_GT(early, 200U) << "lines are finished while others are under way";
}

/// A language model of the target's words.
std::shared_ptr<models::Model> language_model() {
  auto options = testing::decisive_architecture();
  options.encoder.type = models::NoEncoderOptions{};
  auto model = models::build_model(options, {.source = 0, .target = kWords + 4}, 5);
  const torch::NoGradGuard guard;
  model->output->weight.mul_(3);
  return model;
}

TEST_F(TranslatorTest, AFusedLanguageModelsLogProbabilitiesAreAdded) {
  constexpr double kWeight = 0.4;
  const auto lines = text::random_lines(40, kWords, 12);
  const search::SearchOptions search{.beam = 3, .length_penalty = search::NoPenalty{}};
  const auto fused = ensemble_model();
  fused->fuse({.model = language_model(), .tokenizer = words, .weight = kWeight}, {words, words});
  const auto translations = Translator(fused, {words, words}, search, {}).translate(source_lines(lines));
  EXPECT_NE(texts(translations), texts(translator({}, search).translate(source_lines(lines)))) << "it has a say";
  std::vector<text::Ids> sources, targets;
  for (const Translation& translation : translations) {
    sources.push_back(translation.source);
    targets.push_back(translation.target);
  }
  const auto translation_scores = Scorer(model, {words, words}, {}, at::kCPU).score(sources, targets);
  const auto language_scores = Scorer(language_model(), {nullptr, words}, {}, at::kCPU).score({}, targets);
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_NEAR(translations[i].score,
                translation_scores[i].log_probability + kWeight * language_scores[i].log_probability, 1e-3);
  }
}

TEST_F(TranslatorTest, AnEnsembleOfEqualModelsTranslatesAsOne) {
  const auto lines = text::random_lines(40, kWords, 12);
  const search::SearchOptions search{.beam = 3};
  const auto ensemble = ensemble_model();
  ensemble->add_model(testing::decisive_model(kWords), {words, words}, {words, words});
  const auto expected = translator({}, search).translate(source_lines(lines));
  const auto translations = Translator(ensemble, {words, words}, search, {}).translate(source_lines(lines));
  EXPECT_EQ(texts(translations), texts(expected));
  for (size_t i = 0; i < lines.size(); ++i) EXPECT_NEAR(translations[i].score, expected[i].score, 1e-4);
}

TEST_F(TranslatorTest, AnEnsembleReadsWhatAllItsModelsCanRead) {
  auto options = testing::decisive_architecture();
  testing::encoder_stack(options).positions = nn::LearnedPositions{.max_length = 9};
  const auto ensemble = ensemble_model();
  ensemble->add_model(testing::decisive_model(kWords, options), {words, words}, {words, words});
  EXPECT_EQ(Translator(ensemble, {words, words}, {}, {}).max_source_length(), 8);
}

TEST_F(TranslatorTest, AnEnsembleOfOtherVocabulariesIsRefused) {
  const auto error = [&](const text::Tokenizers& tokenizers) {
    return testing::message_of<ConfigError>([&] { ensemble_model()->add_model(model, tokenizers, {words, words}); });
  };
  const auto few = text::numbered_words(3);
  const std::string end =
      " vocabulary of the first model, but has 7 entries instead of 64; train it with "
      "`text.tokenizers` = given and that model's tokenizer";
  EXPECT_EQ(error({few, words}), "`ensemble` must have the source" + end);
  EXPECT_EQ(error({words, few}), "`ensemble` must have the target" + end);
}

TEST_F(TranslatorTest, ALanguageModelOfAnotherVocabularyIsRefused) {
  const auto error = [&](std::shared_ptr<const text::Tokenizer> tokenizer) {
    return testing::message_of<ConfigError>([&] {
      ensemble_model()->fuse({.model = language_model(), .tokenizer = std::move(tokenizer)}, {words, words});
    });
  };
  const std::string begin = "`language-model` must have the target vocabulary of the first model, but ";
  const std::string end = "; train it with `text.tokenizers` = given and that model's tokenizer";
  EXPECT_EQ(error(text::numbered_words(3)), begin + "has 7 entries instead of 64" + end);
  EXPECT_EQ(error(text::numbered_words(kWords - 1, {"other"})),
            begin + "its entry 63 is `other` instead of `w59`" + end);
}

TEST_F(TranslatorTest, WorkersDoNotChangeAScoresBit) {
  const auto lines = text::random_lines(200, kWords, 25);
  const auto two = translator({.workers = 2}).translate(source_lines(lines));
  const auto three = translator({.workers = 3}).translate(source_lines(lines));
  for (size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(two[i].log_probability, three[i].log_probability);
}

TEST_F(TranslatorTest, BlankLinesStayBlank) {
  const std::vector<std::string> lines{"", "w1 w2", "  \t", "", "w3", ""};
  const auto translations = translator().translate(source_lines(lines));
  ASSERT_EQ(translations.size(), 6U);
  for (const size_t i : {0, 2, 3, 5}) {
    EXPECT_EQ(translations[i].text, "");
    EXPECT_EQ(translations[i].parts, 0);
  }
  EXPECT_NE(translations[1].text, "");
  EXPECT_EQ(translations[1].text, translator().translate(source_lines({"w1 w2"}))[0].text);
}

TEST_F(TranslatorTest, NoLinesAreNoTranslations) {
  EXPECT_TRUE(translator().translate(std::vector<SourceLine>{}).empty());
}

TEST_F(TranslatorTest, ALongLineIsSplitAndTellsSo) {
  const std::vector<std::string> lines{"w1", "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12"};
  const auto translations = translator({.max_source_length = 8}).translate(source_lines(lines));
  ASSERT_EQ(translations.size(), 2U);
  EXPECT_EQ(translations[0].parts, 1);
  EXPECT_EQ(translations[1].parts, 2);
  const std::string first = translator().translate(source_lines({"w1 w2 w3 w4 w5 w6 w7"}))[0].text;
  const std::string second = translator().translate(source_lines({"w8 w9 w10 w11 w12"}))[0].text;
  EXPECT_EQ(translations[1].text, first + " " + second);
}

TEST_F(TranslatorTest, LearnedPositionsLimitALinesLength) {
  auto options = testing::decisive_architecture();
  testing::encoder_stack(options).positions = nn::LearnedPositions{.max_length = 9};
  testing::decoder_stack(options).positions = nn::LearnedPositions{.max_length = 9};
  model = testing::decisive_model(kWords, options);
  EXPECT_EQ(translator().max_source_length(), 8);
  const auto translations = translator().translate(source_lines({"w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12"}));
  EXPECT_EQ(translations[0].parts, 2);
  EXPECT_LE(translations[0].target.size(), 16U);
}

TEST_F(TranslatorTest, ScoresOfLocationsLimitALinesLength) {
  auto options = testing::tiny_rnn();
  std::get<models::RnnDecoderOptions>(options.decoder.type).attention =
      models::AttentionBeforeCell{.attend = {.score = nn::LocationScore{.max_source = 9}}};
  model = models::build_model(options, {.source = kWords + 4, .target = kWords + 4}, 1);
  EXPECT_EQ(translator().max_source_length(), 8);
  const auto translations =
      translator().translate(source_lines({"w1 w2 w3 w4 w5 w6 w7 w8", "w1 w2 w3 w4 w5 w6 w7 w8 w9"}));
  EXPECT_EQ(translations[0].parts, 1);
  EXPECT_EQ(translations[1].parts, 2);
}

TEST_F(TranslatorTest, StreamsWindowByWindowInOrder) {
  const auto lines = text::random_lines(100, kWords, 10);
  const auto expected = texts(translator().translate(source_lines(lines)));
  size_t asked = 0, most_ahead = 0;
  std::vector<std::string> given;
  translator({.read_ahead = 40})
      .translate_stream(
          [&](size_t most) {
            std::vector<SourceLine> window;
            while (window.size() < most && asked < lines.size()) window.push_back({.text = lines[asked++]});
            most_ahead = std::max(most_ahead, asked - given.size());
            return window;
          },
          [&](Translation&& translation) { given.push_back(translation.text); });
  EXPECT_EQ(given, expected);
  EXPECT_EQ(most_ahead, 40U);
}

TEST_F(TranslatorTest, AWindowOfOneAnswersLineByLine) {
  const auto lines = text::random_lines(5, kWords, 10);
  size_t asked = 0, given = 0;
  translator({.read_ahead = 1})
      .translate_stream(
          [&](size_t most) {
            EXPECT_EQ(given, asked);
            EXPECT_EQ(most, 1U);
            std::vector<SourceLine> window;
            if (asked < lines.size()) window.push_back({.text = lines[asked++]});
            return window;
          },
          [&](Translation&&) { ++given; });
  EXPECT_EQ(given, 5U);
}

TEST_F(TranslatorTest, ProgressCountsLinesAndRealTokens) {
  auto lines = text::random_lines(70, kWords, 10);
  lines[3] = "";
  lines[5] = "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12";
  TranslationProgress last;
  int64_t calls = 0;
  const auto translations = translator({.max_source_length = 10, .workers = 2})
                                .translate(source_lines(lines), [&](const TranslationProgress& progress) {
                                  EXPECT_GE(progress.lines, last.lines);
                                  last = progress;
                                  ++calls;
                                });
  int64_t source = 0, target = 0;
  for (const Translation& translation : translations) {
    source += std::ssize(translation.source) + translation.parts;
    target += std::ssize(translation.target) + translation.parts;
  }
  EXPECT_EQ(last.lines, 70);
  EXPECT_EQ(last.source_tokens, source);
  EXPECT_EQ(last.target_tokens, target);
  EXPECT_GT(calls, 70);
}

TEST_F(TranslatorTest, ProgressCountsVectorsBesideTheirText) {
  models::ArchitectureOptions options = testing::tiny_transformer();
  options.vectors = {models::ProjectedVectors{.form = {.width = 2, .grid = false, .standardize = false}}};
  model = models::build_model(options, {.source = kWords + 4, .target = kWords + 4}, 1);
  const auto item = std::make_shared<search::SourceItem>(
      search::SourceItem{.shape = {1, 2}, .values = {3, -3, -1, 2}, .positions = 2, .has_text = true});
  const std::vector<SourceLine> lines{{.text = "w1 w2", .item = item}};
  int64_t source = 0;
  translator().translate(lines, [&](const TranslationProgress& progress) { source = progress.source_tokens; });
  EXPECT_EQ(source, 2 + 2 + 1) << "words, vectors and the end of the sentence";
}

TEST_F(TranslatorTest, ATagHasNoScoreInTheTranslation) {
  const auto constraints = std::make_shared<TranslationConstraints>(words);
  constraints->tag("w7");
  Translator tagged = translator({}, {.beam = 3}, {.token_scores = true});
  tagged.constrain(constraints);
  for (const Translation& translation : tagged.translate(source_lines(text::random_lines(20, kWords, 8)))) {
    EXPECT_EQ(translation.token_log_probabilities.size(), translation.target.size() + 1);
  }
}

TEST_F(TranslatorTest, NBestAndAttentionAreGivenWhenAskedFor) {
  const std::vector<std::string> lines{"w1 w2 w3"};
  const Translation plain = translator().translate(source_lines(lines))[0];
  EXPECT_TRUE(plain.others.empty() && plain.attention.empty() && plain.token_log_probabilities.empty());
  const Translation rich =
      translator({}, {.n_best = 3}, {.token_scores = true, .attention = true}).translate(source_lines(lines))[0];
  EXPECT_EQ(rich.text, plain.text);
  ASSERT_EQ(rich.others.size(), 2U);
  EXPECT_GE(rich.score, rich.others[0].score);
  EXPECT_GE(rich.others[0].score, rich.others[1].score);
  EXPECT_EQ(rich.token_log_probabilities.size(), rich.target.size() + 1);
  ASSERT_EQ(rich.attention.size(), rich.target.size());
  EXPECT_EQ(rich.attention[0].size(), 3U);
}

TEST_F(TranslatorTest, ShowsTheAttentionOfALayerAHeadAndAll) {
  const std::vector<std::string> lines{"w1 w2 w3", "", "w4 w5"};
  const auto searched = translator({}, {.n_best = 2}, {.attention = true}).translate(source_lines(lines));
  Translator shows = translator({}, {.n_best = 2});
  const auto reader = [&](const AttentionSelection& shown) {
    return std::make_shared<ForcedAttention>(model, at::kCPU, shown, "alignment-");
  };
  shows.show(reader({.head = 2, .all_heads = true}));
  const auto shown = shows.translate(source_lines(lines));
  EXPECT_EQ(shown[1].heads, text::HeadWeights(2, std::vector<text::AlignmentWeights>(2))) << "blank, but of every head";
  EXPECT_TRUE(searched[1].heads.empty());
  const auto expect_heads = [](const Translation& read, const Translation& kept) {
    EXPECT_EQ(read.text, kept.text);
    ASSERT_EQ(read.heads.size(), 2U);
    const auto& last_layer = read.heads[1];
    ASSERT_EQ(last_layer.size(), 2U);
    EXPECT_EQ(read.attention, last_layer[1]);
    ASSERT_EQ(read.attention.size(), kept.target.size());
    for (size_t t = 0; t < kept.target.size(); ++t) {
      for (size_t s = 0; s < kept.source.size(); ++s) {
        EXPECT_NEAR((last_layer[0][t][s] + last_layer[1][t][s]) / 2, kept.attention[t][s], 1e-4);
      }
    }
  };
  for (const size_t line : {0U, 2U}) {
    expect_heads(shown[line], searched[line]);
    ASSERT_EQ(shown[line].others.size(), 1U);
    expect_heads(shown[line].others[0], searched[line].others[0]);
  }
  EXPECT_EQ(testing::message_of<ConfigError>([&] { reader({.layer = 3}); }),
            "`alignment-layer` is 3, but this model's attention has 2 layers");
}

TEST_F(TranslatorTest, SamplesFollowFromALinesPlaceAlone) {
  const search::SearchOptions search{.method = search::SampleMethod{.draw = {.temperature = 3}}, .n_best = 2};
  auto lines = text::random_lines(200, kWords, 12);
  lines[120] = lines[3];
  const auto all_texts = [&](const TranslatorOptions& options) {
    std::vector<std::string> all;
    for (const Translation& translation : translator(options, search).translate(source_lines(lines))) {
      all.push_back(translation.text);
      for (const Translation& other : translation.others) all.push_back(other.text);
    }
    return all;
  };
  const auto expected = all_texts({.batch_sentences = 1, .workers = 1});
  ASSERT_EQ(expected.size(), 400U);
  EXPECT_NE(expected[6], expected[240]) << "another place, another sample";
  EXPECT_EQ(all_texts({.batch_sentences = 100, .read_ahead = 30, .workers = 2}), expected);
  EXPECT_EQ(all_texts({.refill = 0.1}), expected);
}

/// A translator of which w1 must become w50 w51, and none may say what `never` is.
class TranslatorConstraintsTest : public TranslatorTest {
 protected:
  Translator constrained(const TranslatorOptions& options, const std::string& never) const {
    const testing::TemporaryDirectory directory;
    write_file(directory.file("terms"), "w1\tw50 w51\n");
    write_file(directory.file("never"), never + "\n");
    auto constraints = std::make_shared<TranslationConstraints>(words);
    constraints->read_terms(directory.file("terms"));
    constraints->read_forbidden(directory.file("never"));
    Translator constrained = translator(options, {.beam = 3});
    constrained.constrain(constraints);
    return constrained;
  }
};

/// Lines, of which every third has a prefix.
std::vector<SourceLine> with_prefixes(const std::vector<std::string>& lines) {
  std::vector<SourceLine> sources;
  for (size_t i = 0; i < lines.size(); ++i) {
    sources.push_back({.text = lines[i], .prefix = i % 3 == 0 ? "w40 other w41" : ""});
  }
  return sources;
}

TEST_F(TranslatorConstraintsTest, HoldsInEveryLineWhateverStandsBesideIt) {
  const auto sources = with_prefixes(text::random_lines(300, kWords, 12));
  std::map<std::string, int> uses;
  for (const Translation& free : translator({}, {.beam = 3}).translate(sources)) {
    for (const std::string_view word : split_whitespace(free.text)) ++uses[std::string(word)];
  }
  const std::string never = std::ranges::max_element(uses, {}, [](const auto& use) { return use.second; })->first;
  const auto translations = constrained({}, never).translate(sources);
  for (size_t i = 0; i < sources.size(); ++i) {
    const std::string translated = " " + translations[i].text + " ";
    if (i % 3 == 0) {
      EXPECT_TRUE(translated.starts_with(" w40 other w41 ")) << "unknown words stand as they were given";
    }
    if ((" " + sources[i].text + " ").find(" w1 ") != std::string::npos) {
      EXPECT_NE(translated.find(" w50 w51 "), std::string::npos) << translated;
    }
    EXPECT_EQ(translated.find(" " + never + " "), std::string::npos) << translated;
  }
  const auto expected = texts(translations);
  EXPECT_EQ(texts(constrained({.batch_sentences = 1, .workers = 1}, never).translate(sources)), expected);
  EXPECT_EQ(texts(constrained({.batch_sentences = 200, .refill = 0.1, .read_ahead = 70, .workers = 2}, never)
                      .translate(sources)),
            expected);
}

TEST_F(TranslatorTest, ATranslationThatHasItsTermsAnywayStaysAsItIs) {
  const auto lines = text::random_lines(60, kWords, 12);
  const auto free = translator({}, {.beam = 3}).translate(source_lines(lines));
  const testing::TemporaryDirectory directory;
  std::string terms;
  int64_t with_term = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto spoken = split_whitespace(free[i].text);
    if (spoken.empty() || split_whitespace(lines[i]).empty()) continue;
    terms += fmt::format("{}\t{}\n", lines[i], spoken.back());
    ++with_term;
  }
  write_file(directory.file("terms"), terms);
  auto constraints = std::make_shared<TranslationConstraints>(words);
  constraints->read_terms(directory.file("terms"));
  Translator constrained = translator({}, {.beam = 3});
  constrained.constrain(constraints);
  int64_t counted = 0;
  const auto translations = constrained.translate(source_lines(lines));
  for (const Translation& translation : translations) counted += std::ssize(translation.term_log_probabilities);
  EXPECT_EQ(texts(translations), texts(free));
  EXPECT_EQ(counted, with_term);
  EXPECT_GT(with_term, 20);
}

TEST_F(TranslatorConstraintsTest, EachPartOfASplitLineHasItsTerms) {
  const std::vector<SourceLine> line{{.text = "w2 w1 w3 w4 w5 w6 w7 w8 w9 w1 w2 w3", .prefix = "w7"}};
  const Translation split = constrained({.max_source_length = 8}, "w0").translate(line)[0];
  EXPECT_EQ(split.parts, 2);
  EXPECT_TRUE(split.text.starts_with("w7 "));
  const size_t first = split.text.find("w50 w51");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(split.text.find("w50 w51", first + 1), std::string::npos);
}

TEST_F(TranslatorConstraintsTest, NoForbiddenPhraseIsMadeOfTwoPartsOfALine) {
  const std::vector<std::string> line{"w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13"};
  const Translation free = translator({.max_source_length = 4}, {.beam = 3}).translate(source_lines(line))[0];
  EXPECT_GE(free.parts, 3);
  const auto found = split_whitespace(free.text);
  for (size_t i = 1; i < found.size(); ++i) {  // every pair of words, those of two parts too
    const std::string never = std::string(found[i - 1]) + " " + std::string(found[i]);
    const Translation translation = constrained({.max_source_length = 4}, never).translate(source_lines(line))[0];
    EXPECT_EQ(translation.parts, free.parts);
    EXPECT_FALSE(testing::contains_phrase(translation.text, never)) << never << " is in " << translation.text;
  }
}

TEST_F(TranslatorConstraintsTest, MoreThanATranslationCanHaveIsAnErrorThatNamesTheLine) {
  auto architecture = testing::decisive_architecture();
  testing::decoder_stack(architecture).positions = nn::LearnedPositions{.max_length = 4};
  model = testing::decisive_model(kWords, architecture);
  EXPECT_NO_THROW(translator().translate(std::vector<SourceLine>{{.text = "w1", .prefix = "w2 w3 w4"}}));
  EXPECT_EQ(testing::message_of<Error>([&] {
              translator().translate(std::vector<SourceLine>{{.text = "w1"}, {.text = "w1", .prefix = "w2 w3 w4 w5"}});
            }),
            "line 2: its prefix and terms have 4 tokens, more than the 3 that a translation by this model can have");
}

size_t times_in(const std::string& text, std::string_view part) {
  size_t times = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++times;
  return times;
}

/// The model copies, drops and repeats placeholders at random, and writes some that the line does not have.
TEST_F(TranslatorTest, ProtectedTextComesBackOnceWithPlaceholders) {
  const auto& symbols = text::Placeholders::kSymbols;
  const auto entries = text::numbered_words(kWords - std::ssize(symbols), {symbols.begin(), symbols.end()});
  const auto placeholders = std::make_shared<const text::Placeholders>(text::ProtectedRules{
      .kinds = {text::ProtectedKind::Url, text::ProtectedKind::Placeholder, text::ProtectedKind::Tag}});
  const std::vector<std::string> kept{"https://a.b/c", "{0}", "%s", "<a href=\"x y\">", "${name}"};
  RandomStream random(1, Purpose::Test);
  std::vector<std::string> lines = text::random_lines(300, kWords - std::ssize(symbols), 8);
  std::vector<std::vector<std::string>> used;
  for (std::string& line : lines) {
    used.emplace_back();
    for (const std::string& one : kept) {
      if (random.below(2) == 0) continue;
      line += " " + one + " w3";
      used.back().push_back(one);
    }
  }
  for (const bool attention : {false, true}) {
    const Translator translator(ensemble_model(), {entries, entries, placeholders}, {.beam = 3, .n_best = 2}, {},
                                {.attention = attention});
    const auto translations = translator.translate(source_lines(lines));
    for (size_t i = 0; i < lines.size(); ++i) {
      const Translation& best = translations[i];
      for (const Translation* one : {&best, &best.others.at(0)}) {
        for (const std::string& part : used[i])
          EXPECT_EQ(times_in(one->text, part), 1U) << lines[i] << "\n" << one->text;
        for (const std::string_view symbol : symbols) EXPECT_EQ(times_in(one->text, symbol), 0U) << one->text;
        EXPECT_EQ(one->attention.empty(), !attention) << "it is returned only if it is asked for";
      }
      EXPECT_FALSE(best.loses_placeholder);
      if (attention) {
        EXPECT_EQ(fmt::format("{}", fmt::join(best.source_words.names, " ")), lines[i]);
      }
    }
  }
}

TEST_F(TranslatorTest, FurtherTextIsProtected) {
  Translator plain = translator();
  plain.protect({.kinds = {text::ProtectedKind::Number}});
  EXPECT_EQ(times_in(plain.translate(source_lines({"w1 17 w2"}))[0].text, "17"), 1U);
  Translator of_document = translator();
  of_document.protect({.kinds = {text::ProtectedKind::Number}}, /*restores=*/false);
  EXPECT_EQ(times_in(of_document.translate(source_lines({"w1 17 w2"}))[0].text, "17"), 0U);
}

TEST_F(TranslatorTest, TheModelIsLeftInItsMode) {
  model->train();
  const auto translator_in_training = translator();
  const auto first = translator_in_training.translate(source_lines({"w1 w2 w3"}));
  EXPECT_TRUE(model->is_training());
  EXPECT_TRUE(model->output->weight.requires_grad());
  model->eval();
  EXPECT_EQ(translator().translate(source_lines({"w1 w2 w3"}))[0].log_probability, first[0].log_probability);
  EXPECT_FALSE(model->is_training());
}

TEST_F(TranslatorTest, ADamagedModelIsAnErrorFromAnyWorker) {
  const torch::NoGradGuard guard;
  model->output->weight.fill_(std::nan(""));
  const auto lines = text::random_lines(50, kWords, 10);
  EXPECT_THROW(translator({.workers = 2}).translate(source_lines(lines)), Error);
  EXPECT_THROW(translator({}, {.beam = 2, .n_best = 3}), ConfigError);
}

}  // namespace
}  // namespace heed::translation
