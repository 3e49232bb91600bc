#include "heed_torch/translation/predictor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include <torch/torch.h>

#include "heed/core/error.h"
#include "heed/text/targets/labels.h"
#include "heed/text/targets/numbers.h"
#include "heed/text/word_tokenizer.h"
#include "heed_torch/translation/lines/source_tensors.h"
#include "support/message_of.h"
#include "support/tiny_models.h"

namespace heed::translation {
namespace {

using at::Tensor;

models::HeadOptions class_head() { return {models::ClassHeadOptions{}}; }
models::HeadOptions word_head(bool crf = false) { return {models::LabelHeadOptions{.crf = crf}}; }
models::HeadOptions number_head() { return {models::NumberHeadOptions{}}; }

text::Tokenizers tokenizers_of(const models::HeadOptions& head) {
  const auto words = std::make_shared<text::WordTokenizer>(text::WordTokenizer::kWordsEnding,
                                                           std::vector<std::string>{"a", "b", "c", "d"});
  if (std::holds_alternative<models::NumberHeadOptions>(head.type)) {
    return {.source = words, .target = std::make_shared<text::NumberTokenizer>(2)};
  }
  const bool of_words = std::holds_alternative<models::LabelHeadOptions>(head.type);
  return {.source = words,
          .target = std::make_shared<text::LabelTokenizer>(of_words ? text::LabelUnit::Word : text::LabelUnit::Line,
                                                           std::vector<std::string>{"x", "y"})};
}

std::shared_ptr<models::Model> model_of(const models::HeadOptions& head_options, int64_t positions = 0) {
  models::ArchitectureOptions options = heed::testing::tiny_transformer();
  options.decoder.type = models::NoDecoderOptions{};
  options.tied_embeddings = models::TiedEmbeddings::None;
  options.head = head_options;
  if (positions > 0) {
    heed::testing::encoder_stack(options).positions = nn::LearnedPositions{.max_length = positions};
  }
  auto model = models::build_model(options, {.source = 8, .target = 2}, 1);
  const torch::NoGradGuard no_grad;
  torch::manual_seed(1);
  if (model->head->crf) model->head->crf->transitions.normal_();
  if (auto* head = dynamic_cast<models::NumberHead*>(model->head.get())) {
    head->set_statistics(torch::tensor({100.0, -5.0}), torch::tensor({10.0, 1.0}));
  }
  return model;
}

Predictor predictor_of(const models::HeadOptions& head, const PredictorOptions& options = {}, int64_t positions = 0) {
  return {model_of(head, positions), tokenizers_of(head), options, at::kCPU};
}

/// The labels of a line with their probabilities: one of a class, one for each word, or none.
PredictedWords labels_of(const Prediction& prediction) {
  if (const auto* words = std::get_if<PredictedWords>(&prediction.predicted)) return *words;
  const auto* of_line = std::get_if<PredictedClass>(&prediction.predicted);
  if (of_line == nullptr || !of_line->label) return {};
  return {.labels = {*of_line->label}, .probabilities = {of_line->probabilities}};
}

std::vector<float> numbers_of(const Prediction& prediction) {
  const auto* predicted = std::get_if<PredictedNumbers>(&prediction.predicted);
  return predicted ? predicted->numbers : std::vector<float>();
}

const std::vector<std::string> kLines{"a b c", "", "d", "  ", "b b b b a", "c ? a"};

TEST(Predictor, EveryLineHasAPredictionAndABlankOneABlankOne) {
  for (const auto& head : {class_head(), word_head(), number_head()}) {
    const Predictor predictor = predictor_of(head);
    const auto made = predictor.predict(kLines);
    ASSERT_EQ(made.size(), kLines.size());
    for (size_t line = 0; line < kLines.size(); ++line) {
      const bool blank = line == 1 || line == 3;
      EXPECT_EQ(predictor.text(made[line]).empty(), blank) << head.type.index() << " " << line;
    }
    EXPECT_TRUE(predictor.predict({}).empty());
  }
}

TEST(Predictor, NeighborsAndBatchesChangeNothing) {
  for (const bool crf : {false, true}) {
    const auto alone = predictor_of(word_head(crf), {.batch_tokens = 1}).predict(kLines);
    const auto together = predictor_of(word_head(crf), {.workers = 2}).predict(kLines);
    for (size_t line = 0; line < kLines.size(); ++line) {
      const PredictedWords one = labels_of(alone[line]), other = labels_of(together[line]);
      EXPECT_EQ(one.labels, other.labels);
      for (size_t word = 0; word < one.probabilities.size(); ++word) {
        EXPECT_NEAR(one.probabilities[word][0], other.probabilities[word][0], 1e-5);
      }
    }
  }
}

TEST(Predictor, ProbabilitiesAddUpAndTheLabelHasTheHighest) {
  for (const auto& head : {class_head(), word_head()}) {
    for (const Prediction& prediction : predictor_of(head).predict(kLines)) {
      const PredictedWords found = labels_of(prediction);
      ASSERT_EQ(found.labels.size(), found.probabilities.size());
      for (size_t i = 0; i < found.labels.size(); ++i) {
        const auto& values = found.probabilities[i];
        EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), 1, 1e-5);
        EXPECT_EQ(found.labels[i], std::ranges::max_element(values) - values.begin());
      }
    }
  }
}

TEST(Predictor, NumbersAreInTheUnitsOfTheTrainingSet) {
  const auto made = predictor_of(number_head()).predict(kLines);
  const auto model = model_of(number_head());
  model->eval();
  const Tensor source = torch::tensor({{4, 5, 6, 3}}, torch::kLong);
  const Tensor output = model->output(model->head->forward(model->encode(source)).hidden).flatten();
  EXPECT_NEAR(numbers_of(made[0])[0], 100 + 10 * output[0].item<double>(), 1e-3);
  EXPECT_NEAR(numbers_of(made[0])[1], -5 + output[1].item<double>(), 1e-4);
}

TEST(Predictor, AttentionIsOverTheTokensRead) {
  for (const Prediction& prediction : predictor_of(class_head()).predict(kLines)) {
    ASSERT_EQ(prediction.attention.size(), prediction.source.size());
    const double sum = std::accumulate(prediction.attention.begin(), prediction.attention.end(), 0.0);
    EXPECT_LT(sum, 1.0001);  // end-of-sentence has the rest
  }
}

TEST(Predictor, AttentionToVectorsStandsBehindThatToTheText) {
  models::ArchitectureOptions options = heed::testing::tiny_transformer();
  options.decoder.type = models::NoDecoderOptions{};
  options.tied_embeddings = models::TiedEmbeddings::None;
  options.head.type = models::ClassHeadOptions{};
  options.vectors = {models::ProjectedVectors{.form = {.width = 2, .grid = false, .standardize = false}}};
  auto model = models::build_model(options, {.source = 8, .target = 2}, 1);
  const auto item = std::make_shared<search::SourceItem>(
      search::SourceItem{.shape = {1, 2}, .values = {3, -3, -1, 2}, .positions = 2, .has_text = true});
  const std::vector<SourceLine> lines{{.text = "a b", .item = item}};
  const Prediction made = Predictor(model, tokenizers_of(class_head()), {}, at::kCPU).predict_all(lines)[0];

  const std::vector<search::SourceSentence> sentences{{0, made.source, item.get()}};
  const models::Source source = source_tensors(sentences);
  model->eval();
  const torch::NoGradGuard no_grad;
  const Tensor weights =  // of a, b, end-of-sentence and the two vectors
      model->head->forward(model->encode(source)).attention[0];
  ASSERT_EQ(weights.size(0), 5);
  const auto from = [&](int64_t begin) {
    return std::vector<float>{weights[begin].item<float>(), weights[begin + 1].item<float>()};
  };
  EXPECT_EQ(made.attention, from(0));
  EXPECT_EQ(made.item_attention, from(3));
}

/// A second model, with other parameters.
std::shared_ptr<models::Model> other_model(const models::HeadOptions& head) {
  auto model = model_of(head);
  const torch::NoGradGuard no_grad;
  for (auto& parameter : model->parameters()) parameter.mul_(-2);
  return model;
}

TEST(Predictor, AnEnsembleHasTheMeanOfItsModels) {
  const PredictorOptions options;
  for (const auto& head : {class_head(), word_head(), word_head(/*crf=*/true), number_head()}) {
    const auto tokenizers = tokenizers_of(head);
    const auto one = Predictor(model_of(head), tokenizers, options, at::kCPU).predict(kLines);
    const auto other = Predictor(other_model(head), tokenizers, options, at::kCPU).predict(kLines);
    Predictor ensemble(model_of(head), tokenizers, options, at::kCPU);
    ensemble.add_model(other_model(head), tokenizers, "ensemble");
    const auto both = ensemble.predict(kLines);
    bool differs = false;
    const auto expect_mean = [&](const auto& a, const auto& b, const auto& mean) {
      ASSERT_EQ(a.size(), mean.size());
      for (size_t i = 0; i < mean.size(); ++i) {
        EXPECT_NEAR(mean[i], (a[i] + b[i]) / 2, 1e-4);
        differs |= std::abs(a[i] - b[i]) > 0.01;
      }
    };
    for (size_t line = 0; line < kLines.size(); ++line) {
      const PredictedWords of_both = labels_of(both[line]), of_one = labels_of(one[line]),
                           of_other = labels_of(other[line]);
      ASSERT_EQ(of_both.labels.size(), of_one.labels.size());
      expect_mean(numbers_of(one[line]), numbers_of(other[line]), numbers_of(both[line]));
      expect_mean(one[line].attention, other[line].attention, both[line].attention);
      for (size_t word = 0; word < of_both.labels.size(); ++word) {
        const auto& mean = of_both.probabilities[word];
        expect_mean(of_one.probabilities[word], of_other.probabilities[word], mean);
        EXPECT_EQ(of_both.labels[word], std::ranges::max_element(mean) - mean.begin());
      }
    }
    EXPECT_TRUE(differs);
  }
}

TEST(Predictor, AnEnsembleIsOfModelsThatPredictTheSame) {
  Predictor classes = predictor_of(class_head());
  const auto refused = [&](const models::HeadOptions& head, const text::Tokenizers& tokenizers) {
    return heed::testing::message_of<ConfigError>([&] { classes.add_model(model_of(head), tokenizers, "ensemble m"); });
  };
  EXPECT_EQ(refused(number_head(), tokenizers_of(number_head())),
            "`ensemble m` predicts something else than the first model");
  text::Tokenizers others = tokenizers_of(class_head());
  others.target = std::make_shared<text::LabelTokenizer>(text::LabelUnit::Line, std::vector<std::string>{"y", "x"});
  EXPECT_EQ(refused(class_head(), others),
            "`ensemble m` must have the target vocabulary of the first model, but its entry 0 is `y` instead of `x`; "
            "train it with `text.tokenizers` = given and that model's tokenizer");
}

TEST(Predictor, LongLinesAreLabelledInPartsAndOtherwiseReadFromTheirBegin) {
  std::string line;
  for (int i = 0; i < 25; ++i) line += i % 3 == 0 ? "a " : "b ";
  const std::vector<std::string> lines{line, "a b"};
  const auto labelled = predictor_of(word_head(), {}, 10).predict(lines);  // 9 and end-of-sentence
  EXPECT_EQ(labels_of(labelled[0]).labels.size(), 25);
  EXPECT_EQ(labelled[0].source.size(), 25);
  EXPECT_TRUE(labelled[0].cut);
  EXPECT_FALSE(labelled[1].cut);
  const Predictor classes = predictor_of(class_head(), {.max_source_length = 8});
  const auto made = classes.predict(std::vector<std::string>{line, "a b b a b b a b"});
  EXPECT_TRUE(made[0].cut);
  EXPECT_FALSE(made[1].cut);
  EXPECT_EQ(labels_of(made[0]).labels, labels_of(made[1]).labels);
  EXPECT_NEAR(labels_of(made[0]).probabilities[0][0], labels_of(made[1]).probabilities[0][0], 1e-6);
  Predictor ensemble = predictor_of(class_head());
  ensemble.add_model(model_of(class_head(), 10), tokenizers_of(class_head()), "ensemble");
  EXPECT_TRUE(ensemble.predict(lines)[0].cut) << "what all models can read";
  EXPECT_EQ(ensemble.predict(lines)[0].source.size(), 9);
}

}  // namespace
}  // namespace heed::translation
