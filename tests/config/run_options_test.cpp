#include "heed_torch/config/run_options.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "config/all_presets.h"
#include "config/preset_tables.h"
#include "heed/command_line/settings_file.h"
#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed_torch/config/presets.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/run_rules.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::config {
namespace {

Setting set(const std::string& name, const std::string& value) { return {.name = name, .values = {value}}; }

RunOptions run_of(std::vector<Setting> settings) {
  settings.push_back(set("source", "train.en"));
  settings.push_back(set("target", "train.de"));
  settings.push_back(set("model", "m"));
  return read_run_options({}, settings);
}

class PresetTest : public ::testing::TestWithParam<Preset> {};

TEST_P(PresetTest, IsValidAndReadsBackFromTheSavedFile) {
  RunOptions options = preset_options(GetParam());
  options.model = "m";
  options.corpus = {.source = {"a"}, .target = {"b"}, .pairs = {}};
  if (options.task == Task::LanguageModel) options.corpus.source.clear();
  options.valid_corpus = options.corpus;
  EXPECT_NO_THROW(validate(options));
  const std::string path = ::testing::TempDir() + "/config.toml";
  write_file(path, format_options(options));
  EXPECT_EQ(read_saved_options(path), options);
}

TEST_P(PresetTest, HoldsOnlyDifferences) {
  const Layer settings = parse_settings(preset_toml(GetParam()), "preset");
  const auto chooses = [](const Setting& setting) { return setting.name.ends_with(".type"); };
  RunOptions defaults, of_types;  // of_types: the defaults of the parts that the preset chooses
  Layer types;
  std::ranges::copy_if(settings, std::back_inserter(types), chooses);
  apply_layers(visit_options(of_types), {types});
  for (const Setting& setting : settings) {
    for (const OptionValue& value : option_values(visit_options(chooses(setting) ? defaults : of_types))) {
      EXPECT_FALSE(value.name == setting.name && value.values == setting.values) << setting.name;
    }
  }
}

/// "`--x` applies only when `choice` is `value` or ..." -> the first such setting.
Setting asked_for_by(const std::string& message) {
  std::smatch parts;
  std::regex_search(message, parts, std::regex("applies only when `([^`]+)` is `([^`]+)`"));
  return set(parts[1].str(), parts[2].str());
}

TEST_P(PresetTest, OptionsOfPartsNotChosenAreRefused) {
  RunOptions options = preset_options(GetParam());
  std::set<std::string> present;
  for (const OptionValue& value : option_values(visit_options(options))) present.insert(value.name);
  const std::string preset = name_of(GetParam());
  int refused = 0;
  for (const OptionEntry& option : list_options(visit_options(options)).options) {
    if (present.contains(option.name)) continue;
    std::vector<Setting> settings{set("preset", preset), set(option.name, option.places.front().default_value)};
    const auto refusal = [&] {
      try {
        run_of(settings);
        return std::string();
      } catch (const ConfigError& error) {
        return std::string(error.what());
      }
    };
    std::string message = refusal();
    EXPECT_TRUE(message.starts_with("`--" + option.name + "` applies only when ")) << message;
    // Who does what the message asks for gets there, at most one choice after the other.
    for (int choices = 0; choices < 3 && message.starts_with("`--" + option.name + "` applies only when "); ++choices) {
      settings.push_back(asked_for_by(message));
      message = refusal();
    }
    EXPECT_FALSE(message.starts_with("`--" + option.name + "` applies only when ")) << message;
    ++refused;
  }
  EXPECT_GT(refused, 50);
}

INSTANTIATE_TEST_SUITE_P(All, PresetTest, ::testing::ValuesIn(all_presets()));

TEST(RunOptions, TheReadmeHasTheTablesOfPresets) {
  const std::string readme = read_file(std::string(std::getenv("HEED_SOURCE_DIR")) + "/docs/presets.md");
  for (const std::string& table : preset_tables()) {
    EXPECT_NE(readme.find(table), std::string::npos) << "docs/presets.md lacks this table:\n" << table;
  }
}

TEST(RunOptions, ThePresetIsTheLowestLayer) {
  const std::string file = ::testing::TempDir() + "/run.toml";
  write_file(file, "preset = 'transformer-big'\n[arch]\nd-model = 640\n[valid]\nevery = '1e'\n");
  const RunOptions options = read_run_options({file}, {set("arch.d-model", "768")});
  EXPECT_EQ(options.preset, Preset::TransformerBig);
  EXPECT_EQ(options.arch.d_model, 768);
  EXPECT_EQ(options.arch.dropout, preset_options(Preset::TransformerBig).arch.dropout);
  EXPECT_EQ(options.valid.every, (Amount{1, AmountUnit::Epochs}));
  EXPECT_EQ(read_run_options({file}, {set("preset", "transformer-tiny")}).preset, Preset::TransformerTiny);
}

TEST(RunOptions, AnotherAlternativeThanThePresetsBeginsWithItsOwnDefaults) {
  const double low = std::get<training::CosineSchedule>(run_of({}).train.schedule).learning_rate;
  EXPECT_NE(low, training::CosineSchedule{}.learning_rate);
  EXPECT_EQ(std::get<training::LinearSchedule>(run_of({set("train.schedule.type", "linear")}).train.schedule),
            training::LinearSchedule{});
}

TEST(RunOptions, TheDefaultPresetDependsOnTaskAndSource) {
  EXPECT_EQ(run_of({}).preset, Preset::TransformerLowResource);
  EXPECT_EQ(run_of({set("task", "labelling")}).preset, Preset::TransformerTiny);
  const RunOptions pictures = read_run_options({}, {set("source-images", "a"), set("target", "b"), set("model", "m")});
  EXPECT_EQ(pictures.preset, Preset::TransformerTiny);
  EXPECT_EQ(run_of({set("task", "labelling"), set("preset", "transformer-small")}).preset, Preset::TransformerSmall);
}

double peak(const RunOptions& options) {
  return std::get<training::CosineSchedule>(options.train.schedule).learning_rate;
}

TEST(RunOptions, TheLearningRateOfMuonIsNotTheRateOfOtherOptimizers) {
  const double muon = peak(run_of({}));
  EXPECT_DOUBLE_EQ(peak(run_of({set("train.optimizer.type", "adamw")})), muon / 3);
  EXPECT_EQ(peak(run_of({set("train.optimizer.type", "adam"), set("train.schedule.learning-rate", "0.5")})), 0.5);
  const RunOptions recurrent = run_of({set("arch.encoder.type", "rnn")});
  EXPECT_TRUE(std::holds_alternative<training::AdamOptions>(recurrent.train.optimizer));
  EXPECT_DOUBLE_EQ(peak(recurrent), muon / 3);
  const RunOptions labels = run_of(
      {set("task", "classification"), set("preset", "transformer-low-resource"), set("arch.output-bias", "true")});
  EXPECT_TRUE(std::holds_alternative<training::AdamOptions>(labels.train.optimizer));
}

TEST(RunOptions, RDropIsOffWhereItCannotBeUsed) {
  EXPECT_GT(run_of({}).train.r_drop, 0);
  for (const Setting& setting :
       {set("train.r-drop", "0"), set("arch.dropout", "0"), set("train.minimum-risk.type", "sampled")}) {
    const RunOptions options = run_of({setting});
    EXPECT_EQ(options.train.r_drop, 0) << setting.name;
    EXPECT_EQ(options.train.r_drop_start.value, 0) << setting.name;
    EXPECT_NO_THROW(validate(options)) << setting.name;
  }
}

TEST(RunOptions, AnyLimitReplacesThePresetsUpdates) {
  EXPECT_TRUE(run_of({}).train.max_steps.has_value());
  EXPECT_TRUE(run_of({set("train.max-minutes", "5")}).train.max_steps.has_value());
  EXPECT_FALSE(run_of({set("train.max-epochs", "6")}).train.max_steps.has_value());
  EXPECT_FALSE(run_of({set("train.max-tokens", "6000000")}).train.max_steps.has_value());
  EXPECT_EQ(run_of({set("train.max-epochs", "6"), set("train.max-steps", "9")}).train.max_steps, 9);
}

TEST(RunOptions, ADecoderBeginsWithTheMeanOfStatesThatAreNotRecurrent) {
  const auto first = [](const std::vector<Setting>& settings) {
    std::vector<Setting> all = settings;
    all.push_back(set("preset", "rnn-bahdanau"));
    return std::get<models::RnnDecoderOptions>(run_of(all).arch.decoder.type).initial_state;
  };
  EXPECT_EQ(first({}), models::InitialStateOptions{models::BridgeState{}});
  EXPECT_EQ(first({set("arch.encoder.type", "identity")}), models::InitialStateOptions{models::MeanState{}});
  EXPECT_EQ(first({set("arch.encoder.type", "transformer"), set("arch.decoder.initial-state", "zero")}),
            models::InitialStateOptions{models::ZeroState{}});
}

TEST(RunOptions, TheLossDecidesIfValidationDoesNotTranslate) {
  const auto metric = [](std::vector<Setting> settings) {
    for (const char* side : {"valid-source", "valid-target"}) settings.push_back(set(side, "a"));
    return run_of(settings).valid.metric;
  };
  EXPECT_EQ(metric({}), training::ValidationMetric::Bleu);
  EXPECT_EQ(metric({set("valid.translate", "none")}), training::ValidationMetric::Loss);
  EXPECT_EQ(metric({set("valid.translate", "none"), set("valid.metric", "perplexity")}),
            training::ValidationMetric::Perplexity);
}

TEST(RunOptions, TwoVocabulariesTieTheDecodersEmbeddingsUnlessToldOtherwise) {
  const auto tied = [](const std::vector<Setting>& settings) { return run_of(settings).arch.tied_embeddings; };
  EXPECT_EQ(tied({}), models::TiedEmbeddings::All);
  EXPECT_EQ(tied({set("text.joint", "false")}), models::TiedEmbeddings::Decoder);
  EXPECT_NO_THROW(validate(run_of({set("text.joint", "false")})));
  EXPECT_EQ(tied({set("text.joint", "false"), set("arch.tied-embeddings", "none")}), models::TiedEmbeddings::None);
  EXPECT_EQ(tied({set("text.joint", "false"), set("preset", "rnn-luong")}), models::TiedEmbeddings::None)
      << "what fits stays";
  const std::string file = ::testing::TempDir() + "/separate.toml";
  write_file(file, "[text]\njoint = false\n");
  EXPECT_EQ(read_run_options({file}, {}).arch.tied_embeddings, models::TiedEmbeddings::Decoder);
  EXPECT_EQ(read_run_options({file}, {set("text.joint", "true")}).arch.tied_embeddings, models::TiedEmbeddings::All);
}

TEST(RunOptions, AlignmentsGuideAHeadOfTheLastLayerButOne) {
  const auto cross = [](const std::vector<Setting>& settings) {
    const RunOptions options = run_of(settings);
    EXPECT_NO_THROW(validate(options));
    const auto& decoder = std::get<models::TransformerDecoderOptions>(options.arch.decoder.type);
    return std::pair{decoder.alignment_layer() + 1, decoder.cross.alignment_head};
  };
  const Setting alignments = set("alignments", "links"), four = set("arch.decoder.layers", "4");
  using Place = std::pair<int64_t, std::optional<int64_t>>;
  EXPECT_EQ(cross({four}), (Place{4, std::nullopt}));
  EXPECT_EQ(cross({four, alignments}), (Place{3, 1}));
  EXPECT_EQ(cross({set("arch.decoder.layers", "1"), alignments}), (Place{1, 1}));
  EXPECT_EQ(cross({four, alignments, set("arch.decoder.cross.alignment-layer", "2"),
                   set("arch.decoder.cross.alignment-head", "none")}),
            (Place{2, std::nullopt}));
}

TEST(RunOptions, SavedBpeOfTheFirstVersionsIsSentencePieces) {
  RunOptions options = run_of({set("text.type", "sentencepiece-bpe"), set("text.vocab-size", "500")});
  std::string saved = format_options(options);
  const std::string now = "type = \"sentencepiece-bpe\"";
  ASSERT_NE(saved.find(now), std::string::npos);
  saved.replace(saved.find(now), now.size(), "type = \"bpe\"");
  const heed::testing::TemporaryDirectory directory;
  write_file(directory.file("config.toml"), saved);
  EXPECT_EQ(read_saved_options(directory.file("config.toml")), options);
  options = run_of({set("text.type", "bpe"), set("text.merges", "500")});
  write_file(directory.file("config.toml"), format_options(options));
  EXPECT_EQ(read_saved_options(directory.file("config.toml")), options);
}

TEST(RunOptions, FormerNamesOfOptionsAreStillRead) {
  const heed::testing::TemporaryDirectory directory;
  const std::string file = directory.file("run.toml");
  write_file(file,
             "valid-source = ['a']\nvalid-target = ['b']\n[data]\nwindow = 700\n[valid]\nminimum-gain = 0.5\n[search]\n"
             "window = 8\n");
  const RunOptions options = read_run_options({file}, {set("search.buffer-lines", "9")});
  EXPECT_EQ(std::get<data::SentenceContext>(options.data.stream.context).shuffle_window, 700);
  EXPECT_EQ(options.search.translator.read_ahead, 9);
  EXPECT_EQ(options.valid.min_delta, 0.5);
}

TEST(RunOptions, AnOptionUnderBothItsNamesIsGivenTwice) {
  const heed::testing::TemporaryDirectory directory;
  const std::string file = directory.file("run.toml");
  write_file(file, "[data]\nwindow = 5\nshuffle-window = 6\n");
  const std::string message = heed::testing::message_of<ConfigError>([&] { read_run_options({file}, {}); });
  EXPECT_TRUE(message.ends_with("`data.window` (now `data.shuffle-window`) is given twice")) << message;
}

TEST(RunOptions, PatternsStandForTheirFiles) {
  const heed::testing::TemporaryDirectory directory;
  for (const char* name : {"w.1", "w.2"}) write_file(directory.file(name), "1\n");
  const RunOptions options = run_of({set("weights", directory.file("w.*"))});
  EXPECT_EQ(options.corpus.weights, (std::vector<std::string>{directory.file("w.1"), directory.file("w.2")}));
}

TEST(RunOptions, AStreamHasNoEpochs) {
  const auto error = [](const Setting& setting) {
    return heed::testing::message_of<ConfigError>(
        [&] { validate(run_of({set("data.shuffle-buffer", "100"), setting})); });
  };
  EXPECT_EQ(error(set("train.max-tokens", "9000")), "nothing was thrown");
  EXPECT_EQ(error(set("train.max-epochs", "2")),
            "`train.max-epochs` must be none with `data.shuffle-buffer`: a stream is read once");
  EXPECT_EQ(error(set("valid.every", "1e")),
            "`valid.every` must be in steps or tokens with `data.shuffle-buffer`, as a stream is read once, but is "
            "1e");
  EXPECT_EQ(
      error(set("data.batch-growth-epochs", "2")),
      "`data.shuffle-buffer` must be none with `data.batch-growth-epochs`: a stream is one epoch of unknown length");
  EXPECT_EQ(
      error(set("data.curriculum-epochs", "2")),
      "`data.shuffle-buffer` must be none with `data.curriculum-epochs`, which compares the lengths of all pairs");
}

TEST(RunOptions, ABatchGrowsToItsSize) {
  const auto error = [](const std::vector<Setting>& settings) {
    return heed::testing::message_of<ConfigError>([&] { validate(run_of(settings)); });
  };
  const Setting small = set("data.initial-batch-tokens", "500"), growing = set("data.batch-growth-epochs", "2");
  EXPECT_EQ(error({small, growing}), "nothing was thrown");
  EXPECT_EQ(error({small}), "`data.initial-batch-tokens` needs a data.batch-growth-epochs above 0");
  EXPECT_EQ(error({small, growing, set("data.batch-tokens", "400")}),
            "`data.initial-batch-tokens` must be at most 400, as data.batch-tokens, but is 500");
}

TEST(RunOptions, AScheduleFreeOptimizerHasItsOwnAverage) {
  const auto error = [](const std::vector<Setting>& settings) {
    return heed::testing::message_of<ConfigError>([&] { validate(run_of(settings)); });
  };
  const Setting average = set("train.ema-decay", "0.999");
  EXPECT_EQ(error({average}), "nothing was thrown");
  EXPECT_EQ(error({average, set("train.optimizer.type", "schedule-free")}),
            "`train.ema-decay` must be 0 with train.optimizer.type schedule-free, which has its own average");
}

TEST(RunOptions, ANameLikeAFormerOneLeadsToThePresentOne) {
  EXPECT_EQ(heed::testing::message_of<ConfigError>([&] { run_of({set("valid.minimum-gan", "1")}); }),
            "`--valid.minimum-gan` is not an option; did you mean `--valid.min-delta`?");
}

TEST(RunOptions, WrongCombinationsAreRefused) {
  const auto error = [](const std::vector<Setting>& settings) {
    return heed::testing::message_of<ConfigError>([&] { validate(run_of(settings)); });
  };
  EXPECT_EQ(
      error({set("preset", "transformer-huge")}),
      "`--preset` must be one of transformer-low-resource, transformer-tiny, transformer-small, transformer-base, "
      "transformer-big, "
      "rnn-sutskever, rnn-bahdanau, rnn-luong, rnn-gnmt, rnn-memory, conv, lm-lstm, lm-transformer, but is "
      "`transformer-huge`; did you mean `transformer-base` or `transformer-big`?");
  EXPECT_EQ(
      error({set("text.joint", "false"), set("arch.tied-embeddings", "all")}),
      "`arch.tied-embeddings` must be `decoder` or `none` with `text.joint` = false, as two vocabularies share no "
      "table, but is `all`");
  EXPECT_EQ(error({set("text.tokenizers", "given")}), "`text.source-tokenizer` is missing: name the tokenizer's file");
  EXPECT_EQ(error({set("text.source-tokenizer", "a.spm")}),
            "`--text.source-tokenizer` applies only when `text.tokenizers` is `given`, but it is `learned`");
  EXPECT_EQ(error({set("preset", "rnn-luong"), set("arch.decoder.max-source", "5")}),
            "`--arch.decoder.max-source` applies only when `arch.decoder.score` is `location`, but it is `general`");
  EXPECT_EQ(error({set("train.average", "none"), set("train.average-count", "3")}),
            "`--train.average-count` applies only when `train.average` is `best` or `last`, but it is `none`");
  EXPECT_EQ(error({set("valid.translate", "none"), set("valid.beam", "4")}),
            "`--valid.beam` applies only when `valid.translate` is `all`, but it is `none`");
  EXPECT_EQ(error({set("text.tokenizers", "given"), set("text.vocab-size", "99")}),
            "`--text.vocab-size` applies only when `text.tokenizers` is `learned`, but it is `given`");
  EXPECT_EQ(error({set("data.batch-tokens", "9000000000000000000")}),
            "`--data.batch-tokens` must be a whole number from 1 to 1000000000, but is `9000000000000000000`");
  EXPECT_EQ(error({set("train.schedule.type", "cosine"), set("train.schedule.warmup", "9"),
                   set("train.schedule.length", "9")}),
            "`train.schedule.length` must be more than the warm-up, `9`, but is `9`");
  EXPECT_EQ(error({set("valid-source", "-"), set("valid-target", "-")}),
            "standard input (-) is named twice; it can be read only once");
  RunOptions twice = run_of({set("valid-source", "-"), set("valid-target", "a")});
  twice.corpus.source = {"-"};
  EXPECT_EQ(heed::testing::message_of<ConfigError>([&] { validate(twice); }),
            "standard input (-) is named twice; it can be read only once");
  EXPECT_EQ(error({set("device", "\xff")}),
            "`device` must be UTF-8, but is `\uFFFD`: give the file another name, or a link with another name");
  EXPECT_EQ(error({set("text.tokenizers", "given"), set("text.type", "bpe")}),
            "`--text.type` applies only when `text.tokenizers` is `learned`, but it is `given`");
}

RunOptions language_model_of(std::vector<Setting> settings) {
  for (const char* name : {"target", "valid-target"}) settings.push_back(set(name, "train.de"));
  settings.push_back(set("task", "language-model"));
  settings.push_back(set("model", "m"));
  return read_run_options({}, settings);
}

TEST(RunOptions, ALanguageModelHasItsOwnDefaultPreset) {
  EXPECT_EQ(language_model_of({}).preset, Preset::LmTransformer);
  EXPECT_NO_THROW(validate(language_model_of({})));
  EXPECT_EQ(language_model_of({set("preset", "lm-lstm")}).preset, Preset::LmLstm);
  EXPECT_EQ(read_run_options({}, {set("preset", "lm-lstm")}).task, Task::LanguageModel);
  EXPECT_EQ(run_of({}).task, Task::Translation);
  const std::string path = ::testing::TempDir() + "/language-model.toml";
  write_file(path, format_options(language_model_of({})));
  EXPECT_EQ(read_run_options({path}, {}), language_model_of({}));
}

TEST(RunOptions, OptionsOfTheOtherTaskAreRefused) {
  const auto of_language_model = [](const std::vector<Setting>& settings) {
    return heed::testing::message_of<ConfigError>([&] { validate(language_model_of(settings)); });
  };
  const std::string rest = " has no effect on a language model, which learns only from `target`: leave it out";
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"source", "a"},
                                                                                    {"pairs", "a"},
                                                                                    {"valid-source", "a"},
                                                                                    {"valid-pairs", "a"},
                                                                                    {"text.joint", "false"},
                                                                                    {"data.max-source-length", "9"},
                                                                                    {"search.beam", "9"},
                                                                                    {"search.length-alpha", "9"}}) {
    EXPECT_EQ(of_language_model({set(name, value)}), "`" + name + "`" + rest);
  }
  EXPECT_EQ(of_language_model({set("text.tokenizers", "given"), set("text.source-tokenizer", "a.spm")}),
            "`text.source-tokenizer`" + rest);
  EXPECT_EQ(of_language_model({set("text.tokenizers", "given")}),
            "`text.target-tokenizer` is missing: name the tokenizer's file");
  EXPECT_EQ(of_language_model({set("arch.encoder.type", "rnn")}),
            "`arch.encoder.type` must be none for a language model");
  EXPECT_EQ(of_language_model({set("valid.translate", "all")}), "`valid.translate` must be none for a language model");
  EXPECT_EQ(of_language_model({set("preset", "rnn-luong")}),
            "`task` must be translation with the preset rnn-luong, but is language-model");
  const auto of_translation = [](const std::vector<Setting>& settings) {
    return heed::testing::message_of<ConfigError>([&] { validate(run_of(settings)); });
  };
  EXPECT_EQ(of_translation({set("task", "translation"), set("preset", "lm-lstm")}),
            "`task` must be language-model with the preset lm-lstm, but is translation");
  EXPECT_EQ(of_translation({set("arch.encoder.type", "none")}),
            "`arch.encoder.type` cannot be none for a translation model: `task` = language-model needs none");
}

TEST(RunOptions, WhatTheTrainerWouldRefuseIsRefusedBeforeAnythingIsWritten) {
  const auto refused = [](const RunOptions& options) {
    return heed::testing::message_of<ConfigError>([&] { validate(options); });
  };
  EXPECT_EQ(refused(run_of({set("train.r-drop", "1"), set("arch.dropout", "0")})),
            "`train.r-drop` must be 0 without dropout (arch.dropout): two readings of a sentence are equal");
  EXPECT_NO_THROW(validate(run_of({set("train.r-drop", "1"), set("preset", "rnn-luong"), set("arch.dropout", "0"),
                                   set("arch.decoder.attention-function", "gumbel")})));
  EXPECT_EQ(refused(run_of({set("train.r-drop", "1"), set("preset", "rnn-luong"),
                            set("arch.decoder.attention-function", "hard")})),
            "`train.r-drop` must be 0 with arch.decoder.attention-function hard: the choices of a reading learn only "
            "from its own loss");
  EXPECT_EQ(
      refused(language_model_of({set("train.r-drop", "1"), set("preset", "lm-lstm"), set("data.context", "text")})),
      "`train.r-drop` must be 0 with data.context text: a continuous text is read once");
  EXPECT_EQ(refused(run_of({set("train.teacher-weight", "0.9")})),
            "`train.teacher-weight` has no effect without `train.teacher`");
  EXPECT_EQ(refused(language_model_of(
                {set("train.teacher", "teacher"), set("preset", "lm-lstm"), set("data.context", "text")})),
            "`train.teacher` must be empty with data.context text: teachers read sentence by sentence");
  EXPECT_EQ(refused(run_of({set("train.teacher", "teacher"), set("preset", "rnn-luong"),
                            set("train.scheduled-sampling.type", "linear")})),
            "`train.teacher` must be empty with train.scheduled-sampling: teachers read the words of the target");
  EXPECT_EQ(refused(run_of({set("valid-source", "a"), set("valid-target", "b"), set("valid.tokenize", "spm")})),
            "[valid] `tokenize` spm needs its SentencePiece model: name the file with `tokenizer-model`");
  EXPECT_EQ(refused(run_of({set("train.optimizer.type", "sgd"), set("train.optimizer.nesterov", "true")})),
            "`train.optimizer.nesterov` needs a train.optimizer.momentum above 0");
  EXPECT_EQ(refused(run_of({set("search.beam", "3"), set("search.n-best", "4")})),
            "`search.n-best` must be at most `search.beam` (3), but is 4");
}

TEST(RunOptions, AContinuousTextIsForRecurrentLanguageModels) {
  const auto error = [](std::vector<Setting> settings) {
    settings.push_back(set("data.context", "text"));
    return heed::testing::message_of<ConfigError>([&] { validate(language_model_of(settings)); });
  };
  EXPECT_NO_THROW(validate(language_model_of({set("preset", "lm-lstm"), set("data.context", "text"),
                                              set("data.batch-size", "8"), set("data.bptt-length", "20")})));
  const std::string needs =
      "`data.context` must be sentence, except for a language model with `arch.decoder.type` = rnn and no memory tape: "
      "only a state of fixed size can be carried from line to line";
  EXPECT_EQ(error({set("preset", "lm-transformer")}), needs);
  EXPECT_EQ(error({set("preset", "lm-lstm"), set("arch.decoder.memory-tape", "true")}), needs);
  EXPECT_EQ(heed::testing::message_of<ConfigError>(
                [] { validate(run_of({set("preset", "rnn-luong"), set("data.context", "text")})); }),
            needs);
  EXPECT_EQ(error({set("preset", "lm-lstm"), set("text.sampling", "lattice")}),
            "`data.context` must be sentence if segmentations are sampled (text.sampling, text.dropout)");
  EXPECT_EQ(error({set("preset", "lm-lstm"), set("text.tokenizers", "given"), set("text.target-tokenizer", "a.bpe"),
                   set("text.dropout", "0.1")}),
            "`data.context` must be sentence if segmentations are sampled (text.sampling, text.dropout)");
  EXPECT_EQ(error({set("preset", "lm-lstm"), set("weights", "w")}),
            "`data.context` must be sentence where sentences have weights: a text that is read as one has none");
  EXPECT_EQ(error({set("preset", "lm-lstm"), set("valid.batch-tokens", "9")}),
            "`valid.batch-tokens` has no effect with `data.context` = text, which validation uses too");
  EXPECT_EQ(error({set("preset", "lm-lstm"), set("data.batch-tokens", "9")}),
            "`--data.batch-tokens` applies only when `data.context` is `sentence`, but it is `text`");
  EXPECT_EQ(heed::testing::message_of<ConfigError>([] { language_model_of({set("data.bptt-length", "9")}); }),
            "`--data.bptt-length` applies only when `data.context` is `text`, but it is `sentence`");
}

TEST(RunOptions, SentencesTheModelHasNoPositionsForAreRefused) {
  const auto error = [](const std::vector<Setting>& settings) {
    return heed::testing::message_of<ConfigError>([&] { validate(run_of(settings)); });
  };
  const auto learned = [](const std::string& side, const std::string& length) {
    return std::vector{set("arch." + side + ".positions", "learned"), set("arch." + side + ".max-length", length)};
  };
  EXPECT_NO_THROW(validate(run_of(learned("encoder", "257"))));
  EXPECT_EQ(error(learned("encoder", "256")),
            "`data.max-source-length` must be at most 255, as the model has 256 positions (arch.encoder.max-length), "
            "but is 256");
  EXPECT_NO_THROW(validate(run_of(learned("decoder", "257"))));
  EXPECT_EQ(error(learned("decoder", "256")),
            "`data.max-target-length` must be at most 255, as the model has 256 positions (arch.decoder.max-length), "
            "but is 256");
  EXPECT_EQ(error({set("preset", "rnn-luong"), set("arch.decoder.score", "location")}),
            "`data.max-source-length` must be at most 99, as the model has 100 positions (arch.decoder.max-source), "
            "but is 256");
}

TEST(RunOptions, WithoutValidationTextItsOptionsAreRefused) {
  const auto error = [](const Setting& setting) {
    return heed::testing::message_of<ConfigError>([&] { validate(run_of({setting})); });
  };
  const std::string rest = " has no effect without validation text: give it, or leave this option out";
  EXPECT_EQ(error(set("valid.metric", "loss")), "`valid.metric`" + rest);
  EXPECT_EQ(error(set("valid.beam", "7")), "`valid.beam`" + rest);
  EXPECT_EQ(error(set("valid.translate", "none")), "`valid.translate`" + rest);
  EXPECT_EQ(error(set("train.average", "best")),
            "`train.average` must be last or none without validation text, which decides what is best");
  EXPECT_NO_THROW(validate(run_of({set("valid.every", "50")})));
  EXPECT_NO_THROW(
      validate(run_of({set("valid-pairs", "dev"), set("valid.metric", "loss"), set("train.average", "best")})));
  // What is saved holds all values, and reads back.
  const std::string path = ::testing::TempDir() + "/no-valid.toml";
  write_file(path, format_options(run_of({})));
  EXPECT_EQ(read_run_options({path}, {}), run_of({}));
}

TEST(RunOptions, WithoutValidationTextThereIsNoPatience) {
  EXPECT_EQ(run_of({}).valid.patience, 0);
  EXPECT_NO_THROW(validate(run_of({})));
  EXPECT_GT(run_of({set("valid-source", "a"), set("valid-target", "b")}).valid.patience, 0);
  EXPECT_THROW(run_of({set("valid.patience", "3")}), ConfigError);
  EXPECT_THROW(run_of({set("train.keep-best", "5")}), ConfigError);
}

}  // namespace
}  // namespace heed::config
