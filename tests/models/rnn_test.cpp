// Recurrent stacks: what no reference without dropout can tell.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <string>

#include "heed/architecture/architecture.h"
#include "heed_torch/models/model.h"
#include "heed_torch/nn/random/random_scope.h"
#include "support/tiny_models.h"

namespace heed::models {
namespace {

using namespace heed::testing;

const RnnStackOptions kOne{.cell = nn::CellKind::Lstm, .layers = 1, .hidden = 16};
const RnnStackOptions kTwo{.cell = nn::CellKind::Lstm, .layers = 2, .hidden = 16, .residual = true};

/// The layers above the first give zeros: they have no weights, and a cell that begins with 0 stays so.
std::shared_ptr<Model> silent_above_the_first(ArchitectureOptions options, const VocabularySizes& sizes) {
  options.dropout = 0.5;
  const auto model = build_model(options, sizes, 1);
  const at::NoGradGuard no_grad;
  for (auto& item : model->named_parameters()) {
    const std::string& name = item.key();
    if (name.find("layers.1.") != std::string::npos || name.find("cells.1.") != std::string::npos) item.value().zero_();
  }
  return model;
}

std::shared_ptr<Model> with_encoder(const RnnStackOptions& stack) {
  ArchitectureOptions options = tiny_rnn();
  options.encoder.type = RnnEncoderOptions{.stack = stack, .direction = EncoderDirection::Forward};
  return silent_above_the_first(options, {.source = 11, .target = 11});
}

std::shared_ptr<Model> language_model(const RnnStackOptions& stack) {
  ArchitectureOptions options = tiny_rnn();
  options.encoder.type = NoEncoderOptions{};
  options.decoder.type = RnnDecoderOptions{
      .stack = stack, .initial_state = ZeroState{}, .attention = NoMemoryAttention{}, .readout = StateReadout{}};
  return silent_above_the_first(options, {.source = 0, .target = 11});
}

/// Two results of dropout with other masks: what both have kept is the same.
void expect_same_where_kept(const Tensor& found, const Tensor& expected) {
  const Tensor kept = found.ne(0).bitwise_and(expected.ne(0));
  EXPECT_GT(kept.sum().item<int64_t>(), 4);
  EXPECT_LT(difference(found.masked_select(kept), expected.masked_select(kept)), 1e-6);
}

// Wu et al. 2016, equation 6: a layer adds its input to its output. What the first layer makes comes out whole,
// although the second reads it with dropout.
TEST(RnnStack, AResidualConnectionAddsALayersInputWithoutItsDropout) {
  const at::NoGradGuard no_grad;
  const Tensor source = random_sources({5, 3}, 11, 1), target = random_targets({4, 4}, 11, 2);
  const auto drawn_alike = [](const auto& compute) {
    const nn::RandomScope scope(1, 2, 3);
    return compute();
  };
  const auto encoded = [&](const std::shared_ptr<Model>& model) {
    return drawn_alike([&] { return model->encode(source).states; });
  };
  EXPECT_LT(difference(encoded(with_encoder(kTwo)), encoded(with_encoder(kOne))), 1e-6);

  const auto one = language_model(kOne), two = language_model(kTwo);  // what is read off is dropped, too
  const auto read = [&](Model& model) {
    return drawn_alike([&] { return model.decoder->forward(target, nullptr).hidden; });
  };
  expect_same_where_kept(read(*two), read(*one));
  const auto first_step = [&](Model& model) {
    const auto state = model.decoder->start(nullptr, 1, 2);
    return drawn_alike([&] { return model.decoder->step(target.narrow(1, 0, 1), *state).hidden; });
  };
  expect_same_where_kept(first_step(*two), first_step(*one));
}

}  // namespace
}  // namespace heed::models
