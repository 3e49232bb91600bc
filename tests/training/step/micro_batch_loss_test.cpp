#include "heed_torch/training/step/micro_batch_loss.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "heed/data/batches/batching.h"
#include "heed/metrics/error_rates/error_rate.h"
#include "heed/text/word_tokenizer.h"
#include "heed_torch/nn/random/random_scope.h"
#include "support/tiny_models.h"

namespace heed::training {
namespace {

using heed::testing::tiny_transformer;

std::shared_ptr<models::Model> make_model(double dropout = 0,
                                          const models::VocabularySizes& sizes = {.source = 20, .target = 20}) {
  models::ArchitectureOptions options = tiny_transformer();
  options.dropout = dropout;
  if (sizes.source == 0) options.encoder.type = models::NoEncoderOptions{};
  return models::build_model(options, sizes, 3);
}

const std::vector<text::Ids> kSources{{5, 6, 7}, {8}, {9, 10}, {11, 12, 13, 14}};
const std::vector<text::Ids> kTargets{{7, 6}, {8, 9, 10, 11}, {12}, {13, 14, 15}};

data::MicroBatch batch_of(const std::vector<size_t>& rows, bool has_source = true) {
  std::vector<data::BatchPair> pairs;
  for (const size_t row : rows) {
    pairs.push_back({.line = static_cast<int64_t>(row), .source = kSources[row], .target = kTargets[row]});
  }
  return data::make_batch(pairs, has_source);
}

data::StepBatch update_of(const std::vector<std::vector<size_t>>& parts) {
  data::StepBatch step;
  for (const auto& rows : parts) {
    step.micro_batches.push_back(batch_of(rows));
    step.target_tokens += step.micro_batches.back().target_tokens;
  }
  return step;
}

/// -log p of a row, from the logits of the model's own full forward on that row alone.
double row_nll(models::Model& model, size_t row) {
  const data::MicroBatch batch = batch_of({row});
  const Tensor source = torch::tensor(batch.source.ids).unsqueeze(0);
  const Tensor target = torch::tensor(batch.tokens().ids).unsqueeze(0);
  const models::Memory memory = model.encode(source);
  const Tensor logits = model.logits(model.decoder->forward(target.slice(1, 0, -1), &memory).hidden);
  return torch::nn::functional::cross_entropy(logits.squeeze(0), target.slice(1, 1).squeeze(0),
                                              torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum))
      .item<double>();
}

std::vector<Tensor> gradients_of(const std::shared_ptr<models::Model>& model, const data::StepBatch& step,
                                 int64_t replicas) {
  std::vector<Tensor> parameters, gradients;
  for (const auto& [name, parameter] : trainable_parameters(*model)) parameters.push_back(parameter);
  GradientComputer computer(parameters, make_replicas(model, replicas, c10::kCPU, {.label_smoothing = 0.1}),
                            {.seed = 1});
  computer.compute(step, {.number = 1});
  for (const Tensor& parameter : parameters) gradients.push_back(parameter.grad().clone());
  return gradients;
}

TEST(PartLoss, IsTheSumOverRealTokensOfEachRow) {
  const auto model = make_model();
  double sum = 0;
  for (size_t row = 0; row < 4; ++row) sum += row_nll(*model, row);
  const nn::LossSum together = part_loss(*model, batch_of({0, 1, 2, 3}), c10::kCPU, {});
  EXPECT_NEAR(together.nll.item<double>(), sum, 1e-4);
  EXPECT_NEAR(together.loss.item<double>(), sum, 1e-4);
}

/// Rows that count so much.
data::MicroBatch weighted(data::MicroBatch batch, const std::vector<float>& weights) {
  batch.weights = weights;
  batch.weighted_tokens = 0;
  for (size_t row = 0; row < weights.size(); ++row) {
    const auto tokens = static_cast<double>(kTargets[static_cast<size_t>(batch.lines[row])].size() + 1);
    *batch.weighted_tokens += static_cast<double>(weights[row]) * tokens;
  }
  return batch;
}

TEST(PartLoss, ARowsLossCountsByItsWeightAndItsLikelihoodDoesNot) {
  const auto model = make_model();
  const std::vector<float> weights{0.5f, 2, 1, 3};
  double nll = 0, loss = 0;
  for (size_t row = 0; row < 4; ++row) {
    nll += row_nll(*model, row);
    loss += static_cast<double>(weights[row]) * row_nll(*model, row);
  }
  const nn::LossSum sum = part_loss(*model, weighted(batch_of({0, 1, 2, 3}), weights), c10::kCPU, {});
  EXPECT_NEAR(sum.nll.item<double>(), nll, 1e-4);
  EXPECT_NEAR(sum.loss.item<double>(), loss, 1e-3);
}

TEST(PartLoss, AWeightOf2IsThePairTwice) {
  const auto model = make_model();
  for (const double r_drop : {0.0, 1.0}) {
    const auto computed = [&](const data::MicroBatch& batch) {
      const data::StepBatch step{.micro_batches = {batch}, .target_tokens = batch.target_tokens};
      std::vector<Tensor> parameters;
      for (const auto& [name, parameter] : trainable_parameters(*model)) parameters.push_back(parameter);
      const LossOptions options{.label_smoothing = 0.1, .r_drop = r_drop};
      GradientComputer computer(parameters, make_replicas(model, 1, c10::kCPU, options), {.seed = 1});
      const double loss = computer.compute(step, {.number = 1}).loss;
      std::vector<Tensor> gradients{torch::tensor(loss)};
      for (const Tensor& parameter : parameters) gradients.push_back(parameter.grad().clone());
      return gradients;
    };
    const auto by_weight = computed(weighted(batch_of({0, 1, 2}), {1, 2, 1}));
    const auto twice = computed(batch_of({0, 1, 1, 2}));
    const auto plain = computed(batch_of({0, 1, 2}));
    for (size_t i = 0; i < twice.size(); ++i) {
      EXPECT_TRUE(at::allclose(by_weight[i], twice[i], 1e-4, 1e-6)) << i;
    }
    EXPECT_FALSE(at::allclose(by_weight[0], plain[0], 1e-4, 1e-6));
  }
}

TEST(PartLoss, WeightsOf1ChangeNoBit) {
  const auto model = make_model(/*dropout=*/0.2);
  data::StepBatch step = update_of({{0, 1}, {2, 3}});
  const auto expected = gradients_of(model, step, 1);
  for (data::MicroBatch& part : step.micro_batches) part = weighted(part, {1, 1});
  const auto found = gradients_of(model, step, 1);
  for (size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(at::equal(found[i], expected[i])) << i;
}

TEST(PartLoss, RDropReadsTwiceInTrainingOnly) {
  const data::MicroBatch batch = batch_of({0, 1, 2, 3});
  const auto loss = [&](models::Model& model, const LossOptions& options) {
    const nn::RandomScope scope(1, 2, 3);
    return part_loss(model, batch, c10::kCPU, options).loss.item<double>();
  };
  const auto steady = make_model();
  EXPECT_NEAR(loss(*steady, {.r_drop = 5}), loss(*steady, {}), 1e-4);
  const auto dropping = make_model(0.3);
  EXPECT_GT(loss(*dropping, {.r_drop = 500}), loss(*dropping, {.r_drop = 1e-6}) + 0.1);
  dropping->eval();
  EXPECT_EQ(loss(*dropping, {.r_drop = 500}), loss(*dropping, {}));
}

TEST(PartLoss, CutoffIsOfTheSecondPassInTrainingAlone) {
  const data::MicroBatch batch = batch_of({0, 1, 2, 3});
  const nn::CutoffOptions cutoff{.type = nn::TokenCutoff{.share = 0.9}};
  const auto sum = [&](models::Model& model, const LossOptions& options) {
    const nn::RandomScope scope(1, 2, 3);
    return part_loss(model, batch, c10::kCPU, options);
  };
  const auto model = make_model();
  const double once = sum(*model, {}).nll.item<double>();
  const auto twice = sum(*model, {.r_drop = 1e-6, .cutoff = cutoff});
  EXPECT_GT(std::abs(twice.nll.item<double>() - once), 0.1) << "the second pass sees less";
  const auto rows = sum(*model, {}).rows, of_passes = twice.rows;
  EXPECT_TRUE(at::allclose(of_passes.narrow(0, 0, rows.size(0)) * 2, rows, 1e-4, 1e-5)) << "and the first does not";
  EXPECT_EQ(sum(*model, {.cutoff = cutoff}).nll.item<double>(), once) << "without R-Drop there is no second pass";
  model->eval();
  EXPECT_EQ(sum(*model, {.r_drop = 1, .cutoff = cutoff}).nll.item<double>(), sum(*model, {}).nll.item<double>());
}

/// The gradient of a step for which R-Drop is on or off, although the options have it.
std::vector<Tensor> gradients_with(const std::shared_ptr<models::Model>& model, const LossOptions& options,
                                   int64_t replicas, bool r_drop = true) {
  std::vector<Tensor> parameters, gradients;
  for (const auto& [name, parameter] : trainable_parameters(*model)) parameters.push_back(parameter);
  GradientComputer computer(parameters, make_replicas(model, replicas, c10::kCPU, options), {.seed = 1});
  computer.compute(update_of({{0, 1}, {2}, {3}}), {.number = 1, .r_drop = r_drop});
  for (const Tensor& parameter : parameters) gradients.push_back(parameter.grad().clone());
  return gradients;
}

void expect_same(const std::vector<Tensor>& found, const std::vector<Tensor>& expected, bool same = true) {
  bool equal = true;
  for (size_t i = 0; i < expected.size(); ++i) equal = equal && torch::equal(found[i], expected[i]);
  EXPECT_EQ(equal, same);
}

TEST(PartLoss, BeforeRDropBeginsAStepIsOneWithoutIt) {
  const auto model = make_model(/*dropout=*/0.3);
  const LossOptions options{.r_drop = 5, .cutoff = {.type = nn::SpanCutoff{}}};
  expect_same(gradients_with(model, options, 1, /*r_drop=*/false), gradients_with(model, {}, 1));
  expect_same(gradients_with(model, options, 1), gradients_with(model, {}, 1), /*same=*/false);
}

/// A model of other sizes for the same words.
Teachers teachers_of(int64_t count) {
  Teachers teachers{.weight = 0.4, .temperature = 2};
  for (int64_t i = 0; i < count; ++i) {
    models::ArchitectureOptions options = tiny_transformer();
    options.d_model = 24;
    options.dropout = 0.5;  // teachers draw nothing
    teachers.models.push_back(
        models::build_model(options, {.source = 20, .target = 20}, static_cast<uint64_t>(10 + i)));
    teachers.models.back()->eval();
  }
  return teachers;
}

TEST(PartLoss, OfTeachersIsTheirMeansDivergence) {
  const auto model = make_model();
  const data::MicroBatch batch = batch_of({0, 1, 2, 3});
  const Teachers teachers = teachers_of(2);
  double divergence = 0;
  for (size_t row = 0; row < 4; ++row) {
    const data::MicroBatch one = batch_of({row});
    const Tensor source = torch::tensor(one.source.ids).unsqueeze(0),
                 target = torch::tensor(one.tokens().ids).unsqueeze(0);
    const auto log_p = [&](models::Model& of) {
      const models::Memory memory = of.encode(source);
      return (of.logits(of.decoder->forward(target.slice(1, 0, -1), &memory).hidden) / 2).log_softmax(-1);
    };
    const Tensor q = (log_p(*teachers.models[0]).exp() + log_p(*teachers.models[1]).exp()) / 2;
    divergence += (q * (q.log() - log_p(*model))).sum().item<double>();
  }
  const nn::LossSum plain = part_loss(*model, batch, c10::kCPU, {.label_smoothing = 0.1});
  const nn::LossSum taught = part_loss(*model, batch, c10::kCPU, {.label_smoothing = 0.1, .teachers = teachers});
  EXPECT_NEAR(taught.loss.item<double>(), 0.6 * plain.loss.item<double>() + 0.4 * 4 * divergence, 1e-3);
  EXPECT_EQ(taught.nll.item<double>(), plain.nll.item<double>());
  model->eval();
  EXPECT_EQ(part_loss(*model, batch, c10::kCPU, {.teachers = teachers}).loss.item<double>(),
            part_loss(*model, batch, c10::kCPU).loss.item<double>())
      << "validation measures the model";
}

TEST(PartLoss, TeachersLearnNothingAndServeAllReplicas) {
  models::ArchitectureOptions dropping = tiny_transformer();
  dropping.dropout = 0.2;
  dropping.word_dropout = 0.3;
  for (models::TransformerOptions* stack :
       {&heed::testing::encoder_stack(dropping), &heed::testing::decoder_stack(dropping)}) {
    stack->layer_dropout = 0.3;
    stack->query_key_value_dropout = 0.1;
  }
  const auto model = models::build_model(dropping, {.source = 20, .target = 20}, 3);
  const LossOptions options{.label_smoothing = 0.1,
                            .r_drop = 5,
                            .cutoff = {.type = nn::FeatureCutoff{.share = 0.2}},
                            .teachers = teachers_of(2)};
  const auto one = gradients_with(model, options, 1);
  expect_same(gradients_with(model, options, 2), one);
  expect_same(one, gradients_with(model, {.label_smoothing = 0.1, .r_drop = 5, .cutoff = options.cutoff}, 1),
              /*same=*/false);
  for (const auto& teacher : options.teachers.models) {
    for (const Tensor& parameter : teacher->parameters()) EXPECT_FALSE(parameter.grad().defined());
  }
}

/// batch_of({0, 1, 3}) with links of its first row and its last.
data::MicroBatch linked_batch() {
  data::MicroBatch batch = batch_of({0, 1, 3});
  batch.links = {{.row = 0, .source = 2, .target = 0},
                 {.row = 2, .source = 0, .target = 1, .share = 0.5F},
                 {.row = 2, .source = 3, .target = 1, .share = 0.5F}};
  return batch;
}

/// sum_links -share log(attention) of the rows, times the weights of the rows.
Tensor plain_guidance(models::Model& model, const data::MicroBatch& batch) {
  const Tensor source = torch::tensor(batch.source.ids).view({batch.source.rows, -1});
  const Tensor target = torch::tensor(batch.tokens().ids).view({batch.tokens().rows, -1});
  const models::Memory memory = model.encode(source);
  const Tensor attention = model.decoder->forward(target.slice(1, 0, -1), &memory, {.attention = true}).attention;
  Tensor sum = at::zeros({});
  for (const data::TokenLink& link : batch.links) {
    const double weight = batch.weights.empty() ? 1 : static_cast<double>(batch.weights[static_cast<size_t>(link.row)]);
    sum = sum - attention[link.row][link.target][link.source].log() * static_cast<double>(link.share) * weight;
  }
  return sum;
}

TEST(PartLoss, GuidedAlignmentAddsTheCrossEntropyOfLinksToAttention) {
  for (models::ArchitectureOptions options : {tiny_transformer(), heed::testing::tiny_rnn()}) {
    const auto model = models::build_model(options, {.source = 20, .target = 20}, 3);
    const auto parameters = model->parameters();
    for (const data::MicroBatch& batch : {linked_batch(), weighted(linked_batch(), {2, 1, 0.5F})}) {
      const nn::RandomScope scope(1, 2, 3);
      const Tensor without = part_loss(*model, batch, c10::kCPU).loss;
      const Tensor with = part_loss(*model, batch, c10::kCPU, {.guided_alignment = 0.3}).loss;
      const Tensor expected = without + plain_guidance(*model, batch) * 0.3;
      EXPECT_NEAR(with.item<double>(), expected.item<double>(), 1e-4);
      EXPECT_GT(with.item<double>(), without.item<double>() + 0.1);
      const auto found = torch::autograd::grad({with}, parameters, {}, {}, false, /*allow_unused=*/true);
      const auto plain = torch::autograd::grad({expected}, parameters, {}, {}, false, /*allow_unused=*/true);
      for (size_t i = 0; i < parameters.size(); ++i) {
        if (!plain[i].defined()) continue;
        EXPECT_TRUE(at::allclose(found[i], plain[i], 1e-3, 1e-5)) << i;
      }
      const Tensor twice = part_loss(*model, batch, c10::kCPU, {.r_drop = 1e-9, .guided_alignment = 0.3}).loss;
      EXPECT_NEAR(twice.item<double>(), with.item<double>(), 1e-3) << "both passes are equal without dropout";
      model->eval();
      EXPECT_NEAR(part_loss(*model, batch, c10::kCPU, {.guided_alignment = 0.3}).loss.item<double>(),
                  without.item<double>(), 1e-4)
          << "validation measures the model";
      model->train();
    }
  }
}

TEST(PartLoss, GuidedAlignmentIsTheSameWithReplicas) {
  const auto model = make_model(/*dropout=*/0.2);
  const auto gradients = [&](int64_t replicas) {
    data::StepBatch step = update_of({{0, 1}, {2, 3}});
    step.micro_batches.push_back(linked_batch());
    step.target_tokens += step.micro_batches.back().target_tokens;
    std::vector<Tensor> parameters, found;
    for (const auto& [name, parameter] : trainable_parameters(*model)) parameters.push_back(parameter);
    const LossOptions options{.label_smoothing = 0.1, .r_drop = 1, .guided_alignment = 0.3};
    GradientComputer computer(parameters, make_replicas(model, replicas, c10::kCPU, options), {.seed = 1});
    computer.compute(step, {.number = 1});
    for (const Tensor& parameter : parameters) found.push_back(parameter.grad().clone());
    return found;
  };
  const auto one = gradients(1), three = gradients(3);
  for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(at::equal(one[i], three[i])) << i;
}

std::shared_ptr<const MinimumRisk> risk_of(const SampledRisk& options) {
  std::vector<std::string> words;
  for (char c = 'a'; c < 'a' + 16; ++c) words.emplace_back(1, c);
  return make_minimum_risk({.type = options},
                           std::make_shared<text::WordTokenizer>(text::WordTokenizer::kWordsEnding, words));
}

/// sum_s n_s sum_k softmax_k(alpha log p(y_sk)) r_sk by separate operations on the same samples. risks: [S * K].
Tensor plain_risk(models::Model& model, const data::MicroBatch& samples, const Tensor& risks, const Tensor& sizes,
                  const SampledRisk& options) {
  const Tensor source = torch::tensor(samples.source.ids).view({samples.source.rows, -1});
  const Tensor target = torch::tensor(samples.tokens().ids).view({samples.tokens().rows, -1});
  const models::Memory memory = model.encode(source);
  const Tensor log_p = model.logits(model.decoder->forward(target.slice(1, 0, -1), &memory).hidden).log_softmax(-1);
  const Tensor next = target.slice(1, 1);
  const Tensor of_tokens = log_p.gather(2, next.unsqueeze(2)).squeeze(2) * next.ne(0);
  const Tensor q = (of_tokens.sum(1).view({-1, options.samples}) * options.sharpness).softmax(1);
  return ((q * risks.view({-1, options.samples})).sum(1) * sizes).sum();
}

TEST(PartLoss, OfMinimumRiskHasTheGradientOfTheExpectedRisk) {
  const auto model = make_model();
  data::MicroBatch batch = weighted(batch_of({0, 1, 2, 3}), {1, 2, 1, 0.5});
  const SampledRisk options{.metric = RiskMetric::Cer, .samples = 5, .sharpness = 0.5, .weight = 1};
  const auto risk = risk_of(options);
  const auto parameters = model->parameters();
  const auto sum_of = [&] {
    const nn::RandomScope scope(1, 2, 3);
    return part_loss(*model, batch, c10::kCPU, {.risk = risk});
  };
  const nn::LossSum ours = sum_of();
  const nn::RandomScope scope(1, 2, 3);
  const Tensor source = torch::tensor(batch.source.ids).view({batch.source.rows, -1});
  const RiskBatch sampled = sample_risks(*model, source, batch, *risk);
  EXPECT_TRUE(model->is_training());
  EXPECT_EQ(ours.loss.item<float>(), static_cast<float>(sampled.risk));
  // The words of samples and references are letters, so the error rate of characters counts letters and spaces.
  std::vector<double> risks, sizes;
  const data::IdMatrix& rows = sampled.samples.tokens();
  const auto text_of = [&](const int64_t* row, int64_t length) {
    text::Ids ids;
    for (int64_t i = 1; i < length && row[i] != text::kEos && row[i] != text::kPad; ++i) {
      ids.push_back(static_cast<int32_t>(row[i]));
    }
    return risk->tokenizer->decode(ids);
  };
  for (int64_t row = 0; row < rows.rows; ++row) {
    const int64_t sentence = row / options.samples;
    const int64_t* reference = batch.tokens().ids.data() + sentence * batch.tokens().columns;
    const std::vector<std::string> wanted{text_of(reference, batch.tokens().columns)};
    const std::string found = text_of(rows.ids.data() + row * rows.columns, rows.columns);
    risks.push_back(metrics::ErrorRate(metrics::ErrorUnit::Characters).sentence_score(found, wanted).value / 100);
    if (row % options.samples == 0) {
      const auto i = static_cast<size_t>(sentence);
      sizes.push_back(static_cast<double>(kTargets[i].size() + 1) * static_cast<double>(batch.weights[i]));
    }
  }
  const Tensor plain =
      plain_risk(*model, sampled.samples, torch::tensor(risks, at::kFloat), torch::tensor(sizes, at::kFloat), options);
  EXPECT_NEAR(plain.item<double>(), sampled.risk, 1e-3 * sampled.risk);
  const auto expected = torch::autograd::grad({plain}, parameters);
  const auto found = torch::autograd::grad({ours.loss}, parameters);
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, expected[i].abs().max().item<double>());
    EXPECT_TRUE(at::allclose(found[i], expected[i], 1e-3, 1e-5)) << i;
  }
  EXPECT_GT(largest, 1e-3);
}

TEST(PartLoss, OfMinimumRiskIsMixedWithTheUsualLossAndOffInEvaluation) {
  const auto model = make_model();
  const data::MicroBatch batch = batch_of({0, 1, 2, 3});
  const auto loss = [&](double weight) {
    const nn::RandomScope scope(1, 2, 3);
    return part_loss(*model, batch, c10::kCPU, {.risk = risk_of({.weight = weight})}).loss.item<double>();
  };
  const double plain = part_loss(*model, batch, c10::kCPU).loss.item<double>();
  EXPECT_NEAR(loss(0), plain, 1e-4);
  EXPECT_NEAR(loss(0.25), 0.75 * plain + 0.25 * loss(1), 1e-3);
  EXPECT_LE(loss(1), static_cast<double>(batch.target_tokens)) << "a risk is at most 1 for chrF";
  model->eval();
  EXPECT_EQ(loss(1), part_loss(*model, batch, c10::kCPU).loss.item<double>());
}

TEST(PartLoss, OfMinimumRiskIsTheSameForReplicas) {
  const auto model = make_model(/*dropout=*/0.2);
  const LossOptions options{.risk = risk_of({.samples = 3})};
  const auto one = gradients_with(model, options, 1);
  expect_same(gradients_with(model, options, 1), one);
  expect_same(gradients_with(model, options, 2), one);
}

TEST(PartLoss, OfALanguageModelNeedsNoSource) {
  const auto model = make_model(0, {.source = 0, .target = 20});
  const double nll = part_loss(*model, batch_of({0, 1}, /*has_source=*/false), c10::kCPU, {}).nll.item<double>();
  EXPECT_NEAR(nll / 8, std::log(20), 1.5);
}

TEST(PartLoss, TheSameGradientForOnePartAndSeveral) {
  const auto model = make_model();
  const auto whole = gradients_of(model, update_of({{0, 1, 2, 3}}), 1);
  for (const auto& parts : std::vector<std::vector<std::vector<size_t>>>{{{0, 1}, {2, 3}}, {{3}, {1}, {0}, {2}}}) {
    const auto cut = gradients_of(model, update_of(parts), 1);
    for (size_t i = 0; i < whole.size(); ++i) {
      EXPECT_LT((whole[i] - cut[i]).abs().max().item<double>(),
                1e-5 * std::max(1.0, whole[i].abs().max().item<double>()))
          << i;
    }
  }
}

TEST(PartLoss, ReplicasOfAModelShareItsParametersAndGiveTheSameBits) {
  const auto model = make_model(/*dropout=*/0.3);
  const data::StepBatch step = update_of({{0, 1}, {2}, {3}});
  const auto one = gradients_of(model, step, 1);
  const auto two = gradients_of(model, step, 2);
  double largest = 0;
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_TRUE(torch::equal(one[i], two[i])) << i;
    largest = std::max(largest, one[i].abs().max().item<double>());
  }
  EXPECT_GT(largest, 0);
  const auto replicas = make_replicas(model, 2, c10::kCPU, {});
  EXPECT_EQ(replicas[1].parameters[0].data_ptr(), model->parameters()[0].data_ptr());
}

TEST(PartLoss, LowPrecisionStaysNear) {
  const data::StepBatch step = update_of({{0, 1}, {2, 3}});
  for (const auto& [name, options] : heed::testing::family_grid()) {
    if (models::draws_at_random(options)) continue;  // another draw is another loss
    SCOPED_TRACE(name);
    const auto model = models::build_model(options, {.source = 20, .target = 20}, 3);
    std::vector<Tensor> parameters;
    for (const auto& [path, parameter] : trainable_parameters(*model)) parameters.push_back(parameter);
    const auto computed = [&](Precision precision, double scale) {
      GradientComputer computer(parameters, make_replicas(model, 1, c10::kCPU, {.label_smoothing = 0.1}),
                                {.precision = precision});
      return computer.compute(step, {.number = 1, .loss_scale = scale});
    };
    const StepResult full = computed(Precision::Fp32, 1);
    const auto in_fp16 = [&] {  // as training does: a scale that overflows is halved
      double scale = 1024;
      while (scale > 1 && !computed(Precision::Fp16, scale).finite) scale /= 2;
      return computed(Precision::Fp16, scale);
    };
    for (const auto& low : {computed(Precision::Bf16, 1), in_fp16()}) {
      EXPECT_TRUE(low.finite);
      EXPECT_NEAR(low.loss, full.loss, 0.02 * full.loss);
      if (name.find("sparsemax") != std::string::npos) continue;  // its gradient jumps where the support changes
      EXPECT_NEAR(low.gradient_norm, full.gradient_norm, 0.05 * full.gradient_norm);
    }
  }
}

TEST(PartLoss, ATransformersActivationsAreBfloat16InBf16) {
  const auto model = make_model();
  const Tensor source = torch::tensor({{5, 6, 7, 3}}, at::kLong), target = torch::tensor({{2, 8, 9}}, at::kLong);
  for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
    const PrecisionScope scope(c10::kCPU, precision);
    const at::ScalarType type = precision == Precision::Bf16 ? at::kBFloat16 : at::kFloat;
    const models::Memory memory = model->encode(source);
    EXPECT_EQ(memory.states.scalar_type(), type);
    EXPECT_EQ(model->decoder->forward(target, &memory).hidden.scalar_type(), type);
  }
}

}  // namespace
}  // namespace heed::training
