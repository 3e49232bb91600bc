#include "heed_torch/config/setup/resume_rules.h"
#include "heed_torch/config/run_settings.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "heed_torch/config/presets.h"

namespace heed::config {
namespace {

using training::OptionChange;

Setting given(const std::string& name, const std::string& value) { return {.name = name, .values = {value}}; }

RunOptions run_with(std::vector<Setting> settings, const std::string& validation = "dev") {
  settings.push_back(given("source", "train.en"));
  settings.push_back(given("target", "train.de"));
  settings.push_back(given("valid-source", validation + ".en"));
  settings.push_back(given("valid-target", validation + ".de"));
  settings.push_back(given("model", "m"));
  if (std::ranges::find(settings, "preset", &Setting::name) == settings.end()) {
    settings.push_back(given("preset", "transformer-tiny"));
  }
  return read_run_options({}, settings);
}

std::vector<std::string> refused(const std::vector<Setting>& settings, const std::vector<Setting>& before = {}) {
  return conflicts(run_with(before), run_with(settings));
}

std::vector<OptionChange> changes(const std::vector<Setting>& settings, const std::vector<Setting>& before = {}) {
  EXPECT_EQ(refused(settings, before), std::vector<std::string>{});
  return option_changes(run_with(before), run_with(settings));
}

constexpr const char* kBestAnew =
    "scores before and after cannot be compared: the search for the best model starts "
    "again";

TEST(RunChanges, WhatTheSavedStateIsMadeOfMustStayForAReason) {
  RunOptions renamed = run_with({});
  renamed.preset = Preset::TransformerBig;
  EXPECT_EQ(
      conflicts(run_with({}), renamed),
      (std::vector<std::string>{"`preset` (was transformer-tiny, is transformer-big: it names the values that the "
                                "training began with)"}));
  EXPECT_EQ(refused({given("arch.d-model", "256"), given("seed", "2")}),
            (std::vector<std::string>{
                "`arch.d-model` (was 128, is 256: the saved parameters are those of another network)",
                "`seed` (was 1, is 2: the first parameters came from it, and the order of the text does)"}));
  EXPECT_EQ(refused({given("text.type", "words")}),  // and not what unigram alone has
            (std::vector<std::string>{"`text.type` (was unigram, is words: the vocabulary follows from it)",
                                      "`text.vocab-size` (was 8000, is 30000: the vocabulary follows from it)"}));
  EXPECT_EQ(refused({given("data.max-target-length", "99")}),
            (std::vector<std::string>{
                "`data.max-target-length` (was 256, is 99: which pairs are trained on follows from it)"}));
  EXPECT_EQ(refused({given("train.optimizer.type", "sgd")}),
            (std::vector<std::string>{
                "`train.optimizer.type` (was adam, is sgd: what the saved optimizer remembers is of another kind)"}));
  EXPECT_EQ(refused({given("vectors.source", "en.vec")}),
            (std::vector<std::string>{
                "`vectors.source` (was nothing, is en.vec: only a training that begins takes vectors in)"}));
  const std::vector<Setting> cosine{given("preset", "rnn-luong"), given("arch.decoder.score", "cosine")};
  std::vector<Setting> scaled = cosine;
  scaled.push_back(given("arch.decoder.initial-scale", "3"));
  EXPECT_EQ(
      refused(scaled, cosine),
      (std::vector<std::string>{"`arch.decoder.initial-scale` (was 10, is 3: only a training that begins has it)"}));
  const Setting sgd = given("train.optimizer.type", "sgd");
  EXPECT_EQ(refused({sgd, given("train.optimizer.momentum", "0.9")}, {sgd}).size(), 1u);
  EXPECT_TRUE(refused({sgd, given("train.optimizer.momentum", "0.9")}, {sgd, given("train.optimizer.momentum", "0.8")})
                  .empty());
}

TEST(RunChanges, AllElseMayChange) {
  EXPECT_EQ(changes({}), std::vector<OptionChange>{});
  EXPECT_EQ(changes({given("arch.dropout", "0.2"), given("train.clip-norm", "5"), given("threads", "2")}),
            (std::vector<OptionChange>{{.option = "arch.dropout", .before = "0.3", .now = "0.2"},
                                       {.option = "threads", .before = "0", .now = "2"},
                                       {.option = "train.clip-norm", .before = "1", .now = "5"}}));
  for (const Setting& setting :
       {given("text.sampling", "lattice"), given("train.label-smoothing", "0"), given("train.r-drop", "5"),
        given("train.precision", "bf16"), given("data.micro-batches", "3"), given("train.optimizer.beta2", "0.9"),
        given("train.optimizer.type", "adamw"), given("arch.encoder.attention-dropout", "0.25"),
        given("valid.patience", "3"), given("valid.every", "1e"), given("train.max-steps", "7"),
        given("log.every", "3"), given("search.beam", "9"), given("train.average", "last"),
        given("arch.decoder.feed-forward.activation-dropout", "0.25")}) {
    const auto changed = changes({setting});
    ASSERT_GE(changed.size(), 1u) << setting.name;
    EXPECT_EQ(changed.front().effect, "") << setting.name;
  }
}

TEST(RunChanges, AnotherAlternativeTellsWhatItHasOfItsOwn) {
  const auto changed = changes({given("train.schedule.type", "cosine"), given("train.schedule.final-ratio", "0.1")});
  const auto named = [&](const std::string& name) { return std::ranges::find(changed, name, &OptionChange::option); };
  ASSERT_NE(named("train.schedule.type"), changed.end());
  EXPECT_EQ(named("train.schedule.type")->before, "inverse-sqrt");
  ASSERT_NE(named("train.schedule.final-ratio"), changed.end());
  EXPECT_EQ(*named("train.schedule.final-ratio"), (OptionChange{.option = "train.schedule.final-ratio", .now = "0.1"}));
}

TEST(RunChanges, WhereScoresDoNotCompareTheBestIsLookedForAnew) {
  EXPECT_EQ(
      changes({given("valid.metric", "loss")}),
      (std::vector<OptionChange>{{.option = "valid.metric", .before = "bleu", .now = "loss", .effect = kBestAnew}}));
  const auto effect = [](const Setting& setting, const std::vector<Setting>& before = {}) {
    std::vector<Setting> now = before;
    now.push_back(setting);
    return changes(now, before).front().effect;
  };
  EXPECT_EQ(effect(given("valid.beam", "4")), kBestAnew);
  EXPECT_EQ(effect(given("valid.tokenize", "char")), kBestAnew);
  EXPECT_EQ(effect(given("search.max-length-factor", "3")), kBestAnew);
  EXPECT_EQ(effect(given("valid.beam", "4"), {given("valid.metric", "loss")}), "") << "the loss does not depend on it";
  EXPECT_EQ(effect(given("valid.beam", "4"), {given("valid.metric", "chrf")}), kBestAnew);
  EXPECT_EQ(effect(given("valid.tokenize", "char"), {given("valid.metric", "chrf")}), "") << "chrF has no tokenizer";
  EXPECT_EQ(effect(given("search.length-alpha", "0.25")), "") << "greedy search compares no lengths";
  EXPECT_EQ(effect(given("search.length-alpha", "0.25"), {given("valid.beam", "4")}), kBestAnew);
  EXPECT_EQ(validation_text_change(run_with({}), run_with({}, "dev2")),
            (OptionChange{.option = "valid-target", .before = "dev.de", .now = "dev2.de", .effect = kBestAnew}));
  EXPECT_EQ(validation_text_change(run_with({}), run_with({})).before, "other lines");
  RunOptions in_pairs = run_with({});
  in_pairs.valid_corpus = {.source = {}, .target = {}, .pairs = {"dev.tsv"}};
  EXPECT_EQ(validation_text_change(run_with({}), in_pairs).option, "valid-pairs");
}

TEST(RunChanges, OptionsOfRowsMustStayOnlyWhereTheTrainingTextHasRows) {
  RunOptions before = run_with({}), now;
  before.valid_corpus = {.source = {}, .target = {}, .pairs = {"dev.tsv"}};
  now = before;
  now.data.corpus.format.quotes = data::Quotes::Double;
  EXPECT_EQ(conflicts(before, now), std::vector<std::string>{});
  ASSERT_EQ(option_changes(before, now).size(), 1u);
  EXPECT_EQ(option_changes(before, now).front().effect, kBestAnew) << "the validation text reads otherwise";
  EXPECT_NE(state_conditions(before, {}).scores, state_conditions(now, {}).scores);
  for (RunOptions* run : {&before, &now}) run->corpus = {.source = {}, .target = {}, .pairs = {"train.tsv"}};
  EXPECT_EQ(conflicts(before, now).size(), 1u);
}

TEST(RunChanges, OrderAndPlateauSayWhatBeginsAnew) {
  EXPECT_EQ(changes({given("data.batch-tokens", "999")}),
            (std::vector<OptionChange>{{.option = "data.batch-tokens",
                                        .before = "4000",
                                        .now = "999",
                                        .effect = "the rest of the epoch is in another order"}}));
  const Setting plateau = given("train.schedule.type", "plateau");
  EXPECT_EQ(changes({plateau, given("train.schedule.learning-rate", "0.25")}, {plateau}).front().effect,
            "the learning rate starts again and has not fallen yet");
  EXPECT_EQ(changes({plateau, given("train.schedule.patience", "9")}, {plateau}).front().effect, "");
}

TEST(RunChanges, ConditionsAreThoseThatAChangeWithAnEffectChanges) {
  const auto conditions = [](const std::vector<Setting>& settings, const std::string& sum = "1") {
    return state_conditions(run_with(settings), {{"valid-target file 1", sum}});
  };
  const training::StateConditions plain = conditions({});
  EXPECT_EQ(conditions({given("arch.dropout", "0.2"), given("search.length-alpha", "9"), given("valid.patience", "3")}),
            plain);
  EXPECT_NE(conditions({}, "2").scores, plain.scores);
  EXPECT_NE(conditions({given("valid.metric", "loss")}).scores, plain.scores);
  EXPECT_EQ(conditions({given("valid.metric", "loss")}).scores,
            conditions({given("valid.metric", "loss"), given("valid.beam", "3")}).scores);
  EXPECT_NE(conditions({given("data.shuffle-window", "9")}).order, plain.order);
  EXPECT_NE(conditions({given("data.curriculum-epochs", "9")}).order, plain.order);
  EXPECT_NE(conditions({given("data.batch-growth-epochs", "9")}).order, plain.order);
  EXPECT_EQ(conditions({given("data.micro-batches", "9")}).order, plain.order);
  EXPECT_NE(conditions({given("train.precision", "fp16")}).precision, plain.precision);
  EXPECT_EQ(conditions({given("train.schedule.learning-rate", "0.1")}).schedule, plain.schedule) << "no plateau";
  const Setting plateau = given("train.schedule.type", "plateau");
  EXPECT_NE(conditions({plateau, given("train.schedule.factor", "0.25")}).schedule, conditions({plateau}).schedule);
}

}  // namespace
}  // namespace heed::config
