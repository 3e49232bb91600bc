// Decoding one position at a time gives what decoding all at once gives, whatever is selected and joined meanwhile.
#include <gtest/gtest.h>

#include <torch/torch.h>

#include "heed/architecture/architecture.h"
#include "heed/core/random.h"
#include "heed_torch/models/model.h"
#include "heed_torch/nn/random/random_scope.h"
#include "support/tiny_models.h"

namespace heed::models {
namespace {

using namespace heed::testing;

constexpr VocabularySizes kVocabularies{.source = 11, .target = 11};

/// The hidden states of consuming targets [S, target] token by token with beam 1.
Tensor stepped(Model& model, const Tensor& targets, const Memory* memory) {
  const auto state = model.decoder->start(memory, 1, targets.size(0));
  std::vector<Tensor> hidden;
  for (int64_t t = 0; t < targets.size(1); ++t) {
    hidden.push_back(model.decoder->step(targets.narrow(1, t, 1), *state).hidden);
  }
  return at::cat(hidden, 1);
}

TEST(Decoding, StepEqualsForwardForEveryCombinationOfOptions) {
  const at::NoGradGuard no_grad;
  const Tensor source = random_sources({5, 3, 1}, 11, 1);
  const Tensor target = random_targets({7, 7, 7}, 11, 2);
  for (const auto& [name, options] : architecture_grid()) {
    SCOPED_TRACE(name);
    const auto model = build_model(options, kVocabularies, 1);
    model->eval();
    const Memory memory = model->encode(source);
    const Tensor all = model->decoder->forward(target, &memory).hidden;
    EXPECT_LT(difference(stepped(*model, target, &memory), all), 1e-5);
  }
}

TEST(Decoding, StepEqualsForwardWithoutMemory) {
  const at::NoGradGuard no_grad;
  const Tensor target = random_targets({7, 7}, 11, 2);
  for (auto [name, options] : transformer_grid()) {
    SCOPED_TRACE(name);
    options.encoder.type = NoEncoderOptions{};
    decoder_of(options).cross = {};
    if (options.tied_embeddings == TiedEmbeddings::All) options.tied_embeddings = TiedEmbeddings::Decoder;
    const auto model = build_model(options, {.source = 0, .target = 11}, 1);
    model->eval();
    const Tensor all = model->decoder->forward(target, nullptr).hidden;
    EXPECT_LT(difference(stepped(*model, target, nullptr), all), 1e-5);
  }
}

TEST(Decoding, StepEqualsForwardInARecurrentLanguageModel) {
  const at::NoGradGuard no_grad;
  const Tensor target = random_targets({7, 7}, 11, 2);
  for (auto [name, options] : rnn_grid()) {
    auto& decoder = std::get<RnnDecoderOptions>(options.decoder.type);
    if (!std::holds_alternative<NoMemoryAttention>(decoder.attention)) continue;
    SCOPED_TRACE(name);
    options.encoder.type = NoEncoderOptions{};
    options.tied_embeddings = TiedEmbeddings::Decoder;
    decoder.initial_state = ZeroState{};
    const auto model = build_model(options, {.source = 0, .target = 11}, 1);
    model->eval();
    const Tensor all = model->decoder->forward(target, nullptr).hidden;
    EXPECT_LT(difference(stepped(*model, target, nullptr), all), 1e-5);
    if (decoder.stack.memory_tape) continue;  // which begins anew with each sentence
    std::vector<CellState> carried;
    EXPECT_LT(difference(model->decoder->read_on(target, carried).hidden, all), 1e-6);
  }
}

/// Truncated backpropagation through time: what a text's next part begins with is a value, not a history.
TEST(Decoding, StatesCarriedToATextsNextPartHaveNoHistory) {
  for (const nn::CellKind cell : {nn::CellKind::Lstm, nn::CellKind::Gru}) {
    ArchitectureOptions options = tiny_rnn();
    auto& decoder = std::get<RnnDecoderOptions>(options.decoder.type);
    decoder.stack.cell = cell;
    decoder.attention = NoMemoryAttention{};
    decoder.initial_state = ZeroState{};
    options.encoder.type = NoEncoderOptions{};
    const auto model = build_model(options, {.source = 0, .target = 11}, 1);
    std::vector<CellState> carried;
    EXPECT_TRUE(model->decoder->read_on(random_targets({7, 7}, 11, 2), carried).hidden.requires_grad());
    ASSERT_FALSE(carried.empty());
    for (const CellState& state : carried) {
      EXPECT_FALSE(state.hidden.requires_grad());
      EXPECT_FALSE(state.cell.defined() && state.cell.requires_grad());
    }
  }
}

TEST(Decoding, StepEqualsForwardInAConvolutionalLanguageModel) {
  const at::NoGradGuard no_grad;
  const Tensor target = random_targets({7, 7}, 11, 2);
  ArchitectureOptions options = tiny_convolution();
  options.encoder.type = NoEncoderOptions{};
  const auto model = build_model(options, {.source = 0, .target = 11}, 1);
  model->eval();
  const Tensor all = model->decoder->forward(target, nullptr).hidden;
  EXPECT_LT(difference(stepped(*model, target, nullptr), all), 1e-5);
}

TEST(Decoding, StepIsDifferentiable) {
  const Tensor source = random_sources({4, 3}, 11, 1);
  const Tensor target = random_targets({5, 5}, 11, 2);
  for (const auto& [name, options] : family_grid()) {
    SCOPED_TRACE(name);
    const auto model = build_model(options, kVocabularies, 1);
    model->eval();
    const auto gradients = [&](const auto& hidden_of) {
      const Memory memory = model->encode(source);
      return torch::autograd::grad({hidden_of(memory).square().sum()}, model->encoder->parameters(),
                                   /*grad_outputs=*/{},
                                   /*retain_graph=*/std::nullopt, /*create_graph=*/false, /*allow_unused=*/true);
    };
    const auto expected = gradients([&](const Memory& m) { return model->decoder->forward(target, &m).hidden; });
    const auto found = gradients([&](const Memory& m) { return stepped(*model, target, &m); });
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(found[i].defined(), expected[i].defined()) << i;
      if (!expected[i].defined()) continue;
      EXPECT_LT(difference(found[i], expected[i]), 1e-5) << i;
    }
  }
}

TEST(Decoding, AttentionOfAStepEqualsThatOfForward) {
  const at::NoGradGuard no_grad;
  const Tensor source = random_sources({4, 2}, 11, 1);
  const Tensor target = random_targets({3, 3}, 11, 2);
  const auto model = build_model(tiny_transformer(), kVocabularies, 1);
  model->eval();
  const Memory memory = model->encode(source);
  const RequestedOutputs want{.attention = true, .all_attention = true};
  const Decoded all = model->decoder->forward(target, &memory, want);
  ASSERT_EQ(all.attention.sizes(), (std::vector<int64_t>{2, 3, 4}));
  ASSERT_EQ(all.all_attention.size(), 2U);
  ASSERT_EQ(all.all_attention[0].sizes(), (std::vector<int64_t>{2, 2, 3, 4}));
  EXPECT_LT(difference(all.attention.sum(-1), at::ones({2, 3})), 1e-6);
  EXPECT_EQ(all.attention[1].narrow(1, 2, 2).abs().max().item<double>(), 0) << "padding received weight";
  EXPECT_LT(difference(model->decoder->forward(target, &memory).hidden, all.hidden), 1e-5);
  const auto state = model->decoder->start(&memory, 1);
  for (int64_t t = 0; t < 3; ++t) {
    const Decoded one = model->decoder->step(target.narrow(1, t, 1), *state, want);
    EXPECT_LT(difference(one.attention, all.attention.narrow(1, t, 1)), 1e-5);
    EXPECT_LT(difference(one.all_attention[0], all.all_attention[0].narrow(2, t, 1)), 1e-5);
  }
}

TEST(Decoding, AttentionOfAStepEqualsThatOfForwardInEveryOtherDecoder) {
  const at::NoGradGuard no_grad;
  const Tensor source = random_sources({4, 2}, 11, 1);
  const Tensor target = random_targets({3, 3}, 11, 2);
  std::vector<NamedArchitecture> grid = rnn_grid();
  grid.push_back({"convolutions", tiny_convolution()});
  for (const auto& [name, options] : grid) {
    if (!has_attention(options)) continue;
    SCOPED_TRACE(name);
    const auto model = build_model(options, kVocabularies, 1);
    model->eval();
    const Memory memory = model->encode(source);
    const RequestedOutputs want{.attention = true, .all_attention = true};
    const Decoded decoded = model->decoder->forward(target, &memory, want);
    const Tensor all = decoded.attention;
    EXPECT_LT(difference(all, decoded.all_attention.back().mean(1)), 1e-6) << "not the last layer's";
    EXPECT_EQ(all[1].narrow(1, 2, 2).abs().max().item<double>(), 0) << "padding received weight";
    const auto state = model->decoder->start(&memory, 1);
    for (int64_t t = 0; t < 3; ++t) {
      const Tensor one = model->decoder->step(target.narrow(1, t, 1), *state, want).attention;
      EXPECT_LT(difference(one, all.narrow(1, t, 1)), 1e-5);
    }
  }
}

TEST(Decoding, ASourceOfPaddingOnlyReceivesNoWeightInAnyDecoder) {
  const at::NoGradGuard no_grad;
  const Tensor source = random_sources({4, 2}, 11, 1);
  const Tensor target = random_targets({3, 3}, 11, 2);
  for (const auto& [name, options] : architecture_grid()) {
    SCOPED_TRACE(name);
    const auto model = build_model(options, kVocabularies, 1);
    model->eval();
    Memory memory = model->encode(source);
    memory.mask[1].fill_(false);
    EXPECT_TRUE(model->decoder->forward(target, &memory).hidden.isfinite().all().item<bool>());
    if (!has_attention(options)) continue;
    const Decoded decoded = model->decoder->forward(target, &memory, {.attention = true, .all_attention = true});
    for (const Tensor& of_layer : decoded.all_attention) EXPECT_EQ(of_layer[1].abs().max().item<double>(), 0);
    EXPECT_GT(decoded.attention[0].abs().max().item<double>(), 0);
  }
}

/// The largest difference that training mode makes to an encoder's states, and to a decoder's on an undisturbed memory.
std::pair<double, double> effect_of_training(const ArchitectureOptions& options) {
  const Tensor source = random_sources({4, 2}, 11, 1);
  const Tensor target = random_targets({3, 3}, 11, 2);
  const auto model = build_model(options, kVocabularies, 1);
  const auto states = [&] { return model->encode(source).states; };
  model->eval();
  const Memory memory = model->encode(source);
  const auto hidden = [&] { return model->decoder->forward(target, &memory).hidden; };
  const Tensor certain_states = states(), certain_hidden = hidden();
  model->train();
  const nn::RandomScope scope(1, 1, 1);
  return {difference(states(), certain_states), difference(hidden(), certain_hidden)};
}

TEST(Decoding, DropoutActsInEveryEncoderAndDecoderAndOnlyInTraining) {
  const at::NoGradGuard no_grad;
  std::vector<NamedArchitecture> grid = rnn_grid();
  grid.push_back({"convolutions", tiny_convolution()});
  grid.push_back({"transformer", tiny_transformer()});
  for (auto& [name, options] : grid) {
    SCOPED_TRACE(name);
    options.dropout = 0.5;
    const auto with = effect_of_training(options);
    EXPECT_GT(with.first, 1e-3);
    EXPECT_GT(with.second, 1e-3);
    options.dropout = 0;
    const auto without = effect_of_training(options);
    EXPECT_LT(without.first, 1e-5);
    if (draws_at_random(options)) continue;
    EXPECT_LT(without.second, 1e-5);
  }
}

/// Decodes rows of target prefixes in beams that are shuffled at every step, and compares with forward on each prefix.
class Shuffled {
 public:
  Shuffled(Model& model, const Tensor& source, int64_t beam, uint64_t seed)
      : model_(model), beam_(beam), random_(seed, Purpose::Test), sources_(source.unbind(0)) {
    const Memory memory = model.encode(source);
    state_ = model.decoder->start(&memory, beam);
    prefixes_.assign(size_t(source.size(0)), std::vector<std::vector<int64_t>>(size_t(beam)));
  }

  void step() {
    std::vector<int64_t> next;
    for (auto& sentence : prefixes_) {
      for (auto& prefix : sentence) {
        next.push_back(prefix.empty() ? 2 : int64_t(4 + random_.below(7)));
        prefix.push_back(next.back());
      }
    }
    const Tensor tokens = at::tensor(next, at::kLong).view({-1, beam_});
    const Tensor hidden = model_.decoder->step(tokens, *state_).hidden;
    for (int64_t s = 0; s < hidden.size(0); ++s) {
      for (int64_t b = 0; b < beam_; ++b) EXPECT_LT(difference(hidden[s][b], alone(s, b)), 1e-5);
    }
  }

  /// Keeps these sentences; beams continue parents drawn at random.
  void select(const std::vector<int64_t>& sentences) {
    std::vector<int64_t> parents;
    std::vector<Tensor> sources;
    std::vector<std::vector<std::vector<int64_t>>> kept;
    for (const int64_t s : sentences) {
      sources.push_back(sources_[size_t(s)]);
      kept.emplace_back();
      for (int64_t b = 0; b < beam_; ++b) {
        parents.push_back(int64_t(random_.below(uint64_t(beam_))));
        kept.back().push_back(prefixes_[size_t(s)][size_t(parents.back())]);
      }
    }
    state_->select({at::tensor(sentences, at::kLong), at::tensor(parents, at::kLong).view({-1, beam_})});
    sources_ = std::move(sources);
    prefixes_ = std::move(kept);
  }

  void join(Shuffled&& other) {
    state_->join(std::move(*other.state_));
    sources_.insert(sources_.end(), other.sources_.begin(), other.sources_.end());
    prefixes_.insert(prefixes_.end(), other.prefixes_.begin(), other.prefixes_.end());
  }

 private:
  Tensor alone(int64_t s, int64_t b) {
    const auto& prefix = prefixes_[size_t(s)][size_t(b)];
    const Tensor& source = sources_[size_t(s)];
    const Memory own = model_.encode(source.narrow(0, 0, source.count_nonzero().item<int64_t>()).unsqueeze(0));
    return model_.decoder->forward(at::tensor(prefix, at::kLong).unsqueeze(0), &own).hidden[0][-1];
  }

  Model& model_;
  int64_t beam_;
  RandomStream random_;
  std::vector<Tensor> sources_;  // of each sentence, padded
  std::unique_ptr<DecoderState> state_;
  std::vector<std::vector<std::vector<int64_t>>> prefixes_;
};

TEST(Decoding, SelectAndJoinLeaveEverySentenceAsIfAlone) {
  const at::NoGradGuard no_grad;
  for (auto [name, options] : architecture_grid()) {
    SCOPED_TRACE(name);
    const auto model = build_model(options, kVocabularies, 3);
    model->eval();
    Shuffled search(*model, random_sources({5, 3, 2}, 11, 4), 2, 5);
    search.step();
    search.select({0, 1, 2});
    search.step();
    search.select({2, 0});
    Shuffled waiting(*model, random_sources({6, 1}, 11, 6), 2, 7);
    search.join(std::move(waiting));
    search.step();
    search.select({1, 2, 3});
    search.step();
    search.select({2, 1});
    search.step();
    Shuffled ahead(*model, random_sources({2}, 11, 8), 2, 9);
    for (int i = 0; i < 6; ++i) ahead.step();
    search.join(std::move(ahead));
    search.step();
    search.select({2, 1, 0});
    search.step();
  }
}

TEST(Decoding, ASearchLongerThanTheFirstCacheGrowsIt) {
  const at::NoGradGuard no_grad;
  const auto model = build_model(tiny_transformer(), kVocabularies, 3);
  model->eval();
  Shuffled search(*model, random_sources({4, 3}, 11, 4), 3, 5);
  for (int i = 0; i < 40; ++i) {
    search.step();
    search.select({0, 1});
  }
}

TEST(Decoding, AllSentencesMayLeaveBeforeOthersJoin) {
  const at::NoGradGuard no_grad;
  const auto model = build_model(tiny_transformer(), kVocabularies, 3);
  model->eval();
  Shuffled search(*model, random_sources({4, 3}, 11, 4), 2, 5);
  search.step();
  search.select({});
  search.join(Shuffled(*model, random_sources({5}, 11, 6), 2, 7));
  search.step();
  search.select({0});
  search.step();
}

}  // namespace
}  // namespace heed::models
