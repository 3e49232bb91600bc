#include "heed_torch/translation/predictor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
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
using text::TargetKind;

text::Tokenizers tokenizers_of(TargetKind kind) {
  const auto words = std::make_shared<text::WordTokenizer>(text::WordTokenizer::kWordsEnding,
                                                           std::vector<std::string>{"a", "b", "c", "d"});
  if (kind == TargetKind::Numbers) return {.source = words, .target = std::make_shared<text::NumberTokenizer>(2)};
  return {.source = words, .target = std::make_shared<text::LabelTokenizer>(kind, std::vector<std::string>{"x", "y"})};
}

std::shared_ptr<models::Model> model_of(TargetKind kind, bool crf = false, int64_t positions = 0) {
  models::ArchitectureOptions options = heed::testing::tiny_transformer();
  options.decoder.type = models::NoDecoderOptions{};
  options.tied_embeddings = models::TiedEmbeddings::None;
  if (kind == TargetKind::Class) options.head.type = models::ClassHeadOptions{};
  if (kind == TargetKind::WordLabels) options.head.type = models::LabelHeadOptions{.crf = crf};
  if (kind == TargetKind::Numbers) options.head.type = models::NumberHeadOptions{};
  if (positions > 0) {
    heed::testing::encoder_stack(options).positions = nn::LearnedPositions{.max_length = positions};
  }
  auto model = models::build_model(options, {.source = 8, .target = 2}, 1);
  const torch::NoGradGuard no_grad;
  torch::manual_seed(1);
  if (crf) model->head->crf->transitions.normal_();
  if (auto* head = dynamic_cast<models::NumberHead*>(model->head.get())) {
    head->set_statistics(torch::tensor({100.0, -5.0}), torch::tensor({10.0, 1.0}));
  }
  return model;
}

Predictor predictor_of(TargetKind kind, const PredictorOptions& options = {}, bool crf = false, int64_t positions = 0) {
  return {model_of(kind, crf, positions), tokenizers_of(kind), options, at::kCPU};
}

const std::vector<std::string> kLines{"a b c", "", "d", "  ", "b b b b a", "c ? a"};

TEST(Predictor, EveryLineHasAPredictionAndABlankOneABlankOne) {
  for (const auto kind : {TargetKind::Class, TargetKind::WordLabels, TargetKind::Numbers}) {
    const Predictor predictor = predictor_of(kind);
    const auto made = predictor.predict(kLines);
    ASSERT_EQ(made.size(), kLines.size());
    for (size_t line = 0; line < kLines.size(); ++line) {
      const bool blank = line == 1 || line == 3;
      EXPECT_EQ(predictor.text(made[line]).empty(), blank) << static_cast<int>(kind) << " " << line;
    }
    EXPECT_TRUE(predictor.predict({}).empty());
  }
}

TEST(Predictor, NeighborsAndBatchesChangeNothing) {
  for (const bool crf : {false, true}) {
    const auto kind = TargetKind::WordLabels;
    const auto alone = predictor_of(kind, {.batch_tokens = 1}, crf).predict(kLines);
    const auto together = predictor_of(kind, {.workers = 2}, crf).predict(kLines);
    for (size_t line = 0; line < kLines.size(); ++line) {
      EXPECT_EQ(alone[line].labels, together[line].labels);
      for (size_t word = 0; word < alone[line].probabilities.size(); ++word) {
        EXPECT_NEAR(alone[line].probabilities[word][0], together[line].probabilities[word][0], 1e-5);
      }
    }
  }
}

TEST(Predictor, ProbabilitiesAddUpAndTheLabelHasTheHighest) {
  for (const auto kind : {TargetKind::Class, TargetKind::WordLabels}) {
    for (const Prediction& prediction : predictor_of(kind).predict(kLines)) {
      ASSERT_EQ(prediction.labels.size(), prediction.probabilities.size());
      for (size_t i = 0; i < prediction.labels.size(); ++i) {
        const auto& values = prediction.probabilities[i];
        EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), 1, 1e-5);
        EXPECT_EQ(prediction.labels[i], std::ranges::max_element(values) - values.begin());
      }
    }
  }
}

TEST(Predictor, NumbersAreInTheUnitsOfTheTrainingSet) {
  const auto made = predictor_of(TargetKind::Numbers).predict(kLines);
  const auto model = model_of(TargetKind::Numbers);
  model->eval();
  const Tensor source = torch::tensor({{4, 5, 6, 3}}, torch::kLong);
  const Tensor output = model->output(model->head->forward(model->encode(source)).hidden).flatten();
  EXPECT_NEAR(made[0].numbers[0], 100 + 10 * output[0].item<double>(), 1e-3);
  EXPECT_NEAR(made[0].numbers[1], -5 + output[1].item<double>(), 1e-4);
}

TEST(Predictor, AttentionIsOverTheTokensRead) {
  for (const Prediction& prediction : predictor_of(TargetKind::Class).predict(kLines)) {
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
  const Prediction made = Predictor(model, tokenizers_of(TargetKind::Class), {}, at::kCPU).predict_all(lines)[0];

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
std::shared_ptr<models::Model> other_model(TargetKind kind, bool crf) {
  auto model = model_of(kind, crf);
  const torch::NoGradGuard no_grad;
  for (auto& parameter : model->parameters()) parameter.mul_(-2);
  return model;
}

TEST(Predictor, AnEnsembleHasTheMeanOfItsModels) {
  const PredictorOptions options;
  for (const auto& [kind, crf] : {std::pair{TargetKind::Class, false}, std::pair{TargetKind::WordLabels, false},
                                  std::pair{TargetKind::WordLabels, true}, std::pair{TargetKind::Numbers, false}}) {
    const auto tokenizers = tokenizers_of(kind);
    const auto one = Predictor(model_of(kind, crf), tokenizers, options, at::kCPU).predict(kLines);
    const auto other = Predictor(other_model(kind, crf), tokenizers, options, at::kCPU).predict(kLines);
    Predictor ensemble(model_of(kind, crf), tokenizers, options, at::kCPU);
    ensemble.add_model(other_model(kind, crf), tokenizers, "ensemble");
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
      ASSERT_EQ(both[line].labels.size(), one[line].labels.size());
      expect_mean(one[line].numbers, other[line].numbers, both[line].numbers);
      expect_mean(one[line].attention, other[line].attention, both[line].attention);
      for (size_t word = 0; word < both[line].labels.size(); ++word) {
        const auto& mean = both[line].probabilities[word];
        expect_mean(one[line].probabilities[word], other[line].probabilities[word], mean);
        EXPECT_EQ(both[line].labels[word], std::ranges::max_element(mean) - mean.begin());
      }
    }
    EXPECT_TRUE(differs);
  }
}

TEST(Predictor, AnEnsembleIsOfModelsThatPredictTheSame) {
  Predictor classes = predictor_of(TargetKind::Class);
  const auto refused = [&](TargetKind kind, const text::Tokenizers& tokenizers) {
    return heed::testing::message_of<ConfigError>([&] { classes.add_model(model_of(kind), tokenizers, "ensemble m"); });
  };
  EXPECT_EQ(refused(TargetKind::Numbers, tokenizers_of(TargetKind::Numbers)),
            "`ensemble m` predicts something else than the first model");
  text::Tokenizers others = tokenizers_of(TargetKind::Class);
  others.target = std::make_shared<text::LabelTokenizer>(TargetKind::Class, std::vector<std::string>{"y", "x"});
  EXPECT_EQ(refused(TargetKind::Class, others),
            "`ensemble m` must have the target vocabulary of the first model, but its entry 0 is `y` instead of `x`; "
            "train it with `text.tokenizers` = given and that model's tokenizer");
}

TEST(Predictor, LongLinesAreLabelledInPartsAndOtherwiseReadFromTheirBegin) {
  std::string line;
  for (int i = 0; i < 25; ++i) line += i % 3 == 0 ? "a " : "b ";
  const std::vector<std::string> lines{line, "a b"};
  const auto labelled = predictor_of(TargetKind::WordLabels, {}, false, 10).predict(lines);  // 9 and end-of-sentence
  EXPECT_EQ(labelled[0].labels.size(), 25);
  EXPECT_EQ(labelled[0].source.size(), 25);
  EXPECT_TRUE(labelled[0].cut);
  EXPECT_FALSE(labelled[1].cut);
  const Predictor classes = predictor_of(TargetKind::Class, {.max_source_length = 8});
  const auto made = classes.predict(std::vector<std::string>{line, "a b b a b b a b"});
  EXPECT_TRUE(made[0].cut);
  EXPECT_FALSE(made[1].cut);
  EXPECT_EQ(made[0].labels, made[1].labels);
  EXPECT_NEAR(made[0].probabilities[0][0], made[1].probabilities[0][0], 1e-6);
  Predictor ensemble = predictor_of(TargetKind::Class);
  ensemble.add_model(model_of(TargetKind::Class, false, 10), tokenizers_of(TargetKind::Class), "ensemble");
  EXPECT_TRUE(ensemble.predict(lines)[0].cut) << "what all models can read";
  EXPECT_EQ(ensemble.predict(lines)[0].source.size(), 9);
}

}  // namespace
}  // namespace heed::translation
