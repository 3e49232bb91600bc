#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "heed/core/files/atomic_file.h"
#include "heed/core/files/line_reader.h"
#include "heed/heed.h"
#include "heed/text/word_tokenizer.h"
#include "heed_torch/api/use_torch.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/config/model_directory.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/models/model.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

using testing::message_of;
using Lines = std::vector<std::string>;

[[maybe_unused]] const bool kHasTorch = (use_torch(), true);

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

/// A model of words with random parameters; without a source it is a language model.
std::string random_model(const testing::TemporaryDirectory& folder, std::vector<config::Setting> settings,
                         bool has_source) {
  const auto set = [&](const std::string& name, const std::string& value) {
    settings.push_back({.name = name, .values = {value}});
  };
  set("target", "t");
  set("arch.d-model", "8");
  set("arch.decoder.layers", "1");
  set("text.type", "words");
  has_source ? set("source", "s") : set("task", "language-model");
  const config::RunOptions options = config::read_run_options({}, settings);
  const auto words = std::make_shared<text::WordTokenizer>(text::WordTokenizer::kWordsEnding, Lines{"a", "b"});
  const text::Tokenizers tokenizers{.source = has_source ? words : nullptr, .target = words};
  checkpoint::RunDirectory made(folder.file("model"));
  if (has_source) made.write("source.words", words->serialized());
  made.write("target.words", words->serialized());
  made.write("config.toml", config::format_options(options));
  const auto model = models::build_model(options.arch, config::vocabulary_sizes(tokenizers), /*seed=*/1);
  made.write_model(checkpoint::named_tensors(*model), {.chosen = "best", .steps = {1}, .scores = {}});
  return made.path();
}

TEST(Translator, TranslatesAsTheCommandDoes) {
  const Lines lines = read_lines(stored_model() + "/input.txt");
  EXPECT_EQ(texts_of(model().translate(lines)), read_lines(stored_model() + "/expected.txt"));
  EXPECT_EQ(texts_of(model().translate({"seven one", "", "two"})), (Lines{"eins sieben", "", "zwei"}));
}

TEST(Translator, TranslatesWithoutLibTorch) {
  api::register_backend(nullptr);
  const Lines lines = read_lines(stored_model() + "/input.txt");
  const Translator alone = Translator::open(stored_model());
  EXPECT_EQ(texts_of(alone.translate(lines)), read_lines(stored_model() + "/expected.txt"));
  EXPECT_EQ(message_of<api::NeedsTorch>([&] { alone.score(Lines{"two"}, Lines{"zwei"}); }),
            stored_model() + ": a score needs LibTorch: link heed::heed_torch and call heed::use_torch()");
  EXPECT_THROW(alone.align(Lines{"two"}, Lines{"zwei"}), api::NeedsTorch);
  EXPECT_THROW(Translator::open(stored_model(), {.checkpoint = "best"}), api::NeedsTorch);
  EXPECT_THROW(Translator::open(stored_model(), {.device = "cuda"}), api::NeedsTorch);
  use_torch();
  EXPECT_EQ(alone.score(Lines{"two"}, Lines{"zwei"}).size(), 1U) << "once LibTorch is there";
}

// Whatever reading a damaged file throws.
TEST(Translator, ReportsADamagedFileAsDamaged) {
  for (const std::string name : {"config.toml", "source.words", "target.words", "model.safetensors"}) {
    const testing::TemporaryDirectory folder;
    const std::string copy = folder.file("model");
    std::filesystem::copy(stored_model(), copy);
    std::fstream file(copy + "/" + name, std::ios::in | std::ios::out | std::ios::binary);
    ASSERT_TRUE(file) << name;
    file.put('\xFF');
    file.close();
    const std::string message = message_of<CheckpointError>([&] { Translator::open(copy); });
    EXPECT_EQ(message, copy + "/" + name + ": is damaged: its checksum is not the manifest's");
  }
}

TEST(Translator, ObeysConstraints) {
  const testing::TemporaryDirectory folder;
  const auto written = [&](const std::string& name, const std::string& text) {
    write_file(folder.file(name), text);
    return folder.file(name);
  };
  const Lines lines{"seven one", "two"};
  TranslateRequest request = model().usual_request();
  request.prefix = {"", "drei"};
  EXPECT_EQ(texts_of(model().translate(lines, request))[0], "eins sieben");
  EXPECT_TRUE(texts_of(model().translate(lines, request))[1].starts_with("drei"));
  request.prefix = {"drei"};
  EXPECT_EQ(message_of<InputError>([&] { model().translate(lines, request); }),
            "`prefix` has 1 item, but there are 2 lines");
  request.prefix = {};
  request.constraints.forbid = written("forbidden", "zwei\n");
  EXPECT_EQ(texts_of(model().translate(lines, request))[1].find("zwei"), std::string::npos);
  request.constraints = {.terminology = written("terms", "one\tneun\n")};
  EXPECT_NE(texts_of(model().translate(lines, request))[0].find("neun"), std::string::npos);
  request.constraints = {.risk = {.metric = api::RiskMetric::Chrf}};
  EXPECT_EQ(message_of<ConfigError>([&] { model().translate(lines, request); }),
            "`--mbr` chooses among several translations: `search.n-best` must be above 1");
  request.options.search.n_best = 4;
  EXPECT_EQ(texts_of(model().translate(lines, request))[1], "zwei");
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

/// As the command cuts them: a line of several sentences is translated sentence by sentence.
TEST(Translator, CutsLinesWhereItIsAskedTo) {
  TranslateRequest request = model().usual_request();
  request.split = translation::SplitRule::Sentences;
  const Lines parts = texts_of(model().translate(Lines{"one two!", "Two three!", "four"}));
  EXPECT_EQ(texts_of(model().translate(Lines{"one two! Two three! four"}, request)),
            (Lines{parts[0] + " " + parts[1] + " " + parts[2]}));
  request.split = translation::SplitRule::None;
  EXPECT_NE(texts_of(model().translate(Lines{"one two! Two three! four"}, request)),
            (Lines{parts[0] + " " + parts[1] + " " + parts[2]}));
}

TEST(Translator, NamesTheSideThatIsTooLong) {
  const testing::TemporaryDirectory folder;
  const auto learned = [](const std::string& side) {
    return std::vector<config::Setting>{{.name = "arch." + side + ".positions", .values = {"learned"}},
                                        {.name = "arch." + side + ".max-length", .values = {"4"}}};
  };
  std::vector<config::Setting> settings = learned("decoder");
  for (const config::Setting& setting : learned("encoder")) settings.push_back(setting);
  const Translator limited = Translator::open(random_model(folder, settings, /*has_source=*/true));
  const std::string in_sources =
      message_of<InputError>([&] { limited.score(Lines{"a", "a b a b a"}, Lines{"a", "a"}); });
  EXPECT_TRUE(in_sources.starts_with("sources:2: ")) << in_sources;
  const std::string in_targets =
      message_of<InputError>([&] { limited.score(Lines{"a", "a"}, Lines{"a", "a b a b a"}); });
  EXPECT_TRUE(in_targets.starts_with("targets:2: ")) << in_targets;
}

TEST(Translator, ALanguageModelScoresLinesAlone) {
  const testing::TemporaryDirectory folder;
  const Translator model = Translator::open(random_model(folder, {}, /*has_source=*/false));
  const auto scored = model.score({}, Lines{"a b", "b"});
  ASSERT_EQ(scored.size(), 2U);
  EXPECT_LT(scored[0].log_probability, 0);
}

TEST(Translator, SaysWhatIsNoModel) {
  EXPECT_THROW(Translator::open(stored_model() + "/none"), CheckpointError);
  EXPECT_THROW(Translator::open(stored_model(), {.checkpoint = "7"}), CheckpointError);
  EXPECT_THROW(Translator::open(stored_model(), {.device = "abacus"}), ConfigError);
  const auto without_list = Translator::open(stored_model(), {.engine = {.short_list = true}});
  EXPECT_THROW(without_list.translate({"seven"}), ConfigError);
  TranslateRequest sampled = without_list.usual_request();
  sampled.options.search.method = search::SampleMethod{};
  EXPECT_EQ(message_of<ConfigError>([&] { without_list.translate(Lines{"seven"}, sampled); }),
            "`--shortlist` needs beam search: tokens are sampled from the whole vocabulary; `search.method` is sample");
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
