#include "heed/engine/engine.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "engine/both_backends.h"
#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/tiny_models.h"

namespace heed::engine {
namespace {

const std::vector<std::vector<int32_t>> kSources{{5, 9, 13, 3, 3}, {7, 8, 3}, {30, 31, 32, 33, 34, 35, 36, 3}};

Sources sources_of(const std::vector<std::vector<int32_t>>& sentences) {
  Sources sources;
  for (const auto& sentence : sentences) {
    sources.tokens.insert(sources.tokens.end(), sentence.begin(), sentence.end());
    sources.begins.push_back(std::ssize(sources.tokens));
  }
  return sources;
}
torch::Tensor matrix_of(const std::vector<std::vector<int32_t>>& sentences) {
  torch::Tensor matrix = torch::zeros({std::ssize(sentences), 8}, torch::kLong);
  for (size_t i = 0; i < sentences.size(); ++i) {
    for (size_t j = 0; j < sentences[i].size(); ++j) matrix[int64_t(i)][int64_t(j)] = sentences[i][j];
  }
  return matrix;
}

/// A few steps on both backends, in which beams change places and a sentence leaves.
class BothBackendsWalk {
 public:
  /// looks: asks for attention as well.
  explicit BothBackendsWalk(BothBackends& both, bool looks = false)
      : both_(both), looks_(looks), scratch_(both.engine->precision()) {
    const Sources sources = sources_of(kSources);
    Memory memory;
    const bool translates = both.engine->encoder() != nullptr;
    if (translates) both.engine->encoder()->begin_run()->encode(sources, memory);
    run_ = both.engine->decoder().begin_run();
    run_->start(sources, translates ? &memory : nullptr, kBeam, states_);
    if (translates) {
      const models::Memory plain = both.model->encode(matrix_of(kSources));
      state_ = both.model->decoder->start(&plain, kBeam);
    } else {
      state_ = both.model->decoder->start(nullptr, kBeam, std::ssize(kSources));
    }
  }

  /// The greatest difference of log-probabilities, relative to the logits' size where they are large, and, but
  /// for Transformers, of attention.
  double greatest_difference() {
    const torch::NoGradGuard guard;
    double greatest = 0;
    std::vector<int32_t> tokens(kSources.size() * kBeam, 2);
    for (int step = 0; step < 5; ++step) {
      greatest = std::max(greatest, difference_of_step(tokens));
      for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<int32_t>(4 + (7 * i + 11 * size_t(step)) % 36);
      select(step == 2);
      if (step == 2) tokens.resize(2 * kBeam);
    }
    return greatest;
  }

 private:
  static constexpr int64_t kBeam = 2;
  static constexpr int64_t kLongest = 8;

  double difference_of_step(const std::vector<int32_t>& tokens) {
    Rows hidden;
    TopK best;
    std::vector<float> looked(tokens.size() * kLongest, -1);
    run_->step(tokens, states_, hidden, {.numbers = looks_ ? looked.data() : nullptr, .distance = kLongest});
    both_.engine->output().top_k(hidden, {.count = kSizes.target, .end = 3}, scratch_, best);
    const torch::Tensor ids = torch::tensor(std::vector<int64_t>(tokens.begin(), tokens.end())).view({-1, kBeam});
    const models::Decoded decoded = both_.model->decoder->step(ids, *state_, {.attention = looks_});
    const torch::Tensor logits = both_.model->logits(decoded.hidden);
    const torch::Tensor expected = torch::log_softmax(logits, -1).view({-1, kSizes.target});
    const double size = std::max(1.0, logits.abs().max().item<double>() / 10);
    double greatest = looks_ ? difference_of_attention(looked, decoded.attention) : 0;
    for (int64_t i = 0; i < std::ssize(best.tokens); ++i) {
      const auto at = static_cast<size_t>(i);
      const auto wanted = expected[i / kSizes.target][best.tokens[at]].item<double>();
      greatest = std::max(greatest, std::abs(static_cast<double>(best.log_probabilities[at]) - wanted) / size);
    }
    return greatest;
  }

  double difference_of_attention(const std::vector<float>& looked, const torch::Tensor& expected) const {
    const torch::Tensor rows = expected.flatten(0, 1);
    double greatest = 0;
    for (int64_t row = 0; row < rows.size(0); ++row) {
      const int64_t length = std::ssize(kSources[sentences_[static_cast<size_t>(row / kBeam)]]);
      for (int64_t j = 0; j < length; ++j) {
        const auto found = static_cast<double>(looked[static_cast<size_t>(row * kLongest + j)]);
        greatest = std::max(greatest, std::abs(found - rows[row][j].item<double>()));
      }
    }
    return greatest;
  }

  /// Both beams continue the second; the second sentence may leave.
  void select(bool leaves) {
    std::vector<int64_t> kept;
    for (int64_t i = 0; i < std::ssize(states_); ++i) {
      if (!leaves || i != 1) kept.push_back(i);
    }
    if (leaves) states_.erase(states_.begin() + 1);
    if (leaves) sentences_.erase(sentences_.begin() + 1);
    state_->select({torch::tensor(kept), torch::ones({std::ssize(kept), kBeam}, torch::kLong)});
    for (const auto& state : states_) state->select(std::vector<int32_t>{1, 1});
  }

  BothBackends& both_;
  bool looks_;
  std::unique_ptr<DecoderRun> run_;
  SentenceStates states_;
  std::unique_ptr<models::DecoderState> state_;
  std::vector<size_t> sentences_{0, 1, 2};  // of kSources
  Output::Scratch scratch_;
};

double greatest_difference(const models::ArchitectureOptions& options, Precision precision = Precision::Float32) {
  BothBackends both(options, precision);
  const bool transformer = std::holds_alternative<models::TransformerDecoderOptions>(options.decoder.type);
  return BothBackendsWalk(both, !transformer && both.engine->has_attention()).greatest_difference();
}

/// Without norms numbers grow from layer to layer, and with them what rounding makes of them; so they do where nothing
/// passes a layer by.
double tolerance_of(const std::string& name) {
  const bool has_norms = name.find(", post") != std::string::npos || name.find(", pre") != std::string::npos;
  if (!has_norms) return 1e-3;
  return name.find("no residual") == std::string::npos ? 1e-5 : 1e-4;
}

TEST(Engine, GivesTheLogProbabilitiesOfThePlainModel) {
  for (const auto& [name, options] : testing::transformer_grid()) {
    EXPECT_LT(greatest_difference(options), tolerance_of(name)) << name;
  }
}

TEST(Engine, GivesThoseOfRecurrentModels) {
  for (const auto& [name, options] : testing::rnn_grid()) {
    const bool predicts = name.find("local-p") != std::string::npos;  // where to look is a number of positions
    EXPECT_LT(greatest_difference(options), predicts ? 3e-5 : 1e-5) << name;
  }
}

TEST(Engine, ReadsInEveryDirection) {
  using enum models::EncoderDirection;
  for (const auto direction : {Forward, Backward, Both, BothFirst}) {
    for (const bool residual : {true, false}) {
      for (const auto cell : {nn::CellKind::Lstm, nn::CellKind::GruCho}) {
        models::ArchitectureOptions options = testing::tiny_rnn();
        options.encoder.type = models::RnnEncoderOptions{
            .stack = {.cell = cell, .layers = 3, .hidden = 13, .residual = residual}, .direction = direction};
        auto& decoder = std::get<models::RnnDecoderOptions>(options.decoder.type);
        decoder.stack = {.cell = cell, .hidden = 21, .memory_tape = residual};
        decoder.initial_state = models::BridgeState{};
        EXPECT_LT(greatest_difference(options), 1e-5) << static_cast<int>(direction);
      }
    }
  }
}

TEST(Engine, BeginsWithTheLastStatesOfOneDirection) {
  models::ArchitectureOptions options = testing::tiny_rnn();
  const models::RnnStackOptions stack{.cell = nn::CellKind::Lstm, .layers = 2, .hidden = 16};
  options.encoder.type = models::RnnEncoderOptions{.stack = stack, .direction = models::EncoderDirection::Backward};
  options.decoder.type = models::RnnDecoderOptions{.stack = stack,
                                                   .initial_state = models::LastState{},
                                                   .attention = models::NoMemoryAttention{},
                                                   .readout = models::StateReadout{}};
  EXPECT_LT(greatest_difference(options), 1e-5);
  EXPECT_FALSE(BothBackends(options).engine->has_attention());
}

TEST(Engine, AnyEncoderGoesWithAnyDecoder) {
  for (const auto& [name, options] : testing::mixed_grid()) {
    const bool has_norms = name.find("convolution") == std::string::npos;
    EXPECT_LT(greatest_difference(options), has_norms ? 1e-5 : 1e-4) << name;
  }
}

TEST(Engine, TakesLanguageModels) {
  models::ArchitectureOptions options = testing::tiny_transformer();
  options.encoder.type = models::NoEncoderOptions{};
  EXPECT_LT(greatest_difference(options), 1e-5);
  for (const bool tape : {true, false}) {
    options.decoder.type =
        models::RnnDecoderOptions{.stack = {.cell = nn::CellKind::Lstm, .layers = 2, .hidden = 16, .memory_tape = tape},
                                  .initial_state = models::ZeroState{},
                                  .attention = models::NoMemoryAttention{},
                                  .readout = models::StateReadout{}};
    EXPECT_LT(greatest_difference(options), 1e-5);
  }
  options.decoder.type = testing::tiny_convolution().decoder.type;
  EXPECT_LT(greatest_difference(options), 1e-4);
}

TEST(Engine, NarrowNumbersAreNear) {
  struct Case {
    models::ArchitectureOptions options;
    double rounded, quantized;
  };
  // Convolutions have no norms, and scores that no factor keeps small.
  for (const auto& [options, rounded, quantized] :
       {Case{testing::tiny_transformer(), 0.1, 0.3}, Case{testing::tiny_rnn(), 0.1, 0.3},
        Case{testing::tiny_convolution(), 0.3, 1.5}}) {
    EXPECT_LT(greatest_difference(options, Precision::BFloat16), rounded);
    EXPECT_GT(greatest_difference(options, Precision::BFloat16), 1e-4) << "rounded";
    EXPECT_LT(greatest_difference(options, Precision::Int8), quantized);
    EXPECT_GT(greatest_difference(options, Precision::Int8), 1e-4) << "quantized";
  }
}

TEST(Engine, TakesEveryModel) {
  for (const auto& [name, options] : testing::architecture_grid()) {
    EXPECT_EQ(Engine::refuses(options), std::nullopt) << name;
  }
}

TEST(Engine, DamagedParametersAreErrors) {
  const models::ArchitectureOptions options = testing::tiny_transformer();
  const auto model = models::build_model(options, kSizes, 1);
  const testing::TemporaryDirectory directory;
  const std::string path = directory.file("model.safetensors");
  const auto error_with = [&](const std::string& name, const torch::Tensor& tensor) {
    auto tensors = checkpoint::named_tensors(*model);
    tensors.erase(name);
    if (tensor.defined()) tensors[name] = tensor;
    checkpoint::write_tensors(path, tensors);
    return testing::message_of<CheckpointError>([&] { Engine(options, kSizes, path, Precision::Float32); });
  };
  const std::string name = "decoder.layers.1.feed_forward.hidden.weight";
  EXPECT_EQ(error_with(name, {}), path + ": has no tensor " + name + " of float32");
  EXPECT_EQ(error_with(name, torch::ones({24, 16}, torch::kDouble)), path + ": has no tensor " + name + " of float32");
  EXPECT_EQ(error_with(name, torch::ones({24, 15})),
            path + ": the tensor " + name + " is [24, 15], but must be [24, 16]");
  EXPECT_EQ(error_with(name, torch::full({24, 16}, std::nan(""))),
            path + ": the tensor " + name + " has values that are not finite");
}

}  // namespace
}  // namespace heed::engine
