// Models small enough for tests, and inputs for them.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <variant>
#include <vector>

#include <torch/torch.h>

#include "heed/architecture/architecture.h"
#include "heed/core/random.h"
#include "heed_torch/models/model.h"

namespace heed::testing {

struct NamedArchitecture {
  std::string name;
  models::ArchitectureOptions options;
};

/// Two layers each side, d_model 16, two heads, no dropout.
inline models::ArchitectureOptions tiny_transformer() {
  models::TransformerOptions stack;
  stack.layers = 2;
  stack.attention = nn::MultiHead{.heads = 2};
  stack.feed_forward.d_hidden = 24;
  models::ArchitectureOptions options;
  options.d_model = 16;
  options.dropout = 0;
  options.encoder.type = models::TransformerEncoderOptions{.stack = stack};
  options.decoder.type = models::TransformerDecoderOptions{.stack = stack, .cross = {}};
  return options;
}

inline models::TransformerOptions& encoder_stack(models::ArchitectureOptions& options) {
  return std::get<models::TransformerEncoderOptions>(options.encoder.type).stack;
}
inline models::TransformerDecoderOptions& decoder_of(models::ArchitectureOptions& options) {
  return std::get<models::TransformerDecoderOptions>(options.decoder.type);
}
inline models::TransformerOptions& decoder_stack(models::ArchitectureOptions& options) {
  return decoder_of(options).stack;
}

template <class... Options>
std::string name_of(const std::variant<Options...>& held) {
  return std::visit([](const auto& options) { return std::string(options.kName); }, held);
}

/// Every kind of attention with every kind of positions, norm order and residual; the other options take turns.
inline std::vector<NamedArchitecture> transformer_grid() {
  using namespace models;
  const std::vector<nn::AttentionKind> attentions = {nn::MultiHead{.heads = 2}, nn::SingleHead{}, nn::ParameterFree{}};
  const std::vector<nn::PositionOptions> positions = {
      nn::NoPositions{}, nn::SinusoidalPositions{}, nn::LearnedPositions{.max_length = 12},
      nn::RelativePositionOptions{.max_distance = 2}, nn::RotaryPositions{}};
  const std::vector<NormOrder> orders = {PostNorm{}, PreNorm{.norm = nn::NormKind::Rms}, NoNorm{}};
  constexpr std::array kActivations{nn::Activation::Relu, nn::Activation::Gelu, nn::Activation::Silu};
  constexpr std::array kTies{TiedEmbeddings::None, TiedEmbeddings::Decoder, TiedEmbeddings::All};
  std::vector<NamedArchitecture> grid;
  size_t turn = 0;
  for (const auto& attention : attentions)
    for (const auto& position : positions)
      for (const auto& order : orders)
        for (const bool residual : {true, false}) {
          ArchitectureOptions options = tiny_transformer();
          for (TransformerOptions* stack : {&encoder_stack(options), &decoder_stack(options)}) {
            stack->attention = attention;
            stack->positions = position;
            stack->norm_order = order;
            stack->residual = residual;
            stack->feed_forward.activation = kActivations[turn % 3];
            stack->feed_forward.gated = turn % 4 == 1;
            if (turn % 4 == 2 && !std::holds_alternative<nn::ParameterFree>(attention)) {
              stack->query_key_norm = turn % 8 == 2 ? nn::NormKind::Layer : nn::NormKind::Rms;
            }
          }
          if (turn % 5 == 2) decoder_of(options).cross.attention = nn::MultiHead{.heads = 4};
          options.tied_embeddings = kTies[turn % 7 % 3];
          options.embedding_scale = turn % 3 != 1;
          options.output_bias = turn % 2 == 1;
          const std::string names = name_of(attention) + ", " + name_of(position) + ", " + name_of(order);
          grid.push_back({names + (residual ? "" : ", no residual"), options});
          ++turn;
        }
  return grid;
}

/// A bidirectional GRU encoder of width 2 * 8 and a GRU decoder of width 16 with additive attention before the cell.
inline models::ArchitectureOptions tiny_rnn() {
  models::ArchitectureOptions options;
  options.d_model = 16;
  options.dropout = 0;
  options.encoder.type = models::RnnEncoderOptions{.stack = {.hidden = 8}};
  options.decoder.type =
      models::RnnDecoderOptions{.stack = {.hidden = 16}, .initial_state = {}, .attention = {}, .readout = {}};
  return options;
}

/// What a decoder of the grid looks with: each score in turn, all else drawn.
inline nn::MemoryAttentionOptions drawn_attention(size_t turn, RandomStream& random) {
  const std::vector<nn::ScoreOptions> scores{nn::AdditiveScore{},
                                             nn::GeneralScore{},
                                             nn::DotScore{},
                                             nn::CosineScore{},
                                             nn::LocationScore{.max_source = 12},
                                             nn::UniformScore{},
                                             nn::AdditiveScore{.normalized = true},
                                             nn::ScaledDotScore{},
                                             nn::TfIdfScore{},
                                             nn::IdfScore{}};
  const std::vector<nn::WindowOptions> windows{nn::GlobalWindow{}, nn::MonotonicWindow{.half_width = 2},
                                               nn::PredictedWindow{.half_width = 2}};
  const std::vector<nn::AttentionFunction> choices{nn::SoftAttention{}, nn::SparsemaxAttention{}, nn::HardAttention{},
                                                   nn::GumbelAttention{}};
  const std::vector<nn::CoverageOptions> coverages{nn::NoCoverage{}, nn::LinguisticCoverage{},
                                                   nn::NeuralCoverage{.width = 3}};
  nn::MemoryAttentionOptions attend{.score = scores[turn % scores.size()], .window = windows[random.below(3)]};
  if (auto* general = std::get_if<nn::GeneralScore>(&attend.score)) {
    general->scale = static_cast<nn::ScoreScale>(turn / scores.size() % 3);
  }
  const bool predicted = std::holds_alternative<nn::PredictedWindow>(attend.window);
  const uint64_t choice = random.below(predicted ? 2 : 4);
  if (!nn::is_static(attend.score)) attend.function = choices[choice];
  if (std::holds_alternative<nn::AdditiveScore>(attend.score)) attend.coverage = coverages[random.below(3)];
  return attend;
}

/// What the draws of rnn_grid leave out: choices by chance in every place, what was covered before the cell, the state
/// itself as what is read off, and stacks of more than two layers (GNMT's).
inline std::vector<NamedArchitecture> chosen_rnns() {
  using namespace models;
  const nn::MemoryAttentionOptions hard{.function = nn::HardAttention{}}, gumbel{.function = nn::GumbelAttention{}};
  const nn::MemoryAttentionOptions covered{.coverage = nn::NeuralCoverage{.width = 3}};
  std::vector<NamedArchitecture> chosen{{"hard after the cell, fed", tiny_rnn()},
                                        {"hard after the cell", tiny_rnn()},
                                        {"gumbel after the cell", tiny_rnn()},
                                        {"neural coverage before the cell", tiny_rnn()},
                                        {"four layers, the state read off", tiny_rnn()}};
  const auto decoder = [&](size_t i) -> RnnDecoderOptions& {
    return std::get<RnnDecoderOptions>(chosen[i].options.decoder.type);
  };
  decoder(0).attention = AttentionAfterCell{.attend = hard, .input_feeding = true};
  decoder(1).attention = AttentionAfterCell{.attend = hard, .input_feeding = false};
  decoder(2).attention = AttentionAfterCell{.attend = gumbel, .input_feeding = false};
  decoder(3).attention = AttentionBeforeCell{.attend = covered};
  decoder(4).attention = AttentionBeforeCell{.attend = {}, .every_layer = true};
  decoder(4).readout = StateReadout{};
  auto& encoder = std::get<RnnEncoderOptions>(chosen[4].options.encoder.type);
  for (RnnStackOptions* stack : {&encoder.stack, &decoder(4).stack}) {
    stack->cell = nn::CellKind::Lstm;
    stack->layers = 4;
    stack->residual = true;
  }
  for (size_t i : {0, 1, 2}) decoder(i).readout = TanhReadout{};
  return chosen;
}

/// Every cell with every place of attention, three times, with each score; depths, tapes, norms and all else are drawn.
/// Then what the draws leave out.
inline std::vector<NamedArchitecture> rnn_grid() {
  using namespace models;
  std::vector<NamedArchitecture> grid;
  RandomStream random(5, Purpose::Test);
  const auto drawn = [&] { return random.below(2) == 1; };
  std::array<size_t, 4> turns{0, 3, 6, 1};  // of the scores, by place
  for (int round = 0; round < 3; ++round)
    for (const auto& [cell, name] : nn::option_names(nn::CellKind{}))
      for (const size_t place : {0, 1, 2, 3}) {
        const nn::MemoryAttentionOptions attend = drawn_attention(turns[place]++, random);
        ArchitectureOptions options = tiny_rnn();
        auto& encoder = std::get<RnnEncoderOptions>(options.encoder.type);
        auto& decoder = std::get<RnnDecoderOptions>(options.decoder.type);
        encoder.stack.cell = decoder.stack.cell = cell;
        encoder.stack.layer_norm = decoder.stack.layer_norm = drawn();
        encoder.stack.memory_tape = decoder.stack.memory_tape = drawn();
        const bool deep = drawn();
        if (deep) {
          encoder.stack.layers = decoder.stack.layers = 2;
          encoder.stack.residual = decoder.stack.residual = drawn();
        }
        const std::vector<InitialStateOptions> states{MeanState{}, BridgeState{}, LastState{}, ZeroState{}};
        decoder.initial_state = states[random.below(place == 0 ? 3 : 4)];
        if (place == 0) decoder.attention = NoMemoryAttention{};
        if (place == 1) decoder.attention = AttentionBeforeCell{.attend = attend, .every_layer = deep && drawn()};
        if (place >= 2) decoder.attention = AttentionAfterCell{.attend = attend, .input_feeding = place == 2};
        if (drawn()) decoder.readout = TanhReadout{};
        if (place == 0) decoder.readout = StateReadout{};
        options.tied_embeddings = drawn() ? TiedEmbeddings::None : TiedEmbeddings::All;
        options.embedding_scale = drawn();
        options.output_bias = drawn();
        std::string parts =
            std::string(name) + (deep ? ", two layers" : "") + ", attention " + name_of(decoder.attention);
        if (place > 0)
          parts += ", " + name_of(attend.score) + ", " + name_of(attend.window) + ", " + name_of(attend.function);
        grid.push_back({parts + (place == 3 ? " without feeding" : ""), options});
      }
  for (const NamedArchitecture& chosen : chosen_rnns()) grid.push_back(chosen);
  return grid;
}

inline bool has_attention(const models::ArchitectureOptions& options) {
  const auto* rnn = std::get_if<models::RnnDecoderOptions>(&options.decoder.type);
  return !rnn || !std::holds_alternative<models::NoMemoryAttention>(rnn->attention);
}

/// Two layers each side of width 12, d_model 16, kernel 3.
inline models::ArchitectureOptions tiny_convolution() {
  const models::ConvolutionStackOptions stack{.layers = 2, .hidden = 12, .kernel = 3, .max_length = 12};
  models::ArchitectureOptions options;
  options.d_model = 16;
  options.dropout = 0;
  options.encoder.type = models::ConvolutionEncoderOptions{.stack = stack};
  options.decoder.type = models::ConvolutionDecoderOptions{.stack = stack};
  return options;
}

/// Encoders of one family with decoders of another, and convolutions.
inline std::vector<NamedArchitecture> mixed_grid() {
  models::ArchitectureOptions to_rnn = tiny_transformer(), to_transformer = tiny_transformer();
  models::ArchitectureOptions from_convolution = tiny_convolution(), to_convolution = tiny_convolution();
  models::ArchitectureOptions attention_to_convolution = tiny_transformer(),
                              convolution_to_attention = tiny_transformer();
  attention_to_convolution.decoder.type = tiny_convolution().decoder.type;
  convolution_to_attention.encoder.type = tiny_convolution().encoder.type;
  to_rnn.decoder.type = from_convolution.decoder.type = tiny_rnn().decoder.type;
  to_convolution.encoder.type = models::RnnEncoderOptions{.stack = {.hidden = 5}};
  to_transformer.encoder.type = models::RnnEncoderOptions{.stack = {.cell = nn::CellKind::Lstm, .hidden = 5}};
  return {{"Transformer encoder, recurrent decoder", to_rnn},
          {"recurrent encoder, Transformer decoder", to_transformer},
          {"convolutions", tiny_convolution()},
          {"convolutional encoder, recurrent decoder", from_convolution},
          {"recurrent encoder, convolutional decoder", to_convolution},
          {"Transformer encoder, convolutional decoder", attention_to_convolution},
          {"convolutional encoder, Transformer decoder", convolution_to_attention}};
}

inline std::vector<NamedArchitecture> architecture_grid() {
  std::vector<NamedArchitecture> all = transformer_grid();
  for (const auto& grid : {rnn_grid(), mixed_grid()}) all.insert(all.end(), grid.begin(), grid.end());
  return all;
}

/// Every recurrent and convolutional network, the mixes, and one Transformer.
inline std::vector<NamedArchitecture> family_grid() {
  std::vector<NamedArchitecture> all = rnn_grid();
  for (const NamedArchitecture& mixed : mixed_grid()) all.push_back(mixed);
  all.push_back({"Transformer", tiny_transformer()});
  return all;
}

/// [lengths.size(), longest] of ids from 4 to vocab - 1; each row ends with eos; padded with 0.
inline torch::Tensor random_sources(const std::vector<int64_t>& lengths, int64_t vocab, uint64_t seed) {
  const int64_t longest = *std::max_element(lengths.begin(), lengths.end());
  torch::Tensor tokens = torch::zeros({int64_t(lengths.size()), longest}, torch::kLong);
  RandomStream random(seed, Purpose::Test);
  for (size_t i = 0; i < lengths.size(); ++i) {
    for (int64_t t = 0; t < lengths[i]; ++t) {
      const auto word = int64_t(4 + random.below(uint64_t(vocab - 4)));
      tokens[int64_t(i)][t] = t + 1 == lengths[i] ? 3 : word;
    }
  }
  return tokens;
}

/// As random_sources, but each row begins with bos and is not closed: what a decoder reads.
inline torch::Tensor random_targets(const std::vector<int64_t>& lengths, int64_t vocab, uint64_t seed) {
  torch::Tensor tokens = random_sources(lengths, vocab, seed).roll(1, 1);
  for (size_t i = 0; i < lengths.size(); ++i) {
    tokens[int64_t(i)][0] = 2;
    for (int64_t t = lengths[i]; t < tokens.size(1); ++t) tokens[int64_t(i)][t] = 0;
  }
  return tokens;
}

/// The largest difference, relative to the larger of 1 and the largest expected value.
inline double difference(const torch::Tensor& found, const torch::Tensor& expected) {
  TORCH_CHECK(found.sizes() == expected.sizes(), "found ", found.sizes(), ", expected ", expected.sizes());
  if (expected.numel() == 0) return 0;
  const double scale = std::max(1.0, expected.abs().max().item<double>());
  return (found - expected).abs().max().item<double>() / scale;
}

}  // namespace heed::testing
