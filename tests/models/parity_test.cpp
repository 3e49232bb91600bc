// Loss and every gradient agree with those of the plain PyTorch of tests/reference/transformer.py, recurrent.py and
// convolution.py, which are stored.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include <torch/torch.h>

#include "heed/architecture/architecture.h"
#include "heed_torch/models/model.h"
#include "support/parity.h"
#include "support/stored_json.h"
#include "support/tiny_models.h"

namespace heed::models {
namespace {

using namespace heed::testing;

using Kind = ParityModel;

Kind base(TiedEmbeddings tied) {
  Kind kind{.options = tiny_transformer()};
  kind.options.d_model = 8;
  kind.options.tied_embeddings = tied;
  for (TransformerOptions* stack : {&encoder_stack(kind.options), &decoder_stack(kind.options)}) {
    stack->layers = 1;
    stack->feed_forward.d_hidden = 12;
  }
  return kind;
}

/// One layer each side, changed alike on both.
Kind kind_with(TiedEmbeddings tied, const std::function<void(TransformerOptions&)>& change) {
  Kind kind = base(tied);
  change(encoder_stack(kind.options));
  change(decoder_stack(kind.options));
  return kind;
}

Kind learned() {
  Kind kind = kind_with(TiedEmbeddings::None, [](TransformerOptions& stack) {
    stack.positions = nn::LearnedPositions{.max_length = 10};
    stack.norm_order = PreNorm{};
  });
  kind.options.embedding_scale = false;
  kind.options.output_bias = true;
  return kind;
}

Kind bare() {
  Kind kind = kind_with(TiedEmbeddings::None, [](TransformerOptions& stack) {
    stack.attention = nn::SingleHead{};
    stack.positions = nn::NoPositions{};
    stack.norm_order = NoNorm{};
    stack.residual = false;
  });
  decoder_of(kind.options).cross.attention = nn::MultiHead{.heads = 2};
  return kind;
}

Kind unequal() {
  Kind kind = base(TiedEmbeddings::Decoder);
  TransformerOptions& encoder = encoder_stack(kind.options);
  encoder.layers = 3;
  encoder.feed_forward.d_hidden = 16;
  encoder.positions = nn::RotaryPositions{};
  encoder.norm_order = PreNorm{};
  decoder_stack(kind.options).positions = nn::RelativePositionOptions{.max_distance = 2};
  decoder_stack(kind.options).attention = nn::ParameterFree{};
  decoder_of(kind.options).cross.attention = nn::SingleHead{};
  kind.sizes.source = 10;
  return kind;
}

Kind language_model() {
  Kind kind = base(TiedEmbeddings::Decoder);
  decoder_stack(kind.options).layers = 2;
  decoder_stack(kind.options).norm_order = PreNorm{};
  decoder_stack(kind.options).positions = nn::RelativePositionOptions{.max_distance = 2};
  kind.options.encoder.type = NoEncoderOptions{};
  kind.sizes.source = 0;
  return kind;
}

std::map<std::string, Kind> transformer_kinds() {
  return {{"post-sinusoidal-tied", kind_with(TiedEmbeddings::All, [](TransformerOptions& s) { s.layers = 2; })},
          {"pre-rms-gated-rotary", kind_with(TiedEmbeddings::Decoder,
                                             [](TransformerOptions& s) {
                                               s.norm_order = PreNorm{.norm = nn::NormKind::Rms};
                                               s.positions = nn::RotaryPositions{};
                                               s.feed_forward.activation = nn::Activation::Silu;
                                               s.feed_forward.gated = true;
                                             })},
          {"relative", kind_with(TiedEmbeddings::None,
                                 [](TransformerOptions& s) {
                                   s.positions = nn::RelativePositionOptions{.max_distance = 2};
                                   s.feed_forward.activation = nn::Activation::Gelu;
                                 })},
          {"learned", learned()},
          {"single-head", kind_with(TiedEmbeddings::Decoder, [](auto& s) { s.attention = nn::SingleHead{}; })},
          {"parameter-free", kind_with(TiedEmbeddings::None, [](auto& s) { s.attention = nn::ParameterFree{}; })},
          {"bare", bare()},
          {"unequal", unequal()},
          {"language-model", language_model()}};
}

/// d_model 6, joined by what tests/reference/recurrent.py has fixed.
Kind recurrent(const RnnEncoderOptions& encoder, const RnnDecoderOptions& decoder) {
  Kind kind;
  kind.options.d_model = 6;
  kind.options.dropout = 0;
  kind.options.tied_embeddings = TiedEmbeddings::None;
  kind.options.output_bias = true;
  kind.options.encoder.type = encoder;
  kind.options.decoder.type = decoder;
  return kind;
}

Kind recurrent_language_model() {
  Kind kind = recurrent({}, {.stack = {.cell = nn::CellKind::Lstm, .layers = 2, .hidden = 4},
                             .initial_state = ZeroState{},
                             .attention = NoMemoryAttention{},
                             .readout = TanhReadout{}});
  kind.options.encoder.type = NoEncoderOptions{};
  kind.sizes.source = 0;
  return kind;
}

/// GRUs of widths 3 and 4 with a tanh readout.
template <class Attention = AttentionAfterCell>
Kind gated(const Attention& attention) {
  return recurrent({.stack = {.cell = nn::CellKind::Gru, .hidden = 3}},
                   {.stack = {.cell = nn::CellKind::Gru, .hidden = 4},
                    .initial_state = MeanState{},
                    .attention = attention,
                    .readout = TanhReadout{}});
}

std::map<std::string, Kind> recurrent_kinds() {
  using enum nn::CellKind;
  const nn::MemoryAttentionOptions local_p{
      .score = nn::DotScore{}, .window = nn::PredictedWindow{.half_width = 2}, .function = {}};
  const nn::MemoryAttentionOptions local_m{
      .score = nn::CosineScore{}, .window = nn::MonotonicWindow{.half_width = 1}, .function = nn::SparsemaxAttention{}};
  const auto scored_by = [](const nn::ScoreOptions& score) {
    return nn::MemoryAttentionOptions{.score = score, .window = {}, .function = {}};
  };
  return {
      {"sutskever",
       recurrent({.stack = {.cell = Lstm, .layers = 2, .hidden = 6}, .direction = EncoderDirection::Backward},
                 {.stack = {.cell = Lstm, .layers = 2, .hidden = 6},
                  .initial_state = LastState{},
                  .attention = NoMemoryAttention{},
                  .readout = StateReadout{}})},
      {"bahdanau", recurrent({.stack = {.cell = GruCho, .hidden = 3}}, {.stack = {.cell = GruCho, .hidden = 5},
                                                                        .initial_state = BridgeState{},
                                                                        .attention = AttentionBeforeCell{},
                                                                        .readout = MaxoutReadout{}})},
      {"luong", recurrent({.stack = {.cell = Lstm, .layers = 2, .hidden = 5}, .direction = EncoderDirection::Forward},
                          {.stack = {.cell = Lstm, .layers = 2, .hidden = 5},
                           .initial_state = LastState{},
                           .attention = AttentionAfterCell{.attend = scored_by(nn::GeneralScore{})},
                           .readout = TanhReadout{}})},
      {"gnmt", recurrent({.stack = {.cell = Lstm, .layers = 3, .hidden = 4, .residual = true},
                          .direction = EncoderDirection::BothFirst},
                         {.stack = {.cell = Lstm, .layers = 3, .hidden = 4, .residual = true},
                          .initial_state = BridgeState{},
                          .attention = AttentionBeforeCell{.attend = scored_by(nn::AdditiveScore{.normalized = true}),
                                                           .every_layer = true},
                          .readout = TanhReadout{}})},
      {"local-p", recurrent({.stack = {.cell = Gru, .hidden = 3}},
                            {.stack = {.cell = Gru, .hidden = 6},
                             .initial_state = MeanState{},
                             .attention = AttentionAfterCell{.attend = local_p, .input_feeding = false},
                             .readout = TanhReadout{}})},
      {"local-m-sparsemax",
       recurrent({.stack = {.cell = Tanh, .hidden = 3}}, {.stack = {.cell = Tanh, .hidden = 6},
                                                          .initial_state = ZeroState{},
                                                          .attention = AttentionAfterCell{.attend = local_m},
                                                          .readout = MaxoutReadout{}})},
      {"location", recurrent({.stack = {.cell = Relu, .hidden = 3}},
                             {.stack = {.cell = Relu, .hidden = 4},
                              .initial_state = MeanState{},
                              .attention = AttentionBeforeCell{.attend = scored_by(nn::LocationScore{.max_source = 7})},
                              .readout = TanhReadout{}})},
      {"layer-norm", recurrent({.stack = {.cell = Lstm, .hidden = 3, .layer_norm = true}},
                               {.stack = {.cell = Lstm, .hidden = 6, .layer_norm = true},
                                .initial_state = MeanState{},
                                .attention = AttentionBeforeCell{.attend = scored_by(nn::ScaledDotScore{})},
                                .readout = TanhReadout{}})},
      {"layer-norm-gru", recurrent({.stack = {.cell = Gru, .hidden = 3, .layer_norm = true}},
                                   {.stack = {.cell = Gru, .layers = 2, .hidden = 4, .layer_norm = true},
                                    .initial_state = BridgeState{},
                                    .attention = AttentionAfterCell{.attend = scored_by(nn::UniformScore{})},
                                    .readout = TanhReadout{}})},
      {"layer-norm-gru-cho", recurrent({.stack = {.cell = GruCho, .hidden = 3, .layer_norm = true}},
                                       {.stack = {.cell = GruCho, .hidden = 4, .layer_norm = true},
                                        .initial_state = MeanState{},
                                        .attention = AttentionBeforeCell{},
                                        .readout = TanhReadout{}})},
      {"layer-norm-tanh", recurrent({.stack = {.cell = Tanh, .hidden = 3, .layer_norm = true}},
                                    {.stack = {.cell = Relu, .hidden = 4, .layer_norm = true},
                                     .initial_state = MeanState{},
                                     .attention = AttentionAfterCell{.attend = scored_by(nn::GeneralScore{})},
                                     .readout = TanhReadout{}})},
      {"layer-norm-memory", recurrent({.stack = {.cell = Lstm, .hidden = 3, .layer_norm = true, .memory_tape = true}},
                                      {.stack = {.cell = Lstm, .hidden = 4, .layer_norm = true, .memory_tape = true},
                                       .initial_state = MeanState{},
                                       .attention = AttentionAfterCell{.attend = scored_by(nn::GeneralScore{})},
                                       .readout = TanhReadout{}})},
      {"memory", recurrent({.stack = {.cell = Lstm, .hidden = 3, .memory_tape = true}},
                           {.stack = {.cell = Lstm, .hidden = 5, .memory_tape = true},
                            .initial_state = BridgeState{},
                            .attention = AttentionBeforeCell{},
                            .readout = MaxoutReadout{}})},
      {"memory-gru",
       recurrent({.stack = {.cell = Gru, .hidden = 3, .memory_tape = true}, .direction = EncoderDirection::Backward},
                 {.stack = {.cell = Gru, .layers = 2, .hidden = 4, .memory_tape = true},
                  .initial_state = MeanState{},
                  .attention = AttentionAfterCell{.attend = scored_by(nn::GeneralScore{})},
                  .readout = TanhReadout{}})},
      {"coverage-linguistic", gated({.attend = {.coverage = nn::LinguisticCoverage{}}, .input_feeding = false})},
      {"coverage-neural", gated(AttentionBeforeCell{.attend = {.coverage = nn::NeuralCoverage{.width = 3}}})},
      {"tf-idf", gated(AttentionBeforeCell{.attend = scored_by(nn::TfIdfScore{})})},
      {"language-model", recurrent_language_model()}};
}

std::map<std::string, Kind> convolutional_kinds() {
  const auto kind = [](const ConvolutionStackOptions& stack) {
    Kind made = recurrent({}, {});
    made.options.encoder.type = ConvolutionEncoderOptions{.stack = stack};
    made.options.decoder.type = ConvolutionDecoderOptions{.stack = stack};
    return made;
  };
  return {{"centred-3", kind({.layers = 2, .hidden = 5, .kernel = 3, .max_length = 8})},
          {"wide", kind({.layers = 3, .hidden = 4, .kernel = 5, .max_length = 8})}};
}

void expect_parity_of_all(const std::map<std::string, Kind>& all, const std::string& file) {
  const nlohmann::json stored = stored_json(file);
  ASSERT_EQ(all.size(), stored["kinds"].size());
  for (const auto& [name, kind] : all) {
    SCOPED_TRACE(name);
    expect_parity(kind, stored, stored["kinds"][name], at::kFloat, 1e-5);
    expect_parity(kind, stored, stored["kinds"][name], at::kDouble, 1e-8);
  }
}

TEST(Parity, AWrongElementShowsInEverySumAndElementsInOtherPlacesInOne) {
  const torch::Tensor right = at::arange(48, at::kDouble).view({6, 8}) / 48;
  const auto change = [&](const torch::Tensor& wrong) {
    return (weighted_sums("name", wrong, 3) - weighted_sums("name", right, 3)).abs();
  };
  for (int64_t i = 0; i < right.numel(); ++i) {
    torch::Tensor wrong = right.clone();
    wrong.view({-1})[i] += 1e-7;
    EXPECT_GT(change(wrong).min().item<double>(), 0.999e-7);
    wrong.view({-1})[(i + 1) % right.numel()] -= 1e-7;
    EXPECT_GT(change(wrong).max().item<double>(), 1e-8);
  }
  EXPECT_GT(change(right.view({8, 6}).t().contiguous()).max().item<double>(), 0.1);
}

TEST(Parity, LossAndEveryGradientOfTransformersEqualTheReference) {
  expect_parity_of_all(transformer_kinds(), "models/stored/transformer_parity.json");
}

TEST(Parity, LossAndEveryGradientOfRecurrentModelsEqualTheReference) {
  expect_parity_of_all(recurrent_kinds(), "models/stored/recurrent_parity.json");
}

TEST(Parity, LossAndEveryGradientOfConvolutionsEqualTheReference) {
  expect_parity_of_all(convolutional_kinds(), "models/stored/convolution_parity.json");
}

}  // namespace
}  // namespace heed::models
