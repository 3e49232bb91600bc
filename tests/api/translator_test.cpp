#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "heed/core/files/line_reader.h"
#include "heed/heed.h"
#include "support/message_of.h"

namespace heed {
namespace {

using testing::message_of;
using Lines = std::vector<std::string>;

/// A model that writes number words in German and in reverse order: what it says and looks at is known.
std::string stored_model() { return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1"; }

const Translator& model() {
  static const Translator translator = Translator::open(stored_model(), {.engine = {.threads = 2}});
  return translator;
}

Lines texts_of(const std::vector<Translation>& translations) {
  Lines texts;
  for (const Translation& translation : translations) texts.push_back(translation.text);
  return texts;
}

TEST(Translator, TranslatesAsTheCommandDoes) {
  const Lines lines = read_lines(stored_model() + "/input.txt");
  EXPECT_EQ(texts_of(model().translate(lines)), read_lines(stored_model() + "/expected.txt"));
  EXPECT_EQ(texts_of(model().translate({"seven one", "", "two"})), (Lines{"eins sieben", "", "zwei"}));
}

TEST(Translator, OffersTheNextBestAndEachTokensProbability) {
  TranslateRequest request = model().usual_request();
  request.options.search.n_best = 3;
  request.keep.token_scores = true;
  const auto translations = model().translate(Lines{"seven one"}, request);
  const Translation& best = translations[0];
  ASSERT_EQ(best.others.size(), 2);
  EXPECT_GE(best.score, best.others[0].score);
  EXPECT_GE(best.others[0].score, best.others[1].score);
  double sum = 0;
  for (const float one : best.token_log_probabilities) sum += one;
  ASSERT_EQ(best.token_log_probabilities.size(), 3);  // two words and the end of the sentence
  EXPECT_NEAR(sum, best.log_probability, 1e-5);
  EXPECT_EQ(model().tokenizers().target->piece(best.target[0]), "eins");
}

TEST(Translator, ScoresWhatItTranslatedAsItDidThen) {
  const Lines sources{"seven one", "two", "three four nine"};
  const auto translations = model().translate(sources);
  const auto scored = model().score(sources, texts_of(translations));
  ASSERT_EQ(scored.size(), sources.size());
  for (size_t i = 0; i < sources.size(); ++i) {
    EXPECT_NEAR(scored[i].log_probability, translations[i].log_probability, 1e-4);
    EXPECT_EQ(scored[i].token_log_probabilities.size(), translations[i].target.size() + 1);
  }
  const auto wrong = model().score(Lines{"seven one"}, Lines{"sieben eins"});
  EXPECT_LT(wrong[0].log_probability, scored[0].log_probability - 1);
}

TEST(Translator, ScoresOnTheEngineInOtherPrecisions) {
  const auto bytes = Translator::open(stored_model(), {.engine = {.precision = engine::PrecisionChoice::Int8}});
  const Lines sources{"seven one"}, targets{"eins sieben"};
  const double exact = model().score(sources, targets)[0].log_probability;
  const double rounded = bytes.score(sources, targets)[0].log_probability;
  EXPECT_NE(rounded, exact);
  EXPECT_NEAR(rounded, exact, 0.1);
}

TEST(Translator, LooksAtTheWordThatItWrites) {
  const std::vector<text::Link> crossed{{0, 1}, {1, 0}};  // "seven one" -> "eins sieben"
  const auto aligned = model().align(Lines{"seven one"}, Lines{"eins sieben"});
  EXPECT_EQ(aligned[0].source, (Lines{"seven", "one"}));
  EXPECT_EQ(aligned[0].target, (Lines{"eins", "sieben"}));
  EXPECT_EQ(aligned[0].links(), crossed);
  EXPECT_TRUE(aligned[0].heads.empty());

  TranslateRequest request = model().usual_request();
  request.keep.attention = true;
  const auto translations = model().translate(Lines{"seven one"}, request);
  EXPECT_EQ(word_alignment(translations[0]).links(), crossed);

  const auto heads = model().align(Lines{"seven one"}, Lines{"eins sieben"}, {.shown = {.all_heads = true}});
  ASSERT_EQ(heads[0].heads.size(), 1);     // layers
  ASSERT_EQ(heads[0].heads[0].size(), 2);  // heads
  for (size_t target = 0; target < 2; ++target) {
    for (size_t source = 0; source < 2; ++source) {  // what is shown is the mean of the heads
      const float mean = (heads[0].heads[0][0][target][source] + heads[0].heads[0][1][target][source]) / 2;
      EXPECT_NEAR(heads[0].weights[target][source], mean, 1e-5);
    }
  }
}

TEST(Translator, NamesTheLineThatIsNoUtf8) {
  const Lines good{"seven", "one", "two"};
  const Lines bad{"seven", "", "t\xFFwo"};
  const std::string reason = ":3: expected UTF-8 text, found the byte 0xFF at byte 2 of the line";
  EXPECT_EQ(message_of<InputError>([&] { model().translate(bad); }), "lines" + reason);
  EXPECT_EQ(message_of<InputError>([&] { model().score(bad, good); }), "sources" + reason);
  EXPECT_EQ(message_of<InputError>([&] { model().score(good, bad); }), "targets" + reason);
  EXPECT_EQ(message_of<InputError>([&] { model().align(good, bad); }), "targets" + reason);
}

TEST(Translator, NamesWhatElseIsWrongWithPairs) {
  EXPECT_EQ(message_of<InputError>([] { model().score(Lines{"seven", "one"}, Lines{"sieben"}); }),
            "there are 2 sources, but 1 target: one is needed for each");
  EXPECT_EQ(
      message_of<InputError>([] { model().align(Lines{"seven", std::string(200'001, 'a')}, Lines{"sieben", "a"}); }),
      "sources:2: a line is read at once up to 200,000 bytes, but this one has 200,001");
}

TEST(Translator, SaysWhatIsNoModel) {
  EXPECT_THROW(Translator::open(stored_model() + "/none"), CheckpointError);
  EXPECT_THROW(Translator::open(stored_model(), {.checkpoint = "7"}), CheckpointError);
  EXPECT_THROW(Translator::open(stored_model(), {.device = "abacus"}), ConfigError);
  const auto without_list = Translator::open(stored_model(), {.engine = {.short_list = true}});
  EXPECT_THROW(without_list.translate({"seven"}), ConfigError);
}

TEST(Translator, StopsWhereItsCallerThrows) {
  struct Enough {};
  TranslateRequest request = model().usual_request();
  request.on_progress = [](const translation::TranslationProgress&) { throw Enough(); };
  EXPECT_THROW(model().translate(Lines{"seven one"}, request), Enough);
}

TEST(Translator, ServesSeveralThreads) {
  const Translator shared = Translator::open(stored_model(), {.engine = {.threads = 1}});
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (std::string& text : texts) {
    threads.emplace_back([&] {
      shared.score(Lines{"seven one"}, Lines{"eins sieben"});
      text = shared.translate({"seven one"})[0].text;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(texts, Lines(4, "eins sieben"));
}

}  // namespace
}  // namespace heed
