#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include <nlohmann/json.hpp>

#include "config/all_presets.h"
#include "heed/core/error.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "heed_torch/interchange/common/exchanged_model.h"
#include "heed_torch/interchange/huggingface/marian.h"
#include "heed_torch/interchange/interchange.h"
#include "interchange/marian_files.h"
#include "support/message_of.h"
#include "support/tiny_models.h"

namespace heed::interchange {
namespace {

namespace fs = std::filesystem;
using testing::decoder_of;
using testing::decoder_stack;
using testing::encoder_stack;
using testing::MarianFiles;
using testing::message_of;

class MarianExport : public ::testing::Test {
 protected:
  /// The model of the files, which a test may change before.
  ExchangedModel model() {
    files.write();
    import_model({.from = Format::HuggingFace, .input = files.directory, .model = heed});
    return read_model_directory(heed);
  }
  nlohmann::json written(const char* name) const { return nlohmann::json::parse(read_file(output + "/" + name)); }
  /// What the export of a model says after a change of its network.
  std::string refused(const std::function<void(models::ArchitectureOptions&)>& change) const {
    ExchangedModel changed{
        .arch = testing::tiny_transformer(), .search = {}, .tokenizers = {}, .tensors = {}, .left_out = {}};
    encoder_stack(changed.arch).norm_order = decoder_stack(changed.arch).norm_order = models::PostNorm{};
    changed.tokenizers.source = changed.tokenizers.target = text::testing::learn_one({.type = text::WordsOptions{}});
    change(changed.arch);
    std::string message = message_of<CheckpointError>([&] { write_marian(changed, "M", output); });
    EXPECT_FALSE(fs::exists(output)) << message;
    return message;
  }

  testing::TemporaryDirectory folder;
  MarianFiles files{folder.file("m")};
  std::string heed = folder.file("heed"), output = folder.file("theirs");
};

TEST_F(MarianExport, WhatKeepsAModelFromItIsKnownWithoutItsTensors) {
  const ExchangedModel exported = model();
  models::ArchitectureOptions arch = exported.arch;
  EXPECT_EQ(export_obstacle(Format::HuggingFace, arch, exported.tokenizers), std::nullopt);
  EXPECT_EQ(export_obstacle(Format::CTranslate2, arch, exported.tokenizers), std::nullopt);
  encoder_stack(arch).norm_order = models::PreNorm{};
  EXPECT_EQ(export_obstacle(Format::HuggingFace, arch, exported.tokenizers),
            "another norm order than post (`arch.encoder.norm-order`)");
  EXPECT_EQ(export_obstacle(Format::CTranslate2, arch, exported.tokenizers), std::nullopt);
  const auto words = text::testing::learn_one({.type = text::WordsOptions{}});
  EXPECT_EQ(export_obstacle(Format::HuggingFace, exported.arch, {.source = words, .target = words}),
            "the tokenizer source.words, which is not a SentencePiece tokenizer");
  EXPECT_EQ(export_obstacle(Format::CTranslate2, testing::tiny_rnn(), exported.tokenizers), "the encoder `rnn`");
}

/// As docs/guide/interchange.md has it.
TEST_F(MarianExport, OfPresetsThoseWithPostNormAndSinusoidalPositionsCanBeExportedToAll) {
  const text::Tokenizers tokenizers = model().tokenizers;
  for (const config::Preset preset : config::all_presets()) {
    const std::string name = config::name_of(preset);
    models::ArchitectureOptions arch = config::preset_options(preset).arch;
    const bool transformer = name.starts_with("transformer-");
    const bool post = name == "transformer-base" || name == "transformer-big";
    EXPECT_EQ(!export_obstacle(Format::CTranslate2, arch, tokenizers), transformer) << name;
    EXPECT_EQ(!export_obstacle(Format::HuggingFace, arch, tokenizers), post) << name;
    if (!transformer) continue;
    encoder_stack(arch).norm_order = decoder_stack(arch).norm_order = models::PostNorm{};
    encoder_stack(arch).positions = decoder_stack(arch).positions = nn::SinusoidalPositions{};
    EXPECT_FALSE(export_obstacle(Format::HuggingFace, arch, tokenizers)) << name;
  }
}

/// Import and export of a model that transformers wrote.
TEST_F(MarianExport, SettingsComeBack) {
  files.generation = {{"num_beams", 3}, {"length_penalty", 0.5}, {"no_repeat_ngram_size", 2}};
  files.config["attention_dropout"] = 0.05;
  model();
  export_model({.to = Format::HuggingFace, .model = heed, .output = output});
  const nlohmann::json generation = written("generation_config.json"), config = written("config.json");
  EXPECT_EQ(generation.at("num_beams"), 3);
  EXPECT_EQ(generation.at("length_penalty"), 0.5);
  EXPECT_EQ(generation.at("no_repeat_ngram_size"), 2);
  EXPECT_EQ(config.at("dropout"), 0.2);
  EXPECT_EQ(config.at("attention_dropout"), 0.05);
}

TEST_F(MarianExport, SearchIsToldInTransformersWords) {
  ExchangedModel exported = model();
  const auto barred = [&] { return written("generation_config.json").at("bad_words_ids"); };
  const nlohmann::json unk = {1};
  write_marian(exported, heed, output);
  EXPECT_EQ(std::ranges::count(barred(), unk), 1);
  exported.search.unknown = true;
  exported.search.length_penalty = search::NoPenalty{};
  write_marian(exported, heed, output);
  EXPECT_EQ(std::ranges::count(barred(), unk), 0);
  EXPECT_EQ(written("generation_config.json").at("length_penalty"), 0);
  EXPECT_TRUE(exported.left_out.empty());
  exported.search.length_penalty = search::GnmtPenalty{};
  write_marian(exported, heed, output);
  EXPECT_EQ(exported.left_out, (std::vector<std::string>{"the length penalty gnmt is left out: transformers' power "
                                                         "penalty takes its place"}));
}

TEST_F(MarianExport, SettingsOfSearchAreWrittenOrNamed) {
  ExchangedModel exported = model();
  const auto generation = [&] {
    exported.left_out.clear();
    write_marian(exported, heed, output);
    return written("generation_config.json");
  };
  exported.search = {.beam = 6, .min_length = 2, .stop = search::StopAtBest{}, .groups = 3, .diversity = 0.25};
  nlohmann::json config = generation();
  EXPECT_EQ(config.at("min_new_tokens"), 2);
  EXPECT_EQ(config.at("early_stopping"), "never");
  EXPECT_EQ(config.at("num_beam_groups"), 3);
  EXPECT_EQ(config.at("diversity_penalty"), 0.25);
  EXPECT_EQ(config.at("max_length"), 512) << "the limit follows the source";
  exported.search = {.max_length_factor = 0, .max_length_constant = 40, .min_length = 0};
  config = generation();
  EXPECT_EQ(config.at("max_length"), 42);
  EXPECT_EQ(config.at("min_new_tokens"), 0);
  EXPECT_FALSE(config.contains("num_beam_groups"));
  EXPECT_EQ(config.at("early_stopping"), true);
  EXPECT_TRUE(exported.left_out.empty());
  exported.search = {.method = search::SampleMethod{},
                     .word_reward = 0.5,
                     .coverage_penalty = 0.1,
                     .repetition_penalty = 1.5,
                     .stop = search::StopAtCount{2}};
  generation();
  const std::string end = ", is left out: transformers has no such penalty";
  EXPECT_EQ(exported.left_out,
            (std::vector<std::string>{"`search.patience`, 2, is left out: transformers has 1",
                                      "`search.method` sample is left out: the exported model searches",
                                      "`search.repetition-penalty`, 1.5" + end, "`search.word-reward`, 0.5" + end,
                                      "`search.coverage-penalty`, 0.1" + end}));
}

/// What is written is read back.
TEST_F(MarianExport, SearchComesBack) {
  ExchangedModel exported = model();
  exported.search = {.beam = 6,
                     .length_penalty = search::PowerPenalty{0.5},
                     .max_length_factor = 0,
                     .max_length_constant = 40,
                     .no_repeat_ngram = 3,
                     .stop = search::StopAtBest{},
                     .groups = 2,
                     .diversity = 0.25};
  for (const int64_t shortest : {0, 1, 7}) {
    exported.search.min_length = shortest;
    write_marian(exported, heed, output);
    EXPECT_EQ(read_marian(output).search, exported.search) << shortest;
  }
}

/// transformers divides scores by the root of a head's width always.
TEST_F(MarianExport, QueriesHaveTheScaleThatScoresHaveNot) {
  ExchangedModel exported = model();
  const auto tensors = [&] {
    write_marian(exported, heed, output);
    return checkpoint::read_tensors(output + "/model.safetensors").tensors;
  };
  const auto scaled = tensors();
  encoder_stack(exported.arch).scale_scores = false;
  const auto multiplied = tensors();
  ASSERT_EQ(multiplied.size(), scaled.size());
  for (const auto& [name, tensor] : scaled) {
    const bool is_query = name.starts_with("model.encoder") && name.find("q_proj") != std::string::npos;
    EXPECT_TRUE(multiplied.at(name).allclose(is_query ? tensor * std::sqrt(2.0) : tensor)) << name;
  }
}

TEST_F(MarianExport, NamesWhatMarianCannotHold) {
  using Arch = models::ArchitectureOptions;
  EXPECT_EQ(refused([](Arch& arch) { encoder_stack(arch).feed_forward.gated = true; }),
            "M: has a gated feed-forward network (`arch.encoder.gated`), which MarianMT of transformers cannot hold");
  EXPECT_EQ(refused([](Arch& arch) { decoder_stack(arch).norm_order = models::PostNorm{.epsilon = 1e-6}; }),
            "M: has another norm than layer with epsilon 1e-5 (`arch.decoder.norm`), which MarianMT of transformers "
            "cannot hold");
  EXPECT_EQ(refused([](Arch& arch) { decoder_stack(arch).feed_forward.activation = nn::Activation::Silu; }),
            "M: has two activation functions (`arch.decoder.activation`), which MarianMT of transformers cannot hold");
  EXPECT_EQ(refused([](Arch& arch) { decoder_of(arch).causal_mask = false; }),
            "M: has a decoder without a causal mask (`arch.decoder.causal-mask`), which MarianMT of transformers "
            "cannot hold");
}

TEST_F(MarianExport, NeedsADirectoryForItsFiles) {
  EXPECT_EQ(message_of<ConfigError>([&] { export_model({.to = Format::HuggingFace, .model = heed, .output = ""}); }),
            "`--output` is missing: name the directory for the other toolkit's files");
}

}  // namespace
}  // namespace heed::interchange
