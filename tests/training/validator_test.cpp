#include "heed_torch/training/validator.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include "heed/core/log.h"
#include "heed/metrics/chrf.h"
#include "training/toy_task.h"

namespace heed::training {
namespace {

using heed::testing::ToyTask;

/// Requests a stop when text is encoded, which the loss does not do and translation does.
class StoppingTokenizer : public text::WordTokenizer {
 public:
  StoppingTokenizer(const text::Tokenizer& letters, StopRequest& stop)
      : text::WordTokenizer(kWordsEnding, words_of(letters)), stop_(stop) {}
  text::Ids encode(std::string_view line) const override {
    if (armed) stop_.request();
    return text::WordTokenizer::encode(line);
  }
  bool armed = false;

 private:
  static std::vector<std::string> words_of(const text::Tokenizer& letters) {
    std::vector<std::string> words;
    for (int32_t id = text::kEos + 1; id < letters.size(); ++id) words.push_back(letters.piece(id));
    return words;
  }
  StopRequest& stop_;
};

/// A decoder that notes how many sentences it is given each time.
class NotingDecoder : public models::Decoder {
 public:
  explicit NotingDecoder(std::shared_ptr<models::Decoder> inner) : inner_(std::move(inner)) {}
  models::Decoded forward(const at::Tensor& target, const models::Memory* memory,
                          models::RequestedOutputs want) override {
    sentences.push_back(target.size(0));
    return inner_->forward(target, memory, want);
  }
  std::unique_ptr<models::DecoderState> start(const models::Memory* memory, int64_t beam, int64_t count) override {
    return inner_->start(memory, beam, count);
  }
  models::Decoded step(const at::Tensor& tokens, models::DecoderState& state, models::RequestedOutputs want) override {
    return inner_->step(tokens, state, want);
  }
  std::vector<int64_t> sentences;

 private:
  std::shared_ptr<models::Decoder> inner_;
};

struct Validating : ::testing::Test {
  Validator validator(const text::Tokenizers& tokenizers) const {
    ValidationOptions options;
    options.translate = TranslateValidText{.samples = 0};
    return validator(tokenizers, options);
  }
  Validator validator(const text::Tokenizers& tokenizers, const ValidationOptions& options) const {
    return Validator({.model = setup.model,
                      .tokenizers = tokenizers,
                      .validation = *setup.validation,
                      .options = options,
                      .translator = setup.translator});
  }
  const ToyTask task;
  TrainerSetup setup = task.setup();
};

TEST_F(Validating, AStopEndsItAndLeavesTheModelInTraining) {
  StopRequest stop;
  stop.request();
  setup.model->train();
  EXPECT_THROW(validator(setup.tokenizers).validate(stop), Stopped);
  EXPECT_TRUE(setup.model->is_training());
}

TEST_F(Validating, AStopEndsTheTranslation) {
  StopRequest stop;
  const auto source = std::make_shared<StoppingTokenizer>(*setup.tokenizers.source, stop);
  const Validator stopped = validator({.source = source, .target = setup.tokenizers.target});
  EXPECT_TRUE(stopped.validate(stop).scores.contains("bleu"));
  source->armed = true;
  EXPECT_THROW(stopped.validate(stop), Stopped);
}

TEST_F(Validating, ScoresTranslationsByChrfAsEvaluateDoes) {
  ValidationOptions options;
  options.metric = ValidationMetric::Chrf;
  options.translate = TranslateValidText{.beam = 2, .samples = 50};
  const ValidationScores scores = validator(setup.tokenizers, options).validate(StopRequest());
  std::vector<std::string> hypotheses;
  for (const SampleTranslation& sample : scores.samples) hypotheses.push_back(sample.hypothesis);
  ASSERT_EQ(hypotheses.size(), setup.validation->reference.size());
  const metrics::Chrf chrf;
  const auto references = metrics::References::from_files({setup.validation->reference});
  EXPECT_EQ(scores.scores.at("chrf"), chrf.corpus_score(hypotheses, references).value);
  EXPECT_GT(scores.scores.at("chrf"), 0);
  EXPECT_EQ(scores.chrf_signature, chrf.signature().text());
}

TEST_F(Validating, LossIsPerTargetTokenInBatchesOfAnySize) {
  const auto loss_in = [&](int64_t batch_tokens) {
    ValidationOptions options;
    options.batch_tokens = batch_tokens;
    options.translate = NoTranslation{};
    return validator(setup.tokenizers, options).validate(StopRequest()).scores.at("loss");
  };
  const double loss = loss_in(20);
  EXPECT_NEAR(loss_in(100'000), loss, 1e-5 * loss);
  const double uniform = std::log(static_cast<double>(setup.tokenizers.target->size()));
  EXPECT_GT(loss, 0.5 * uniform) << "of a model that has learned nothing";
  EXPECT_LT(loss, 2 * uniform);
}

TEST_F(Validating, BatchesHaveAsManyTokensAsAskedFor) {
  const auto decoder = std::make_shared<NotingDecoder>(setup.model->decoder);
  setup.model->decoder = decoder;
  const auto batches_of = [&](int64_t batch_tokens) {
    decoder->sentences.clear();
    ValidationOptions options;
    options.batch_tokens = batch_tokens;
    options.translate = NoTranslation{};
    validator(setup.tokenizers, options).validate(StopRequest());
    return decoder->sentences;
  };
  const auto lines = std::ssize(setup.validation->reference);
  EXPECT_EQ(batches_of(1), std::vector<int64_t>(static_cast<size_t>(lines), 1)) << "none holds less than a sentence";
  EXPECT_EQ(batches_of(100'000), std::vector<int64_t>{lines});
}

TEST_F(Validating, ScoresByBleuAsAskedFor) {
  for (std::string& line : setup.validation->reference) {
    for (char& letter : line) letter = static_cast<char>(std::toupper(letter));
  }
  ValidationOptions options;
  const auto scored = [&](bool lowercase) {
    TranslateValidText wanted{.beam = 2, .samples = 0};
    wanted.bleu.lowercase = lowercase;
    options.translate = wanted;
    return validator(setup.tokenizers, options).validate(StopRequest());
  };
  EXPECT_EQ(scored(false).scores.at("bleu"), 0);
  const ValidationScores in_lower_case = scored(true);
  EXPECT_GT(in_lower_case.scores.at("bleu"), 0);
  EXPECT_NE(in_lower_case.signature.find("case:lc"), std::string::npos) << in_lower_case.signature;
}

TEST_F(Validating, SaysWhichTokenizerSuitsTextWithoutSpaces) {
  std::vector<std::string> warnings;
  set_log_sink([&](LogLevel, std::string_view message) { warnings.emplace_back(message); });
  for (std::string& line : setup.validation->reference) line = "二人の男が屋根を直している。";
  validator(setup.tokenizers);
  set_log_sink({});
  EXPECT_EQ(warnings,
            std::vector<std::string>{"the validation text is mostly Japanese, which the tokenizer 13a cuts at "
                                     "spaces and punctuation only: `valid.tokenize` ja-mecab or char suits it"});
}

TEST_F(Validating, TellsOfLinesThatAreTranslatedInPartsOnce) {
  std::vector<std::string> warnings;
  set_log_sink([&](LogLevel, std::string_view message) { warnings.emplace_back(message); });
  setup.validation->source[3] = "a b c d e f g h a";
  setup.validation->source[7] = "a b c d e f g h a b c";
  setup.translator.max_source_length = 8;
  const Validator made = validator(setup.tokenizers);
  made.rehearse();
  made.validate(StopRequest());
  made.validate(StopRequest());
  set_log_sink({});
  EXPECT_EQ(warnings, std::vector<std::string>{
                          "2 of the 50 lines of validation text have more than 8 tokens: translated in parts"});
}

}  // namespace
}  // namespace heed::training
