// Language models in training: sentence by sentence, and a continuous text with truncated backpropagation.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/data/batches/batching.h"
#include "heed/data/batches/continuous_text.h"
#include "heed/text/word_tokenizer.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "heed_torch/training/trainer.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"
#include "support/tiny_models.h"

namespace heed::training {
namespace {

using data::TextContext;

/// Lines of the words a to h, none of which decides the next alone: each follows from the two before.
struct ToyText {
  explicit ToyText(int64_t lines, uint64_t seed = 1) {
    RandomStream random(seed, Purpose::Test);
    std::string text;
    for (int64_t i = 0; i < lines; ++i) {
      uint64_t before = random.below(8), last = random.below(8);
      for (uint64_t k = 0, length = 1 + random.below(9); k < length; ++k) {
        text += std::string(k ? " " : "") + static_cast<char>('a' + last);
        before = std::exchange(last, random.below(4) == 0 ? random.below(8) : (before + last) % 8);
      }
      text += "\n";
    }
    write_file(directory.file("text"), text);
    files = {.source = {}, .target = {directory.file("text")}, .pairs = {}};
    data::build_corpus(directory.file("corpus"), files, {.source = nullptr, .target = tokenizer}, {});
    corpus = std::make_shared<const data::EncodedCorpus>(directory.file("corpus"));
  }
  heed::testing::TemporaryDirectory directory;
  std::shared_ptr<const text::Tokenizer> tokenizer = std::make_shared<text::WordTokenizer>(
      text::WordTokenizer::kWordsEnding, std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g", "h"});
  data::CorpusFiles files;
  std::shared_ptr<const data::EncodedCorpus> corpus;
};

models::ArchitectureOptions rnn_architecture(nn::CellKind cell = nn::CellKind::Lstm, double dropout = 0) {
  models::ArchitectureOptions options;
  options.d_model = 16;
  options.dropout = dropout;
  options.embedding_scale = false;
  options.encoder.type = models::NoEncoderOptions{};
  options.decoder.type = models::RnnDecoderOptions{.stack = {.cell = cell, .layers = 2, .hidden = 16},
                                                   .initial_state = models::ZeroState{},
                                                   .attention = models::NoMemoryAttention{},
                                                   .readout = models::StateReadout{}};
  return options;
}

std::shared_ptr<models::Model> rnn_model(const models::ArchitectureOptions& options = rnn_architecture()) {
  return models::build_model(options, {.source = 0, .target = 12}, 7);
}

/// The whole text as one row: loss and gradients of backpropagation through all of it.
struct Whole {
  Whole(models::Model& model, const data::EncodedCorpus& corpus) {
    std::vector<int64_t> ids;
    for (int64_t line = 0; line < corpus.size(); ++line) {
      ids.push_back(text::kBos);
      for (const int32_t id : corpus.target_ids(line)) ids.push_back(id);
      ids.push_back(text::kEos);
    }
    const Tensor row = torch::tensor(ids).unsqueeze(0);
    const Tensor logits = model.logits(model.decoder->forward(row.slice(1, 0, -1), nullptr).hidden).squeeze(0);
    const Tensor next = row.slice(1, 1).squeeze(0);
    const Tensor nll = -torch::log_softmax(logits, -1).gather(1, next.unsqueeze(1)).squeeze(1);
    const Tensor sum = nll.masked_select(next.ne(text::kBos)).sum();
    loss = sum.item<double>();
    gradients = torch::autograd::grad({sum}, model.parameters());
  }
  double loss;
  std::vector<Tensor> gradients;
};

/// The sum over an epoch's windows without changing the model: loss, and gradients as training adds them up.
struct Windows {
  Windows(const std::shared_ptr<models::Model>& model, std::shared_ptr<const data::EncodedCorpus> corpus,
          const TextContext& context, int64_t parts = 1, int64_t replicas = 1) {
    const data::ContinuousText columns(std::move(corpus), context);
    RecurrentStates carried(context.columns);
    std::vector<Tensor> parameters;
    for (const auto& [name, parameter] : trainable_parameters(*model)) parameters.push_back(parameter);
    GradientComputer computer(parameters, make_replicas(model, replicas, c10::kCPU, {}, &carried), {.seed = 1});
    for (const Tensor& parameter : parameters) gradients.push_back(torch::zeros_like(parameter));
    for (int64_t window = 0; window < columns.windows(); ++window) {
      data::StepBatch step{.micro_batches = columns.window(window, parts)};
      for (const data::MicroBatch& part : step.micro_batches) step.target_tokens += part.target_tokens;
      const auto tokens = static_cast<double>(step.target_tokens);
      loss += computer.compute(step, {.number = static_cast<uint64_t>(window) + 1}).nll * tokens;
      for (size_t i = 0; i < parameters.size(); ++i) gradients[i] += parameters[i].grad() * tokens;
      carried.advance();
    }
  }
  double loss = 0;
  std::vector<Tensor> gradients;
};

double largest_difference(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, heed::testing::difference(a[i], b[i]));
  return largest;
}

TEST(TruncatedBackpropagation, IsTheFullOneWhereTheWindowCoversTheText) {
  const ToyText text(6);
  for (const nn::CellKind cell : {nn::CellKind::Lstm, nn::CellKind::GruCho, nn::CellKind::Tanh}) {
    const auto model = rnn_model(rnn_architecture(cell));
    const Whole whole(*model, *text.corpus);
    const Windows windows(model, text.corpus, {.columns = 1, .steps = 1000});
    EXPECT_NEAR(windows.loss, whole.loss, 1e-3);
    EXPECT_LT(largest_difference(windows.gradients, whole.gradients), 1e-5);
  }
}

TEST(TruncatedBackpropagation, CarriesTheStateOverTheWindowsAndCutsTheGradient) {
  const ToyText text(6);
  const auto model = rnn_model();
  const Whole whole(*model, *text.corpus);
  const Windows windows(model, text.corpus, {.columns = 1, .steps = 3});
  EXPECT_NEAR(windows.loss, whole.loss, 1e-3) << "each window goes on from the state before it";
  EXPECT_GT(largest_difference(windows.gradients, whole.gradients), 1e-3) << "gradients end at the window";
}

TEST(TruncatedBackpropagation, ColumnsArePartsThatAnyReplicaMayCompute) {
  const ToyText text(30);
  const auto model = rnn_model();
  const TextContext context{.columns = 6, .steps = 4};
  const Windows whole(model, text.corpus, context);
  const Windows parts(model, text.corpus, context, 4), replicas(model, text.corpus, context, 4, 2);
  EXPECT_NEAR(parts.loss, whole.loss, 1e-3);
  EXPECT_LT(largest_difference(parts.gradients, whole.gradients), 1e-5);
  for (size_t i = 0; i < parts.gradients.size(); ++i) {
    EXPECT_TRUE(torch::equal(parts.gradients[i], replicas.gradients[i])) << i;
  }
}

TEST(TruncatedBackpropagation, ReadsOnAsIfTheTextHadNotBeenCut) {
  const torch::NoGradGuard no_grad;
  const auto model = rnn_model();
  const Tensor text = heed::testing::random_targets({9, 9}, 12, 3);
  std::vector<models::CellState> carried;
  const Tensor first = model->decoder->read_on(text.slice(1, 0, 4), carried).hidden;
  const Tensor second = model->decoder->read_on(text.slice(1, 4), carried).hidden;
  const Tensor whole = model->decoder->forward(text, nullptr).hidden;
  EXPECT_LT(heed::testing::difference(torch::cat({first, second}, 1), whole), 1e-6);
}

TEST(RecurrentStates, AreSavedByColumnAndForgottenWithoutAdvance) {
  const auto batch = [](int64_t column, int64_t rows, bool begins) {
    return data::MicroBatch{.source = {.rows = rows, .columns = 0, .ids = {}},
                            .target = data::TokenTargets{{.rows = rows, .columns = 0, .ids = {}}},
                            .lines = {},
                            .text = data::TextPlace{.column = column, .begins = begins}};
  };
  RecurrentStates carried(3);
  EXPECT_TRUE(carried.before(batch(0, 3, true)).empty());
  carried.after(batch(0, 1, true), {{.hidden = torch::full({1, 2}, 1.0), .cell = {}}});
  carried.after(batch(1, 2, true), {{.hidden = torch::full({2, 2}, 2.0), .cell = {}}});
  EXPECT_TRUE(carried.tensors().empty());
  carried.advance();
  carried.after(batch(0, 3, false), {{.hidden = torch::full({3, 2}, NAN), .cell = {}}});
  const auto saved = carried.tensors();
  ASSERT_EQ(saved.size(), 1U);
  EXPECT_TRUE(torch::equal(saved.at("0/hidden"), torch::tensor({{1.0F, 1.0F}, {2.0F, 2.0F}, {2.0F, 2.0F}})));
  RecurrentStates other(3), wrong(4);
  other.load(saved, c10::kCPU, "path");
  EXPECT_TRUE(torch::equal(other.before(batch(0, 2, false))[0].hidden, torch::tensor({{1.0F, 1.0F}, {2.0F, 2.0F}})))
      << "whichever columns a batch has";
  EXPECT_TRUE(other.before(batch(0, 3, true)).empty()) << "a text that begins has nothing before it";
  EXPECT_EQ(heed::testing::message_of<CheckpointError>([&] { wrong.load(saved, c10::kCPU, "path"); }),
            "path: holds the states of 3 columns of text, expected 4");
}

TEST(RecurrentStates, OfATextThatBeganWithAForgottenWindowAreNotThoseOfItsFormerEnd) {
  const auto window = [](bool begins) {
    return data::StepBatch{.micro_batches = {{.source = {},
                                              .target = data::TokenTargets{{.rows = 1, .columns = 0, .ids = {}}},
                                              .lines = {},
                                              .text = data::TextPlace{.column = 0, .begins = begins}}}};
  };
  RecurrentStates carried(1);
  const auto take = [&](const data::StepBatch& step, double value) {
    carried.after(step.micro_batches[0], {{.hidden = torch::full({1, 1}, value), .cell = {}}});
  };
  take(window(false), 1);
  carried.advance();
  take(window(false), NAN);
  carried.forget(window(false));
  EXPECT_EQ(carried.before(window(false).micro_batches[0])[0].hidden.item<double>(), 1) << "within a text";
  take(window(true), NAN);
  carried.forget(window(true));
  EXPECT_TRUE(carried.before(window(false).micro_batches[0]).empty());
  take(window(false), 2);
  carried.advance();
  EXPECT_EQ(carried.before(window(false).micro_batches[0])[0].hidden.item<double>(), 2);
}

struct LanguageModelTraining : ::testing::Test {
  TrainerSetup setup(const data::StreamOptions& reading, const models::ArchitectureOptions& options) const {
    TrainerSetup setup{.model = rnn_model(options),
                       .tokenizers = {.source = nullptr, .target = text.tokenizer},
                       .text = std::make_shared<data::StoredText>(text.corpus),
                       .validation = ValidationSet{.corpus = dev.corpus, .source = {}, .reference = {}}};
    setup.validation->reference.resize(static_cast<size_t>(dev.corpus->size()));
    setup.stream = reading;
    setup.train.schedule = ConstantSchedule{.learning_rate = 5e-3};
    setup.train.label_smoothing = 0;
    setup.train.replicas = 1;
    setup.train.max_steps = 30;
    setup.valid.translate = NoTranslation{};
    setup.valid.metric = ValidationMetric::Perplexity;
    setup.valid.every = {10};
    return setup;
  }
  /// Stops by request after `stop_at` steps (0: never).
  TrainingOutcome train(const TrainerSetup& setup, const std::string& name, double stop_at = 0) const {
    struct Stopper : Observer {
      void on_training(const TrainingReport& report) override {
        if (report.progress.steps == at) stop.request();
      }
      double at = 0;
      StopRequest stop;
    } stopper;
    stopper.at = stop_at;
    checkpoint::RunDirectory run(text.directory.file(name));
    return Trainer(setup, run, {&stopper}).train(stopper.stop);
  }
  checkpoint::NamedTensors model_of(const std::string& name) const {
    return checkpoint::read_tensors(text.directory.file(name) + "/model.safetensors").tensors;
  }
  const ToyText text{400, 1}, dev{40, 2};
  const data::StreamOptions sentences{.context = data::SentenceContext{.step_tokens = 200}};
  const data::StreamOptions whole_text{.context = TextContext{.columns = 8, .steps = 20}, .micro_batches = 2};
};

TEST_F(LanguageModelTraining, LearnsAndReportsThePerplexityOfItsSentences) {
  for (const auto& options : {rnn_architecture(), [] {
                                models::ArchitectureOptions transformer = heed::testing::tiny_transformer();
                                transformer.encoder.type = models::NoEncoderOptions{};
                                return transformer;
                              }()}) {
    TrainerSetup with = setup(sentences, options);
    with.train.schedule = ConstantSchedule{.learning_rate = 0.01};
    with.train.max_steps = 100;
    const auto outcome = train(with, "sentences" + std::to_string(options.decoder.type.index()));
    const auto& scores = outcome.final->candidates.front().scores;
    double nll = 0;
    int64_t tokens = 0;
    with.model->eval();
    const torch::NoGradGuard no_grad;
    checkpoint::load_into(
        *with.model,
        checkpoint::read_tensors(text.directory.file("sentences" + std::to_string(options.decoder.type.index())) +
                                 "/model.safetensors")
            .tensors,
        "");
    for (int64_t line = 0; line < dev.corpus->size(); ++line) {
      const text::Ids target = dev.corpus->target_ids(line);
      const data::BatchPair pair{.line = line, .source = {}, .target = target};
      const data::MicroBatch batch = data::make_batch(std::span(&pair, 1), false);
      nll += part_loss(*with.model, batch, c10::kCPU, {}).nll.item<double>();
      tokens += batch.target_tokens;
    }
    const auto chosen = std::ranges::find(outcome.final->candidates, outcome.final->chosen, &Candidate::name);
    EXPECT_NEAR(chosen->scores.at("perplexity"), std::exp(nll / static_cast<double>(tokens)), 1e-3);
    EXPECT_LT(scores.at("perplexity"), 9) << "better than a guess among the tokens that can come";
  }
}

TEST_F(LanguageModelTraining, AContinuousTextGoesOnBitForBit) {
  const auto options = rnn_architecture(nn::CellKind::Lstm, /*dropout=*/0.2);
  TrainerSetup with = setup(whole_text, options);
  with.log.every = {1};
  const int64_t windows = data::ContinuousText(text.corpus, {.columns = 8, .steps = 20}).windows();
  ASSERT_GT(windows, 7);
  ASSERT_LT(windows, 30) << "the run goes on over the end of an epoch";
  train(with, "whole");
  for (const double stop_at : {7.0, static_cast<double>(windows)}) {
    const std::string name = "stopped" + std::to_string(stop_at);
    TrainerSetup first = setup(whole_text, options), second = setup(whole_text, options);
    first.log.every = {1};
    EXPECT_FALSE(train(first, name, stop_at).finished);
    EXPECT_TRUE(train(second, name).finished);
    const auto whole = model_of("whole"), resumed = model_of(name);
    ASSERT_EQ(whole.size(), resumed.size());
    for (const auto& [parameter, value] : whole) EXPECT_TRUE(torch::equal(value, resumed.at(parameter))) << parameter;
  }
}

TEST_F(LanguageModelTraining, AnUpdateThatIsNotMadeLeavesNoStateBehind) {
  struct Watcher : Observer {
    explicit Watcher(const Tensor& parameter) : weight(parameter), sound(parameter.detach().clone()) {}
    void on_training(const TrainingReport& report) override {
      const torch::NoGradGuard no_grad;
      if (report.progress.steps == 3) weight.fill_(std::numeric_limits<float>::quiet_NaN());
      if (report.progress.steps == 4) weight.copy_(sound);
      skipped = report.skipped_steps;
    }
    Tensor weight, sound;
    int64_t skipped = 0;
  };
  TrainerSetup with = setup(whole_text, rnn_architecture());
  with.log.every = {1};
  with.train.max_steps = 7;  // within the first epoch: the next one would begin anew
  Watcher watcher(with.model->parameters()[0]);
  checkpoint::RunDirectory run(text.directory.file("skipped"));
  Trainer(with, run, {&watcher}).train(StopRequest());
  EXPECT_EQ(watcher.skipped, 1) << "the updates behind it go on from the state before it";
}

TEST_F(LanguageModelTraining, OfAContinuousTextValidatesOnOneInASingleColumn) {
  TrainerSetup with = setup(whole_text, rnn_architecture());
  with.train.average = NoAverage{};
  const auto outcome = train(with, "validated");
  const auto model = rnn_model();
  checkpoint::load_into(*model, model_of("validated"), "");
  model->eval();
  const Windows windows(model, dev.corpus, {.columns = 1, .steps = 1000});
  const double tokens = static_cast<double>(dev.corpus->summary().target_tokens);
  EXPECT_NEAR(outcome.final->candidates.front().scores.at("loss"), windows.loss / tokens, 1e-4);
}

TEST_F(LanguageModelTraining, AContinuousTextNeedsARecurrentLanguageModel) {
  auto transformer = heed::testing::tiny_transformer();
  transformer.encoder.type = models::NoEncoderOptions{};
  EXPECT_EQ(
      heed::testing::message_of<ConfigError>([&] { train(setup(whole_text, transformer), "transformer"); }),
      "`data.context` must be sentence, except for a language model with a recurrent decoder that has no memory tape");
}

}  // namespace
}  // namespace heed::training
