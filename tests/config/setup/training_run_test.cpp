#include "heed_torch/config/setup/training_run.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/log.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "heed/text/word_tokenizer.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/run_rules.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::config {
namespace {

namespace fs = std::filesystem;
using heed::testing::message_of;

const std::string kOtherModel = "; choose another `--model`";  // the end of a refusal, if there is no model yet

class PreparingARun : public ::testing::Test {
 protected:
  PreparingARun() {
    write("en", "one two\ntwo one\n");
    write("de", "eins zwei\nzwei eins\n");
    options = read_run_options(
        {}, {{.name = "text.type", .values = {"words"}}, {.name = "text.minimum-count", .values = {"1"}}});
    options.corpus = {.source = {directory.file("en")}, .target = {directory.file("de")}, .pairs = {}};
    options.model = model;
    options.threads = 1;
  }

  void write(const std::string& name, const std::string& content) const { write_file(directory.file(name), content); }
  /// Prepares a run and gives the text of all entries of its source tokenizer.
  std::string vocabulary() const {
    const PreparedRun run = prepare_run(options);
    return run.tokenizers.source->serialized();
  }
  /// As after the first step.
  void begin() const {
    const PreparedRun run = prepare_run(options);
    checkpoint::Checkpoint checkpoint;
    checkpoint.info.step = 1;
    checkpoint.state = "{}";
    run.directory->save_checkpoint(checkpoint);
  }
  /// Every file of the model directory with its content.
  std::map<std::string, std::string> content() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(model)) {
      if (entry.is_regular_file()) files[entry.path()] = read_file(entry.path());
    }
    return files;
  }
  template <class Refusal>
  std::string refusal() const {
    const auto before = content();
    const std::string message = message_of<Refusal>([this] { prepare_run(options); });
    EXPECT_EQ(content(), before) << "a refused start changes nothing";
    return message;
  }
  std::string pipe_with(const std::string& text) {
    const std::string path = directory.file("pipe");
    fs::remove(path);
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    writer = std::jthread([path, text] { std::ofstream(path) << text; });
    return path;
  }

  heed::testing::TemporaryDirectory directory;
  std::string model = directory.file("model");
  RunOptions options;
  std::jthread writer;
};

TEST_F(PreparingARun, LearnsAnewFromTextThatChangedBeforeAnythingWasTrained) {
  const std::string first = vocabulary();
  EXPECT_EQ(vocabulary(), first);
  write("en", "three four\nfour three\n");
  const std::string second = vocabulary();
  EXPECT_EQ(second.find("one"), std::string::npos) << second;
  EXPECT_NE(second.find("three"), std::string::npos) << second;
}

TEST_F(PreparingARun, LearnsAnewWithOtherOptionsBeforeAnythingWasTrained) {
  EXPECT_NE(vocabulary().find("two"), std::string::npos);
  write("en", "one one\none two\n");
  std::get<text::WordsOptions>(std::get<LearnedTokenizers>(options.text.tokenizers).options.type).minimum_count = 2;
  EXPECT_EQ(vocabulary().find("two"), std::string::npos);
}

TEST_F(PreparingARun, ATrainingThatGoesOnSamplesAsBefore) {
  text::UnigramOptions unigram{.subwords = {.size = {.vocab_size = 20}}, .sampling = text::LatticeSampling{}};
  std::get<LearnedTokenizers>(options.text.tokenizers).options.type = unigram;
  EXPECT_TRUE(prepare_run(options).tokenizers.source->samples()) << "learned";
  begin();
  EXPECT_TRUE(prepare_run(options).tokenizers.source->samples()) << "opened again";
  unigram.sampling = text::NoSampling{};
  std::get<LearnedTokenizers>(options.text.tokenizers).options.type = unigram;
  EXPECT_FALSE(prepare_run(options).tokenizers.source->samples()) << "sampling may end";
}

TEST_F(PreparingARun, RefusesOtherTextAndOptionsOfATrainingThatBegan) {
  begin();
  EXPECT_NO_THROW(prepare_run(options));
  const std::string began = model + ": the training there began with other ";
  options.seed = 2;
  EXPECT_EQ(refusal<ConfigError>(),
            began +
                "options that must stay: `seed` (was 1, is 2: the first parameters came from it, and the order of "
                "the text does); leave them out, or use another directory for a new training");
  options.seed = 1;
  write("other", "eins zwei\nzwei drei\n");
  options.corpus.target = {directory.file("other")};
  EXPECT_EQ(refusal<Error>(), began + "text: `target` " + directory.file("other") +
                                  " has other content than `target` " + directory.file("de") + kOtherModel);
  write("none", "");
  options.corpus.target = {directory.file("de"), directory.file("none")};
  EXPECT_EQ(refusal<Error>(),
            began + "text: `target` " + directory.file("none") + " was not there; choose another `--model`");
  options.corpus.target = {directory.file("de")};
  fs::rename(directory.file("de"), directory.file("renamed"));
  options.corpus.target = {directory.file("renamed")};
  EXPECT_NO_THROW(prepare_run(options)) << "what text is called does not matter";
}

TEST_F(PreparingARun, SaysThatItsTextHasAnotherFormOrChanged) {
  begin();
  write("tsv", "one two\teins zwei\ntwo one\tzwei eins\n");
  const data::CorpusFiles sides = options.corpus;
  options.corpus = {.source = {}, .target = {}, .pairs = {directory.file("tsv")}};
  EXPECT_EQ(refusal<Error>(), model + ": the training there began with other text: it began with `source` " +
                                  directory.file("en") + " and `target` " + directory.file("de") +
                                  ", but now there is `pairs` " + directory.file("tsv") + kOtherModel);
  options.corpus = sides;
  write("en", "one two\ntwo two\n");
  EXPECT_EQ(refusal<Error>(), model + ": the training there began with other text: `source` " + directory.file("en") +
                                  " has changed since" + kOtherModel);
}

TEST_F(PreparingARun, RefusesToBeginWithAModelWhereAnotherTrainingIs) {
  begin();
  options.base.from = "base";
  EXPECT_EQ(refusal<ConfigError>(),
            model +
                " has another training, which began with new parameters: to fine-tune base, name another directory "
                "with `--model`; to resume the training in " +
                model + ", leave out `--from`");
}

TEST_F(PreparingARun, RefusesToLeaveOutAFileOfItsText) {
  write("none", "");
  options.corpus.source.push_back(directory.file("none"));
  options.corpus.target.push_back(directory.file("none"));
  begin();
  options.corpus.source.pop_back();
  options.corpus.target.pop_back();
  EXPECT_EQ(refusal<Error>(), model + ": the training there began with other text: `source` " + directory.file("none") +
                                  " is left out now" + kOtherModel);
}

TEST_F(PreparingARun, RefusesTokenizersThatAreNotThoseThatWereWritten) {
  begin();
  const std::string path = model + "/source.words";
  std::string words = read_file(path);
  words.replace(words.find("one"), 3, "ONE");
  std::ofstream(path) << words;
  EXPECT_NE(refusal<CheckpointError>().find("source.words"), std::string::npos);
}

TEST_F(PreparingARun, FiltersAreOfTheTrainingTextAlone) {
  write("en", "one two\ntwo one\nsame\n");
  write("de", "eins zwei\nzwei eins\nsame\n");
  options.data.corpus.filters.identical_sides = data::FilterAction::LeaveOut;
  options.valid_corpus = options.corpus;
  const PreparedRun run = prepare_run(options);
  EXPECT_EQ(run.corpus->size(), 2);
  EXPECT_EQ(run.validation->corpus->size(), 3);
}

TEST_F(PreparingARun, CountsWhatTheTextHasTwiceAndOfTheValidationText) {
  write("en", "one two\ntwo one\none two\nthree\n");
  write("de", "eins zwei\nzwei eins\neins zwei\ndrei\n");
  write("dev.en", "two one\nfour\none two\n");
  write("dev.de", "zwei eins\nvier\nanders\n");
  options.valid_corpus = {.source = {directory.file("dev.en")}, .target = {directory.file("dev.de")}, .pairs = {}};
  begin();
  std::optional<data::OverlapCounts> overlap;
  {
    const PreparedRun run = prepare_run(options);
    EXPECT_EQ(run.corpus->size(), 4) << "all are trained on";
    overlap = run.text->overlap();
  }
  ASSERT_TRUE(overlap.has_value());
  EXPECT_EQ(overlap->duplicates, 1);
  EXPECT_EQ(overlap->leaking, 1);
  EXPECT_EQ(overlap->valid_found, 1);
  EXPECT_EQ(overlap->valid_sources_found, 2);
  write("dev.de", "anders\nvier\nanders\n");
  EXPECT_EQ(prepare_run(options).text->overlap()->valid_found, 0) << "of other validation text";
}

TEST_F(PreparingARun, LeavesOutDuplicatesAndPairsOfTheValidationText) {
  write("en", "one two\ntwo one\none two\nthree\nthree\n");
  write("de", "eins zwei\nzwei eins\neins zwei\ndrei\ndrei\n");
  write("dev.en", "one two\n");
  write("dev.de", "eins zwei\n");
  options.valid_corpus = {.source = {directory.file("dev.en")}, .target = {directory.file("dev.de")}, .pairs = {}};
  EXPECT_EQ(prepare_run(options).corpus->size(), 5);
  options.data.corpus.filters.duplicates = data::FilterAction::LeaveOut;
  EXPECT_EQ(prepare_run(options).corpus->size(), 3) << "encoded again";
  options.data.corpus.filters.leaking = data::FilterAction::LeaveOut;
  begin();
  const PreparedRun run = prepare_run(options);
  EXPECT_EQ(run.corpus->size(), 2);
  EXPECT_EQ(run.corpus->summary().duplicates, 1);
  EXPECT_EQ(run.corpus->summary().leaking, 2);
  EXPECT_EQ(run.corpus->text(1).target, "drei");
  EXPECT_EQ(run.validation->corpus->size(), 1) << "validation text keeps its pairs";
}

TEST_F(PreparingARun, EncodesTheSameTextAgainWithoutTheSameLines) {
  write("dev.en", "two one\n");
  write("dev.de", "zwei eins\n");
  options.valid_corpus = {.source = {directory.file("dev.en")}, .target = {directory.file("dev.de")}, .pairs = {}};
  options.data.corpus.filters.leaking = data::FilterAction::LeaveOut;
  begin();
  const std::string shard = read_file(model + "/train.corpus.0");
  for (const char* lost : {"/train.corpus", "/train.corpus.0"}) fs::remove(model + lost);
  EXPECT_EQ(prepare_run(options).corpus->size(), 1);
  EXPECT_EQ(read_file(model + "/train.corpus.0"), shard);
}

TEST_F(PreparingARun, EncodesTheCopyOfAStreamAgainWithoutTheSameLines) {
  const std::string text = "one two\none two\n";
  write("de", "eins\neins\n");
  options.data.corpus.filters.duplicates = data::FilterAction::LeaveOut;
  options.corpus.source = {pipe_with(text)};
  begin();
  fs::remove(model + "/train.corpus");
  options.corpus.source = {pipe_with(text)};
  EXPECT_EQ(prepare_run(options).corpus->size(), 1);
}

TEST_F(PreparingARun, RefusesOtherValidationTextIfItsPairsAreLeftOut) {
  write("dev.en", "two one\n");
  write("dev.de", "zwei eins\n");
  options.valid_corpus = {.source = {directory.file("dev.en")}, .target = {directory.file("dev.de")}, .pairs = {}};
  options.data.corpus.filters.leaking = data::FilterAction::LeaveOut;
  begin();
  write("other.de", "anders\n");
  options.valid_corpus.target = {directory.file("other.de")};
  EXPECT_EQ(refusal<Error>(), model +
                                  ": the training there began with other validation text, whose pairs are left out of "
                                  "the training text (data.leaking): `valid-target` " +
                                  directory.file("other.de") + " has other content than `valid-target` " +
                                  directory.file("dev.de") + kOtherModel);
}

TEST_F(PreparingARun, OtherValidationTextBeforeTrainingLeavesOutOtherLines) {
  write("dev.en", "two one\n");
  write("dev.de", "zwei eins\n");
  options.valid_corpus = {.source = {directory.file("dev.en")}, .target = {directory.file("dev.de")}, .pairs = {}};
  options.data.corpus.filters.leaking = data::FilterAction::LeaveOut;
  EXPECT_EQ(prepare_run(options).corpus->text(0).source, "one two");
  write("dev.en", "one two\n");
  write("dev.de", "eins zwei\n");
  EXPECT_EQ(prepare_run(options).corpus->text(0).source, "two one");
}

TEST_F(PreparingARun, ABadRowIsNamedWithTheOptionThatLeavesItOut) {
  write("tsv", "en\tde\n\"one\"\t\"eins\"\nno pair\n\"two\"\tzwei\n");
  options.corpus = {.source = {}, .target = {}, .pairs = {directory.file("tsv")}};
  options.valid_corpus = options.corpus;
  EXPECT_EQ(message_of<InputError>([this] { prepare_run(options); }),
            directory.file("tsv") +
                ":3: expected two columns, source TAB target, found 1; `--data.bad-rows leave-out` "
                "leaves out such lines");
  options.data.corpus.format = {.quotes = data::Quotes::Double, .header = true, .bad_rows = data::BadRows::LeaveOut};
  const PreparedRun run = prepare_run(options);
  EXPECT_EQ(run.corpus->summary().bad_rows, 1);
  ASSERT_EQ(run.corpus->size(), 2);
  EXPECT_EQ(run.corpus->text(0).source, "one");
  EXPECT_EQ(run.corpus->place(1), directory.file("tsv") + ":4");
  EXPECT_EQ(run.validation->source, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(run.validation->reference, (std::vector<std::string>{"eins", "zwei"}));
}

TEST_F(PreparingARun, OptionsThatComparePairsNeedSomethingToCompare) {
  options.data.corpus.filters.leaking = data::FilterAction::LeaveOut;
  EXPECT_EQ(message_of<ConfigError>([this] { validate(options); }),
            "`data.leaking` has no effect without validation text");
  options.data.corpus.filters = {.duplicates = data::FilterAction::LeaveOut};
  std::get<data::SentenceContext>(options.data.stream.context).shuffle_buffer = 10;
  EXPECT_NE(message_of<ConfigError>([this] { validate(options); }).find("with `data.duplicates` = leave-out"),
            std::string::npos);
}

TEST_F(PreparingARun, RefusesOptionsThatWereEditedInTheModelDirectory) {
  begin();
  const std::string saved = model + "/config.toml";
  write_file(saved, read_file(saved) + "# a note\n");
  EXPECT_EQ(refusal<CheckpointError>(), saved +
                                            ": has changed since the training there wrote it: restore it, and give "
                                            "other options on the command line");
}

TEST_F(PreparingARun, RefusesALimitThatIsPassed) {
  begin();
  options.train.max_steps = 0;
  EXPECT_EQ(refusal<ConfigError>(),
            "`train.max-steps` must be at least 1, the steps that the training in " + model + " has made, but is 0");
  options.train.max_steps = 1;
  EXPECT_NO_THROW(prepare_run(options));
}

TEST_F(PreparingARun, SaysThatValidationTextIsLeftOut) {
  options.valid_corpus = options.corpus;
  begin();
  options.valid_corpus = {};
  EXPECT_EQ(refusal<Error>(), model + ": the training there began with other text: `valid-source` " +
                                  directory.file("en") + " is left out now" + kOtherModel);
}

TEST_F(PreparingARun, GoesOnWithOtherOptionsAndTellsWhich) {
  begin();
  const std::string saved = read_file(model + "/config.toml");
  options.arch.dropout = 0.125;
  const PreparedRun run = prepare_run(options);
  EXPECT_EQ(run.changes,
            (std::vector<training::OptionChange>{{.option = "arch.dropout", .before = "0.25", .now = "0.125"}}));
  EXPECT_EQ(run.conditions, run.conditions_before);
  EXPECT_EQ(read_file(model + "/config.toml"), saved) << "until all that was asked for is there";
}

TEST_F(PreparingARun, GoesOnWithOtherValidationText) {
  begin();
  options.valid_corpus = options.corpus;
  {
    const PreparedRun run = prepare_run(options);
    ASSERT_EQ(run.changes.size(), 1u) << "there was none";
    EXPECT_EQ(run.changes.front().option, "valid-target");
    EXPECT_EQ(run.changes.front().before, "");
    EXPECT_NE(run.conditions.scores, run.conditions_before.scores);
    EXPECT_TRUE(run.validation.has_value());
  }
  write("short", "eins\n");
  options.valid_corpus.target = {directory.file("short")};
  EXPECT_THROW(prepare_run(options), InputError) << "lines that do not belong together";
}

TEST_F(PreparingARun, AGoingTrainingSavesItsOptionsAndKeepsWhatChanged) {
  options = read_run_options({}, {{.name = "text.type", .values = {"words"}},
                                  {.name = "text.minimum-count", .values = {"1"}},
                                  {.name = "arch.d-model", .values = {"8"}},
                                  {.name = "arch.encoder.layers", .values = {"1"}},
                                  {.name = "arch.decoder.layers", .values = {"1"}},
                                  {.name = "valid-pairs", .values = {"none"}},
                                  {.name = "valid.every", .values = {"1"}},
                                  {.name = "train.average", .values = {"none"}},
                                  {.name = "train.max-steps", .values = {"2"}}});
  options.corpus = {.source = {directory.file("en")}, .target = {directory.file("de")}, .pairs = {}};
  options.valid_corpus = options.corpus;
  options.model = model;
  options.threads = 1;
  struct : training::Observer {
    std::function<void()> look = [] {};
    void on_change(const training::OptionChange&, const Progress&) override { look(); }
  } observer;
  const auto train = [&] {
    PreparedRun run = prepare_run(options);
    run_training(run, options, {&observer}, training::StopRequest());
  };
  train();
  const std::string before = read_file(model + "/config.toml");
  observer.look = [&] { EXPECT_EQ(read_file(model + "/config.toml"), before) << "until the history has the changes"; };
  options.train.max_steps = 3;
  options.train.clip_norm = 5;
  options.valid.metric = training::ValidationMetric::Loss;
  train();
  EXPECT_EQ(read_saved_options(model + "/config.toml").valid.metric, training::ValidationMetric::Loss);
  const std::string history = read_file(model + "/metrics.jsonl");
  EXPECT_NE(history.find(R"("option":"train.clip-norm","before":"1","now":"5"})"), std::string::npos) << history;
  EXPECT_NE(history.find(R"("option":"valid.metric","before":"bleu","now":"loss","effect":"scores before)"),
            std::string::npos);
  const auto infos = checkpoint::list_checkpoints(model);
  EXPECT_EQ(infos.back().scores.version, 1);
  EXPECT_EQ(checkpoint::best_checkpoint(model)->step, 3) << "all older scores are BLEU";
  train();  // finds nothing to do
  EXPECT_EQ(checkpoint::list_checkpoints(model).back().scores.version, 1);
}

TEST_F(PreparingARun, GoesOnWithTheCopyOfAStream) {
  options.corpus.source = {pipe_with("one two\ntwo one\n")};
  begin();
  const std::string copy = model + "/train.text.0";
  EXPECT_EQ(read_saved_options(model + "/config.toml").corpus.source, std::vector{copy});
  options.corpus.source = {pipe_with("")};
  EXPECT_EQ(refusal<Error>(), model + ": the training there began with other text: `source` " +
                                  options.corpus.source[0] + " has other content than `source` " + copy + kOtherModel);
  EXPECT_EQ(read_file(copy), "one two\ntwo one\n");
  options.corpus.source = {pipe_with("one two\ntwo one\n")};
  EXPECT_NO_THROW(prepare_run(options));
  options.corpus.source = {copy};
  EXPECT_NO_THROW(prepare_run(options));
}

TEST_F(PreparingARun, CountsWhatIsReplacedInAStream) {
  options.corpus.source = {pipe_with("one two\ntwo \xff\n")};
  options.data.corpus.format.invalid_text = InvalidText::Replace;
  EXPECT_EQ(prepare_run(options).corpus->summary().replaced_lines, 1);
}

TEST_F(PreparingARun, LearnsTokenizersFromAsManyMegabytesAsItMay) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i)
    lines += "one two three four five six seven eight nine " + std::to_string(i % 1000) + "\n";
  write("en", lines);
  write("de", lines);
  options = read_run_options(
      {}, {{.name = "text.vocab-size", .values = {"100"}}, {.name = "text.sample-megabytes", .values = {"1"}}});
  options.corpus = {.source = {directory.file("en")}, .target = {directory.file("de")}, .pairs = {}};
  options.model = model;
  std::vector<std::string> log;
  set_log_sink([&](LogLevel, std::string_view line) { log.emplace_back(line); });
  prepare_run(options);
  set_log_sink({});
  const double bytes = 2 * static_cast<double>(lines.size() - 20'000);
  const std::string wanted =
      std::to_string(static_cast<int64_t>(40'000 * (1e6 / bytes))) + " lines have 1 MB of text: text.sample-megabytes";
  EXPECT_EQ(std::ranges::count(log, wanted), 1) << wanted;
}

/// Of two tokenizers, the side with more text decides.
TEST_F(PreparingARun, NeitherSideIsLearnedFromMoreMegabytes) {
  std::string long_lines, short_lines;
  for (int i = 0; i < 20'000; ++i) {
    const std::string number = std::to_string(i % 1000) + "\n";
    long_lines += "one two three four five six seven eight nine one two three four five six seven eight " + number;
    short_lines += "one two three four five six seven eight nine ten " + number;
  }
  const double bytes = static_cast<double>(long_lines.size() - 20'000);
  const std::string wanted =
      std::to_string(static_cast<int64_t>(20'000 * (1e6 / bytes))) + " lines have 1 MB of text: text.sample-megabytes";
  options = read_run_options({}, {{.name = "text.vocab-size", .values = {"60"}},
                                  {.name = "text.joint", .values = {"false"}},
                                  {.name = "text.sample-megabytes", .values = {"1"}}});
  options.corpus = {.source = {directory.file("en")}, .target = {directory.file("de")}, .pairs = {}};
  for (const bool is_source : {true, false}) {
    write("en", is_source ? long_lines : short_lines);
    write("de", is_source ? short_lines : long_lines);
    options.model = model + (is_source ? "1" : "2");
    std::vector<std::string> log;
    set_log_sink([&](LogLevel, std::string_view line) { log.emplace_back(line); });
    prepare_run(options);
    set_log_sink({});
    EXPECT_EQ(std::ranges::count(log, wanted), 1) << wanted << is_source;
  }
}

TEST_F(PreparingARun, StaticWeightsAreSavedWithTheFrequenciesOfTheTrainingText) {
  write("en", "one two\none three\none two\n");
  write("de", "a b\na c\na b\n");
  options = read_run_options({}, {{.name = "preset", .values = {"rnn-bahdanau"}},
                                  {.name = "text.type", .values = {"words"}},
                                  {.name = "text.minimum-count", .values = {"1"}},
                                  {.name = "text.joint", .values = {"true"}},
                                  {.name = "arch.d-model", .values = {"4"}},
                                  {.name = "arch.encoder.hidden", .values = {"2"}},
                                  {.name = "arch.decoder.hidden", .values = {"4"}},
                                  {.name = "arch.decoder.score", .values = {"tf-idf"}},
                                  {.name = "train.schedule.type", .values = {"constant"}},
                                  {.name = "train.max-steps", .values = {"1"}}});
  options.corpus = {.source = {directory.file("en")}, .target = {directory.file("de")}, .pairs = {}};
  options.model = model;
  options.threads = 1;
  PreparedRun run = prepare_run(options);
  run_training(run, options, {}, training::StopRequest());
  const at::Tensor idf =
      checkpoint::read_tensors(model + "/model.safetensors").tensors.at("decoder.attention.score.idf");
  const auto of = [&](const std::string& word) {
    return idf[run.tokenizers.source->encode(word).front()].item<double>();
  };
  EXPECT_EQ(of("one"), 0);
  EXPECT_NEAR(of("two"), std::log(3.0 / 2), 1e-6);
  EXPECT_NEAR(of("three"), std::log(3.0), 1e-6);
  EXPECT_NEAR(of("a"), std::log(3.0), 1e-6) << "a word of the target alone counts as seen in no line";
}

TEST_F(PreparingARun, TiesNoTablesOfTwoTokenizers) {
  const text::WordTokenizer english(text::WordTokenizer::kWordsEnding, {"one", "two"});
  const text::WordTokenizer german(text::WordTokenizer::kWordsEnding, {"eins", "zwei"});
  write("en.words", english.serialized());
  write("de.words", german.serialized());
  ExistingTokenizers given{.source = directory.file("en.words"), .target = directory.file("de.words"), .sampling = {}};
  options.text.tokenizers = given;
  options.arch.tied_embeddings = models::TiedEmbeddings::All;
  EXPECT_EQ(message_of<ConfigError>([this] { prepare_run(options); }),
            "`arch.tied-embeddings` must be `decoder` or `none` with two tokenizers, as an id means something else on "
            "either side, but is `all`");
  write("de.words", english.serialized());
  EXPECT_NO_THROW(prepare_run(options)) << "two files of one tokenizer";
  write("de.words", german.serialized());
  options.arch.tied_embeddings = models::TiedEmbeddings::Decoder;
  EXPECT_NE(prepare_run(options).tokenizers.target->serialized(), english.serialized())
      << "a given tokenizer may change until something is trained";
}

}  // namespace
}  // namespace heed::config
