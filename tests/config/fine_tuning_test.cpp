// What a training takes over from the model that it begins with.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/log.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "heed/text/word_tokenizer.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/config/presets.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/resume_rules.h"
#include "heed_torch/config/setup/run_rules.h"
#include "heed_torch/config/setup/teachers.h"
#include "heed_torch/config/setup/training_model.h"
#include "heed_torch/config/setup/training_run.h"
#include "heed_torch/nn/lora.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::config {
namespace {

namespace fs = std::filesystem;
using heed::testing::message_of;
using Names = std::vector<std::string>;

text::Tokenizers of_words(const Names& words) {
  const auto tokenizer = std::make_shared<text::WordTokenizer>(text::WordTokenizer::kWordsEnding, words);
  return {.source = tokenizer, .target = tokenizer};
}

Setting option(const std::string& name, const std::string& value) { return {.name = name, .values = {value}}; }

class BaseModel : public ::testing::Test {
 protected:
  BaseModel() {
    write_file(directory.file("en"), "one two\ntwo one\n");
    write_file(directory.file("de"), "eins zwei\nzwei eins\n");
    const RunOptions options = read_run_options({}, base_settings());
    checkpoint::RunDirectory made(base);
    made.write("source.words", tokenizers.source->serialized());
    made.write("target.words", tokenizers.target->serialized());
    made.write("config.toml", format_options(options));
    made.describe_run(1, {});
    model = models::build_model(options.arch, vocabulary_sizes(tokenizers), 5);
    made.write_model(checkpoint::named_tensors(*model), {.chosen = "best", .steps = {1}, .scores = {}});
  }
  ~BaseModel() override { set_log_sink({}); }

  std::vector<Setting> base_settings() const {
    return {option("source", directory.file("en")),
            option("target", directory.file("de")),
            option("arch.d-model", "8"),
            option("preset", "transformer-small"),
            option("arch.encoder.layers", "1"),
            option("arch.decoder.layers", "1"),
            option("text.type", "words"),
            option("search.beam", "7"),
            option("arch.dropout", "0.25")};
  }
  RunOptions options(std::vector<Setting> more = {}) const {
    more.push_back(option("from", base));
    more.push_back(option("source", directory.file("en")));
    more.push_back(option("target", directory.file("de")));
    more.push_back(option("model", directory.file("model")));
    more.push_back(option("threads", "1"));
    return read_run_options({}, more);
  }
  std::string refusal(const std::vector<Setting>& more) const {
    return message_of<ConfigError>([&] { validate(options(more)); });
  }
  /// A model of these words that takes the base's weights.
  std::shared_ptr<models::Model> taken(const text::Tokenizers& words) const {
    auto now = models::build_model(model->options(), vocabulary_sizes(words), 9);
    take_weights(*now, words, *open_base(options()));
    return now;
  }

  heed::testing::TemporaryDirectory directory;
  std::string base = directory.file("base");
  text::Tokenizers tokenizers = of_words({"one", "two", "eins", "zwei"});
  std::shared_ptr<models::Model> model;
};

TEST_F(BaseModel, GivesItsArchitecturePresetTokenizersAndSearch) {
  const RunOptions run = options();
  EXPECT_NO_THROW(validate(run));
  EXPECT_EQ(run.arch, model->options());
  EXPECT_EQ(run.preset, Preset::TransformerSmall);
  EXPECT_EQ(run.search.search.beam, 7);
  const auto& given_ones = std::get<ExistingTokenizers>(run.text.tokenizers);
  EXPECT_EQ(given_ones.source, base + "/source.words");
  EXPECT_EQ(given_ones.target, "") << "one for both sides";
  EXPECT_EQ(run.train.schedule, preset_options(Preset::TransformerSmall).train.schedule);
}

TEST_F(BaseModel, GivesHowItsTextIsSampledAndItsSoundsAreRead) {
  RunOptions sampled =
      read_run_options({}, {option("source", "a"), option("target", "b"), option("text.tokenizers", "given"),
                            option("text.source-tokenizer", base + "/source.words"), option("text.dropout", "0.125")});
  write_file(base + "/config.toml", format_options(sampled));
  EXPECT_EQ(std::get<ExistingTokenizers>(options().text.tokenizers).dropout, 0.125);
  sampled.media.sounds.mels = 40;
  write_file(base + "/config.toml", format_options(sampled));
  const RunOptions of_sounds = read_run_options(
      {}, {option("from", base), option("source-audio", "list"), option("target", "b"), option("model", "m")});
  EXPECT_EQ(of_sounds.media.sounds.mels, 40);
}

TEST_F(BaseModel, DropoutMayDifferAndWhatContradictsIsNamed) {
  EXPECT_NO_THROW(validate(options({option("arch.dropout", "0.5"), option("arch.encoder.attention-dropout", "0.1")})));
  EXPECT_NO_THROW(validate(options({option("preset", "transformer-tiny")}))) << "of other training options";
  const std::string as = ", as in the model " + base + " that the training begins with (`from`), but is ";
  EXPECT_EQ(refusal({option("arch.d-model", "16")}), "`arch.d-model` must be 8" + as + "16");
  EXPECT_EQ(refusal({option("arch.encoder.type", "rnn")}), "`arch.encoder.type` must be transformer" + as + "rnn");
  EXPECT_EQ(refusal({option("from-part", "weights"), option("arch.decoder.norm-order", "post")}),
            "`arch.decoder.norm-order` must be pre" + as + "post");
}

TEST_F(BaseModel, TeachesTrainingsWithItsVocabulary) {
  const RunOptions run = options({option("from-part", "tokenizers"), option("train.teacher", base)});
  validate(run);
  const PreparedRun prepared = prepare_run(run);
  const auto teachers = open_teachers(prepared, run);
  ASSERT_EQ(teachers.size(), 1u);
  EXPECT_FALSE(teachers[0]->is_training());
  EXPECT_TRUE(at::equal(teachers[0]->parameters()[0], model->parameters()[0]));
}

TEST_F(BaseModel, DoesNotTeachTrainingsThatItDoesNotFit) {
  const auto refused = [&](std::vector<Setting> settings, const std::string& name) {
    settings.push_back(option("train.teacher", base));
    settings.push_back(option("model", directory.file(name)));
    settings.push_back(option("target", directory.file("de")));
    settings.push_back(option("threads", "1"));
    const RunOptions run = read_run_options({}, settings);
    const std::string message = message_of<ConfigError>([&] {
      validate(run);
      prepare_run(run);
    });
    EXPECT_EQ(fs::exists(directory.file(name)), name == "base") << "nothing is left of it";
    return message;
  };
  const Setting source = option("source", directory.file("en")), words = option("text.type", "words");
  EXPECT_EQ(refused({source, words, option("text.minimum-count", "1")}, "words"),
            "`train.teacher` " + base + " has another source vocabulary than this training: start the training with " +
                "`--from " + base + " --from-part tokenizers`");
  EXPECT_EQ(refused({words, option("preset", "lm-lstm")}, "language"),
            "`train.teacher` " + base + " has another task than this training");
  EXPECT_EQ(refused({source, option("from", base)}, "base"),
            "`train.teacher` " + base + " is the model that is trained");
}

TEST_F(BaseModel, GivesThePartAskedFor) {
  const RunOptions weights = options({option("from-part", "weights")});
  EXPECT_EQ(weights.arch.d_model, 8);
  const auto& learned = std::get<LearnedTokenizers>(weights.text.tokenizers);
  EXPECT_TRUE(std::holds_alternative<text::WordsOptions>(learned.options.type)) << "of its kind";
  const RunOptions texts = options({option("from-part", "tokenizers")});
  EXPECT_EQ(texts.arch.d_model, 128) << "the preset's";
  EXPECT_TRUE(std::holds_alternative<ExistingTokenizers>(texts.text.tokenizers));
  EXPECT_FALSE(open_base(texts).has_value());
  const RunOptions others = options({option("text.source-tokenizer", "other.words")});
  EXPECT_EQ(std::get<ExistingTokenizers>(others.text.tokenizers),
            (ExistingTokenizers{.source = "other.words", .target = "", .sampling = {}}));
}

TEST_F(BaseModel, RefusesWhatHasNoEffectOrNoModel) {
  const auto without = [&](std::vector<Setting> settings) {
    settings.push_back(option("model", "m"));
    settings.push_back(option("source", "a"));
    settings.push_back(option("target", "b"));
    return message_of<ConfigError>([&] { validate(read_run_options({}, settings)); });
  };
  EXPECT_EQ(without({option("from-part", "weights")}), "`from-part` has no effect without `from`");
  EXPECT_EQ(without({option("train.adapter.type", "lora")}),
            "`train.adapter.type` needs the weights of a trained model: name it with `from`");
  EXPECT_EQ(without({option("from", directory.file("none"))}),
            "`from` must be a model directory, but " + directory.file("none") + " does not exist");
  EXPECT_EQ(refusal({option("vectors.source", "en.vec")}),
            "`vectors.source` does not go with `from`, whose embeddings are trained already");
}

TEST_F(BaseModel, OfTheSameVocabularyGivesEveryTensor) {
  const auto now = taken(tokenizers);
  const auto before = checkpoint::named_tensors(*model);
  for (const auto& [name, tensor] : checkpoint::named_tensors(*now)) {
    EXPECT_TRUE(at::equal(tensor, before.at(name))) << name;
  }
}

TEST_F(BaseModel, EntriesOfBothVocabulariesKeepTheirRows) {
  std::string log;
  set_log_sink([&](LogLevel, std::string_view message) { log += message; });
  const text::Tokenizers words = of_words({"zwei", "drei", "one", "three", "four"});
  const auto now = taken(words);
  EXPECT_EQ(log, "source vocabulary: 6 of 9 entries copy their rows from the base model, 3 start with random values");
  const auto drawn = models::build_model(model->options(), vocabulary_sizes(words), 9);
  const auto table = [](const models::Model& of) { return of.named_parameters()["decoder.embedding.weight"]; };
  const at::Tensor before = table(*model), after = table(*now), fresh = table(*drawn);
  ASSERT_EQ(after.size(0), 9);
  // ids now -> ids before: 0 to 3 are special, zwei is 7, one is 4
  for (const auto& [here, there] : std::map<int64_t, int64_t>{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 7}, {6, 4}}) {
    EXPECT_TRUE(at::equal(after[here], before[there])) << here;
  }
  for (const int64_t anew : {5, 7, 8}) EXPECT_TRUE(at::equal(after[anew], fresh[anew])) << anew;
  const auto parameters = checkpoint::named_tensors(*model);
  for (const auto& [name, tensor] : checkpoint::named_tensors(*now)) {
    if (name == "decoder.embedding.weight") continue;
    EXPECT_TRUE(at::equal(tensor, parameters.at(name))) << name;
  }
}

TEST_F(BaseModel, RefusesAVocabularyThatSharesNothingAndNewRowsThatNothingTrains) {
  EXPECT_EQ(message_of<Error>([&] { taken(of_words({"uno", "dos"})); }),
            "the source vocabulary shares no entry with that of the base model");
  const text::Tokenizers grown = of_words({"one", "two", "eins", "zwei", "drei"});
  auto now = models::build_model(model->options(), vocabulary_sizes(grown), 9);
  now->named_parameters()["decoder.embedding.weight"].set_requires_grad(false);
  EXPECT_TRUE(message_of<ConfigError>([&] { take_weights(*now, grown, *open_base(options())); })
                  .starts_with("`decoder.embedding.weight` is frozen, but the vocabulary has entries that the base "
                               "model does not have"));
}

TEST_F(BaseModel, AModelWithLoraBeginsWithTheTrainedWeightsAsItsBases) {
  const RunOptions run = options({option("train.adapter.type", "lora"), option("train.adapter.rank", "2")});
  PreparedRun prepared = prepare_run(run);
  ASSERT_TRUE(prepared.base);
  const auto now = make_training_model(prepared, run);
  const auto before = checkpoint::named_tensors(*model);
  int64_t bases = 0;
  for (const auto& [name, tensor] : checkpoint::named_tensors(*now)) {
    if (name.ends_with(".lora.base")) {
      const std::string of = name.substr(0, name.size() - std::string("lora.base").size()) + "weight";
      EXPECT_TRUE(at::equal(tensor, before.at(of))) << of;
      ++bases;
    } else if (!nn::is_of_lora(name)) {
      EXPECT_TRUE(at::equal(tensor, before.at(name))) << name;
    }
  }
  EXPECT_EQ(bases, 11) << "4 products of the encoder's layer, 7 of the decoder's";
}

TEST_F(BaseModel, ATrainingThatGoesOnNeedsItNoMore) {
  const RunOptions run = options();
  {
    const PreparedRun prepared = prepare_run(run);
    checkpoint::Checkpoint checkpoint;
    checkpoint.info.step = 1;
    checkpoint.model = checkpoint::named_tensors(*make_training_model(prepared, run));
    checkpoint.state = "{}";
    prepared.directory->save_checkpoint(checkpoint);
  }
  const std::string other = directory.file("other");
  fs::rename(base, other);
  const RunOptions again = options();
  EXPECT_NO_THROW(validate(again));
  EXPECT_EQ(again.arch, run.arch);
  EXPECT_EQ(again.text, run.text);
  EXPECT_FALSE(prepare_run(again).base.has_value()) << "its checkpoint has all weights";
  RunOptions from_other = run;
  from_other.base.from = other;
  EXPECT_EQ(conflicts(run, from_other), (Names{"`from` (was " + base + ", is " + other +
                                               ": the first parameters or the tokenizers came from it)"}));
}

TEST_F(BaseModel, WhatIsTrainedMustStay) {
  const auto refused = [&](const std::vector<Setting>& before, const std::vector<Setting>& now) {
    return conflicts(options(before), options(now));
  };
  const Setting lora = option("train.adapter.type", "lora");
  EXPECT_EQ(refused({}, {option("train.freeze", "encoder")}),
            (Names{"`train.freeze` (was nothing, is encoder: the saved optimizer remembers those that were trained)"}));
  EXPECT_EQ(refused({}, {lora}).size(), 1u);
  EXPECT_EQ(refused({lora}, {lora, option("train.adapter.rank", "4")}),
            (Names{"`train.adapter.rank` (was 8, is 4: the saved parameters are those of another adapter)"}));
  EXPECT_EQ(refused({lora}, {lora, option("train.adapter.alpha", "4")}).size(), 1u);
  EXPECT_EQ(refused({lora}, {lora, option("train.adapter.dropout", "0.5")}), Names{});
}

}  // namespace
}  // namespace heed::config
