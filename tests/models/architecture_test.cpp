#include "heed/architecture/architecture.h"

#include <gtest/gtest.h>

#include <functional>

#include "heed/core/error.h"
#include "heed_torch/models/model.h"
#include "support/message_of.h"
#include "support/tiny_models.h"

namespace heed::models {
namespace {

using namespace heed::testing;

std::string refusal(const std::function<void(ArchitectureOptions&)>& change, VocabularySizes sizes = {11, 11}) {
  ArchitectureOptions options = tiny_transformer();
  change(options);
  return message_of<ConfigError>([&] { build_model(options, sizes, 1); });
}

TEST(Architecture, PartsThatDoNotFitAreRefusedByName) {
  EXPECT_EQ(refusal([](auto& o) { encoder_stack(o).attention = nn::MultiHead{.heads = 3}; }),
            "`arch.encoder.heads` must divide arch.d-model (16), found 3");
  EXPECT_EQ(refusal([](auto& o) { decoder_of(o).cross.attention = nn::MultiHead{.heads = 5}; }),
            "`arch.decoder.cross.heads` must divide arch.d-model (16), found 5");
  EXPECT_EQ(refusal([](auto& o) { o.tied_embeddings = TiedEmbeddings::All; }, {.source = 11, .target = 12}),
            "`arch.tied-embeddings` all needs one vocabulary for both languages, found 11 source and 12 target "
            "entries");
  EXPECT_EQ(refusal([](auto& o) {
              o.encoder.type = NoEncoderOptions{};
              o.tied_embeddings = TiedEmbeddings::All;
            }),
            "`arch.tied-embeddings` must be none or decoder without an encoder, found all");
  EXPECT_EQ(refusal([](auto& o) {
              o.encoder.type = NoEncoderOptions{};
              decoder_of(o).cross.attention = nn::SingleHead{};
            }),
            "`arch.decoder.cross.attention` does not apply without an encoder");
  EXPECT_EQ(refusal([](auto& o) {
              o.encoder.type = NoEncoderOptions{};
              decoder_of(o).cross.alignment_head = 1;
            }),
            "`arch.decoder.cross.alignment-layer` does not apply without an encoder");
  EXPECT_EQ(refusal([](auto& o) { decoder_of(o).cross.alignment_layer = 3; }),
            "`arch.decoder.cross.alignment-layer` must be at most 2, the number of decoder layers, but is 3");
  EXPECT_EQ(
      refusal([](auto& o) { decoder_of(o).cross.alignment_head = 3; }),
      "`arch.decoder.cross.alignment-head` must be at most 2, the number of heads of the attention to the source, "
      "but is 3");
  EXPECT_EQ(refusal([](auto& o) {
              o.encoder.type = NoEncoderOptions{};
              decoder_of(o).causal_mask = false;
            }),
            "`arch.decoder.causal-mask` must be true without an encoder: a language model would see the words that "
            "it predicts");
  EXPECT_EQ(refusal([](auto& o) { decoder_stack(o).norm_order = PreNorm{.norm = nn::NormKind::None}; }),
            "`arch.decoder.norm` must be layer or rms here; for no norm, set norm-order to none");
  EXPECT_EQ(refusal([](auto& o) {
              o.d_model = 15;
              for (auto* stack : {&encoder_stack(o), &decoder_stack(o)}) stack->attention = nn::SingleHead{};
            }),
            "`arch.encoder.positions` sinusoidal need an even arch.d-model, found 15");
  EXPECT_EQ(refusal([](auto& o) {
              encoder_stack(o).attention = nn::MultiHead{.heads = 16};
              encoder_stack(o).positions = nn::RotaryPositions{};
            }),
            "`arch.encoder.positions` rotary need an even width of each head, found 1");
}

std::string recurrent_refusal(const std::function<void(RnnEncoderOptions&, RnnDecoderOptions&)>& change) {
  ArchitectureOptions options = tiny_rnn();
  change(std::get<RnnEncoderOptions>(options.encoder.type), std::get<RnnDecoderOptions>(options.decoder.type));
  return message_of<ConfigError>([&] { build_model(options, {11, 11}, 1); });
}

TEST(Architecture, RecurrentPartsThatDoNotFitAreRefusedByName) {
  const auto refused = recurrent_refusal;
  EXPECT_EQ(
      refused([](auto& encoder, auto&) {
        encoder = {.stack = {.layers = 2, .residual = true}, .direction = EncoderDirection::BothFirst};
      }),
      "`arch.encoder.residual` has no effect with two layers if the first is bidirectional: the second is half as wide "
      "as its input");
  EXPECT_EQ(refused([](auto&, auto& decoder) { decoder.stack.residual = true; }),
            "`arch.decoder.residual` has no effect with one layer");
  EXPECT_EQ(refused([](auto& encoder, auto&) { encoder.direction = EncoderDirection::BothFirst; }),
            "`arch.encoder.direction` both-first needs a second layer; with one layer say both");
  EXPECT_EQ(
      refused([](auto&, auto& decoder) { decoder.attention = AttentionBeforeCell{.attend = {}, .every_layer = true}; }),
      "`arch.decoder.context-to-every-layer` has no effect with one layer");
  EXPECT_EQ(
      refused([](auto& encoder, auto& decoder) {
        encoder.stack.hidden = 7;
        decoder.attention = AttentionAfterCell{.attend = {.score = nn::DotScore{}}};
      }),
      "`arch.decoder.score` dot, scaled-dot and cosine compare vectors of one width, but arch.decoder.hidden is 16 "
      "and the encoder's states have 14");
  for (const nn::ScoreOptions& score :
       {nn::ScoreOptions{nn::UniformScore{}}, nn::ScoreOptions{nn::IdfScore{}}, nn::ScoreOptions{nn::TfIdfScore{}}}) {
    EXPECT_EQ(
        refused([&](auto&, auto& decoder) {
          decoder.attention = AttentionAfterCell{.attend = {.score = score, .function = nn::SparsemaxAttention{}}};
        }),
        "`arch.decoder.attention-function` must be soft with the scores uniform, idf and tf-idf: there is nothing to learn to "
        "choose by");
  }
  EXPECT_EQ(refused([](auto&, auto& decoder) {
              decoder.attention =
                  AttentionAfterCell{.attend = {.score = nn::GeneralScore{}, .coverage = nn::LinguisticCoverage{}}};
            }),
            "`arch.decoder.coverage` needs the additive score");
  EXPECT_EQ(
      refused([](auto&, auto& decoder) {
        decoder.attention = AttentionAfterCell{
            .attend = {.score = nn::GeneralScore{}, .window = nn::PredictedWindow{}, .function = nn::HardAttention{}}};
      }),
      "`arch.decoder.attention-function` must be soft or sparsemax with the window local-p, which weights the positions after "
      "they are chosen");
  EXPECT_EQ(refused([](auto&, auto& decoder) {
              decoder.attention = AttentionBeforeCell{.attend = {.function = nn::HardAttention{.expected_share = 1}}};
            }),
            "`arch.decoder.expected-share` must be below 1, where no position is ever sampled: that is soft attention");
  EXPECT_EQ(refused([](auto&, auto& decoder) {
              decoder.attention = AttentionAfterCell{};
              decoder.readout = StateReadout{};
            }),
            "`arch.decoder.readout` must be tanh or maxout with attention after the cell");
  EXPECT_EQ(refused([](auto&, auto& decoder) {
              decoder.stack.hidden = 12;
              decoder.readout = StateReadout{};
            }),
            "`arch.decoder.readout` state needs arch.decoder.hidden = arch.d-model, found 12 and 16");
  EXPECT_EQ(refused([](auto& encoder, auto& decoder) {
              encoder.stack.hidden = 7;
              decoder.initial_state = LastState{};
            }),
            "`arch.decoder.initial-state` last needs encoder and decoder of the same layers, widths (both directions "
            "together) and kind of cell; bridge does not");
  EXPECT_EQ(refused([](auto&, auto& decoder) {
              decoder.attention = NoMemoryAttention{};
              decoder.initial_state = ZeroState{};
            }),
            "`arch.decoder.initial-state` must not be zero without attention: the decoder would not see the source");
}

TEST(Architecture, InitialValuesAreThoseOfTheOptions) {
  ArchitectureOptions options = tiny_transformer();
  options.tied_embeddings = TiedEmbeddings::None;
  options.initialization = {.weights = nn::Normal{.deviation = 1e-3}, .embeddings = nn::Normal{.deviation = 10}};
  const auto parameters = build_model(options, {.source = 40, .target = 40}, 1)->named_parameters();
  const auto deviation = [&](const char* name) { return parameters[name].std().item<double>(); };
  EXPECT_NEAR(deviation("output.weight"), 1e-3, 2e-4);
  EXPECT_NEAR(deviation("decoder.embedding.weight"), 10, 2);
}

}  // namespace
}  // namespace heed::models
