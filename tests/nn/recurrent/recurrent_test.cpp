// Recurrent cells, layers and the affine map of a loop, against LibTorch's own and against hand-computed values.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include <torch/torch.h>

#include "heed_torch/nn/products/product.h"
#include "heed_torch/nn/recurrent/layer.h"
#include "heed_torch/nn/step_linear.h"
#include "nn/values.h"

namespace heed::nn {
namespace {

TEST(StepLinear, IsTheLinearMapAndSumsTheSameGradients) {
  Linear linear(LinearOptions{.in = 3, .out = 4});
  fill_normal(*linear, 1);
  const auto run = [&](const std::function<Tensor(const Tensor&)>& map) {
    const Tensor first = random({5, 3}, 2).requires_grad_();
    const Tensor second = random({2, 5, 3}, 3).requires_grad_();
    const Tensor loss = (map(first).tanh().sum() + (map(second) * map(second)).sum() + map(first).square().sum());
    std::vector<Tensor> wanted{first, second, linear->weight, linear->bias};
    auto results = torch::autograd::grad({loss}, wanted);
    results.push_back(loss);
    return results;
  };
  for (const bool rounded : {false, true}) {
    const RoundedProducts scope(rounded);
    const StepLinear step(linear);
    const auto found = run([&](const Tensor& x) { return step(x); });
    const auto expected = run([&](const Tensor& x) { return linear(x); });
    for (size_t i = 0; i < expected.size(); ++i) {
      const double size = std::max(1.0, expected[i].abs().max().item<double>());
      EXPECT_LT(largest_difference(found[i], expected[i]), 1e-5 * size) << i;
    }
  }
}

TEST(StepLinear, HasTheGradientsOfFiniteDifferences) {
  const auto wide = at::kDouble;
  const Tensor weight = random({2, 3}, 1).to(wide).requires_grad_();
  const Tensor bias = random({2}, 2).to(wide).requires_grad_();
  const Tensor x = random({4, 3}, 3).to(wide).requires_grad_();
  expect_gradients_of_finite_differences({weight, bias, x}, [&] {
    const StepLinear step(weight, bias);
    Tensor state = step(x).tanh();
    for (int i = 0; i < 3; ++i) state = step(at::cat({state, x.narrow(1, 0, 1)}, 1)).tanh();
    return state.square().sum();
  });
}

TEST(StepLinear, LeavesFrozenWeightsAlone) {
  const Tensor weight = random({2, 3}, 1);
  const Tensor x = random({4, 3}, 3).requires_grad_();
  const StepLinear step(weight);
  step(x).sum().backward();
  EXPECT_FALSE(weight.grad().defined());
  EXPECT_LT(largest_difference(x.grad(), weight.sum(0).expand({4, 3})), 1e-6);
}

RecurrentCell made_cell(CellKind kind, bool layer_norm = false, int64_t d_extra = 0) {
  RecurrentCell cell(
      RecurrentCellOptions{.d_input = 3, .d_hidden = 4, .kind = kind, .d_extra = d_extra, .layer_norm = layer_norm});
  fill_normal(*cell, 7);
  return cell;
}

TEST(RecurrentCell, EqualsLibTorchs) {
  const Tensor x = random({5, 3}, 1), h = random({5, 4}, 2), c = random({5, 4}, 3);
  const Tensor none = at::zeros({16});
  {
    RecurrentCell cell = made_cell(CellKind::Lstm);
    const CellState next = cell->begin()(cell->project(x), {h, c});
    const auto [hidden, state] =
        at::lstm_cell(x, {h, c}, cell->input->weight, cell->recurrent->weight, cell->input->bias, none);
    EXPECT_LT(largest_difference(next.hidden, hidden), 1e-6);
    EXPECT_LT(largest_difference(next.cell, state), 1e-6);
  }
  {
    RecurrentCell cell = made_cell(CellKind::Gru);
    const Tensor expected =
        at::gru_cell(x, h, cell->input->weight, cell->recurrent->weight, cell->input->bias, cell->recurrent->bias);
    EXPECT_LT(largest_difference(cell->begin()(cell->project(x), {h, {}}).hidden, expected), 1e-6);
  }
  for (const CellKind kind : {CellKind::Tanh, CellKind::Relu}) {
    RecurrentCell cell = made_cell(kind);
    const auto& [w, u, b] = std::tie(cell->input->weight, cell->recurrent->weight, cell->input->bias);
    const Tensor expected = kind == CellKind::Tanh ? at::rnn_tanh_cell(x, h, w, u, b, none.narrow(0, 0, 4))
                                                   : at::rnn_relu_cell(x, h, w, u, b, none.narrow(0, 0, 4));
    EXPECT_LT(largest_difference(cell->begin()(cell->project(x), {h, {}}).hidden, expected), 1e-6);
  }
}

TEST(RecurrentCell, ChosGruResetsBeforeTheProduct) {
  RecurrentCell cell(RecurrentCellOptions{.d_input = 1, .d_hidden = 1, .kind = CellKind::GruCho});
  const at::NoGradGuard no_grad;
  cell->input->weight.copy_(at::tensor({0.5f, -1.0f, 2.0f}).view({3, 1}));
  cell->input->bias.copy_(at::tensor({0.1f, 0.2f, 0.3f}));
  cell->recurrent->weight.copy_(at::tensor({1.5f, 0.7f, -0.8f}).view({3, 1}));
  const double x = 0.4, h = 0.6;
  const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
  const double r = sigmoid(0.5 * x + 0.1 + 1.5 * h);
  const double z = sigmoid(-1.0 * x + 0.2 + 0.7 * h);
  const double n = std::tanh(2.0 * x + 0.3 - 0.8 * (r * h));
  const CellState next = cell->begin()(cell->project(at::full({1, 1}, x)), {at::full({1, 1}, h), {}});
  EXPECT_NEAR(next.hidden.item<double>(), (1 - z) * n + z * h, 1e-6);
}

TEST(RecurrentCell, ASecondInputIsAddedToTheFirst) {
  for (const CellKind kind : {CellKind::Lstm, CellKind::Gru, CellKind::GruCho, CellKind::Tanh, CellKind::Relu}) {
    RecurrentCell cell = made_cell(kind, false, 2);
    const Tensor x = random({5, 3}, 1), extra = random({5, 2}, 4), h = random({5, 4}, 2), c = random({5, 4}, 3);
    const CellState before{h, kind == CellKind::Lstm ? c : Tensor()};
    const Tensor found = cell->begin()(cell->project(x), before, extra).hidden;
    RecurrentCell joint(RecurrentCellOptions{.d_input = 5, .d_hidden = 4, .kind = kind});
    const at::NoGradGuard no_grad;
    joint->input->weight.copy_(at::cat({cell->input->weight, cell->extra->weight}, 1));
    joint->input->bias.copy_(cell->input->bias);
    joint->recurrent->weight.copy_(cell->recurrent->weight);
    if (kind == CellKind::Gru) joint->recurrent->bias.copy_(cell->recurrent->bias);
    EXPECT_LT(largest_difference(found, joint->begin()(joint->project(at::cat({x, extra}, 1)), before).hidden), 1e-6);
  }
}

TEST(RecurrentCell, LayerNormalizationNormalizesTheSums) {
  RecurrentCell cell = made_cell(CellKind::Lstm, /*layer_norm=*/true);
  EXPECT_FALSE(cell->input->bias.defined());
  const Tensor x = random({5, 3}, 1), h = random({5, 4}, 2), c = random({5, 4}, 3);
  const auto norm = [](const Norm& n, const Tensor& v) {
    const Tensor centered = v - v.mean(-1, true);
    return centered / (centered.square().mean(-1, true) + n->options().epsilon).sqrt() * n->weight + n->bias;
  };
  const auto gates = (norm(cell->input_norm, at::matmul(x, cell->input->weight.t())) +
                      norm(cell->recurrent_norm, at::matmul(h, cell->recurrent->weight.t())))
                         .chunk(4, -1);
  const Tensor state = gates[1].sigmoid() * c + gates[0].sigmoid() * gates[2].tanh();
  const Tensor expected = gates[3].sigmoid() * norm(cell->cell_norm, state).tanh();
  const CellState next = cell->begin()(cell->project(x), {h, c});
  EXPECT_LT(largest_difference(next.hidden, expected), 1e-5);
  EXPECT_LT(largest_difference(next.cell, state), 1e-5);
}

TEST(RecurrentCell, LayerNormalizationLeavesTheTapesShareAlone) {
  RecurrentCell cell(RecurrentCellOptions{.d_input = 3, .d_hidden = 4, .memory_tape = true, .layer_norm = true});
  fill_normal(*cell, 7);
  const Tensor x = random({5, 3}, 1), of_tape = cell->input->weight.narrow(0, 16, 4);
  EXPECT_LT(largest_difference(cell->project(x).narrow(-1, 16, 4), at::matmul(x, of_tape.t())), 1e-6);
  EXPECT_LT(largest_difference(cell->begin().input(x), cell->project(x)), 1e-6);
}

TEST(RecurrentCell, TheForgetGateBeginsOpen) {
  RecurrentCell cell = made_cell(CellKind::Lstm);
  initialize(*cell, {}, 1);
  const auto bias = cell->input->bias.chunk(4);
  EXPECT_EQ(bias[1].min().item<double>(), 1);
  EXPECT_EQ(at::cat({bias[0], bias[2], bias[3]}).abs().max().item<double>(), 0);
}

TEST(RecurrentLayer, BothWaysEqualsLibTorchsOnSentencesOfEveryLength) {
  RecurrentLayer layer(RecurrentLayerOptions{.cell = {.d_input = 3, .d_hidden = 4}, .direction = Direction::Both});
  fill_normal(*layer, 5);
  torch::nn::LSTM reference(torch::nn::LSTMOptions(3, 4).bidirectional(true).batch_first(true));
  const at::NoGradGuard no_grad;
  for (const std::string way : {"", "_reverse"}) {
    const RecurrentCell& cell = way.empty() ? layer->forward_cell : layer->backward_cell;
    auto parameters = reference->named_parameters();
    parameters["weight_ih_l0" + way].copy_(cell->input->weight);
    parameters["weight_hh_l0" + way].copy_(cell->recurrent->weight);
    parameters["bias_ih_l0" + way].copy_(cell->input->bias);
    parameters["bias_hh_l0" + way].zero_();
  }
  const std::vector<int64_t> lengths{6, 4, 1};
  const Tensor x = random({3, 6, 3}, 1);
  const Tensor real = at::arange(6).unsqueeze(0).lt(at::tensor(lengths).unsqueeze(1));
  const RecurrentOutput found = layer->forward(x, real);
  for (int64_t s = 0; s < 3; ++s) {
    const int64_t length = lengths[size_t(s)];
    const auto [states, last] = reference->forward(x.narrow(0, s, 1).narrow(1, 0, length));
    EXPECT_LT(largest_difference(found.states[s].narrow(0, 0, length), states[0]), 1e-5);
    const auto& [hidden, cell] = last;  // [2, 1, 4]
    EXPECT_LT(largest_difference(found.last.hidden[s], hidden.select(1, 0).flatten()), 1e-5);
    EXPECT_LT(largest_difference(found.last.cell[s], cell.select(1, 0).flatten()), 1e-5);
  }
}

TEST(RecurrentLayer, TheFusedLstmEqualsTheLoopWithItsGradients) {
  for (const Direction direction : {Direction::Forward, Direction::Backward, Direction::Both}) {
    const auto run = [direction](const Tensor& real) {
      RecurrentLayer layer(RecurrentLayerOptions{.cell = {.d_input = 3, .d_hidden = 4}, .direction = direction});
      fill_normal(*layer, 5);
      const Tensor x = random({2, 6, 3}, 1).requires_grad_();
      CellState first;
      if (direction != Direction::Both) first = {.hidden = random({2, 4}, 2), .cell = random({2, 4}, 3)};
      const RecurrentOutput output = layer->forward(x, real, first);
      (output.states.square().sum() + output.last.hidden.sum() + output.last.cell.square().sum()).backward();
      std::vector<Tensor> made{output.states, output.last.hidden, output.last.cell, x.grad()};
      for (const Tensor& parameter : layer->parameters()) made.push_back(parameter.grad());
      return made;
    };
    // Told that all is real, word by word, the layer takes the loop.
    const auto fused = run({}), loop = run(at::ones({2, 6}, at::kBool));
    for (size_t i = 0; i < loop.size(); ++i) EXPECT_LT(largest_difference(fused[i], loop[i]), 1e-5) << i;
    const RoundedProducts rounded(true);  // which the library's has not
    const auto same = run({}), rounded_loop = run(at::ones({2, 6}, at::kBool));
    for (size_t i = 0; i < loop.size(); ++i) EXPECT_LT(largest_difference(same[i], rounded_loop[i]), 1e-5) << i;
    EXPECT_GT(largest_difference(rounded_loop[0], loop[0]), 1e-5);
  }
}

TEST(RecurrentLayer, PaddingChangesNothing) {
  for (const CellKind kind : {CellKind::Lstm, CellKind::Gru, CellKind::GruCho, CellKind::Tanh, CellKind::Relu}) {
    for (const Direction direction : {Direction::Forward, Direction::Backward, Direction::Both}) {
      RecurrentLayer layer(
          RecurrentLayerOptions{.cell = {.d_input = 3, .d_hidden = 4, .kind = kind}, .direction = direction});
      fill_normal(*layer, 5);
      const Tensor x = random({2, 4, 3}, 1);
      const Tensor padded = at::cat({x, at::full({2, 3, 3}, 9.0)}, 1);
      const Tensor real = at::arange(7).lt(4).expand({2, 7});
      const RecurrentOutput expected = layer->forward(x, {}), found = layer->forward(padded, real);
      EXPECT_LT(largest_difference(found.states.narrow(1, 0, 4), expected.states), 1e-6);
      EXPECT_LT(largest_difference(found.last.hidden, expected.last.hidden), 1e-6);
    }
  }
}

/// Nor what is recalled of a tape: a sentence that is read from its end begins with its padding.
TEST(RecurrentLayer, PaddingIsNotRecalled) {
  for (const Direction direction : {Direction::Forward, Direction::Backward}) {
    RecurrentLayer layer(
        RecurrentLayerOptions{.cell = {.d_input = 3, .d_hidden = 4, .memory_tape = true}, .direction = direction});
    fill_normal(*layer, 5);
    const Tensor x = random({2, 4, 3}, 1);
    const Tensor padded = at::cat({x, at::full({2, 3, 3}, 9.0)}, 1);
    const CellState first{.hidden = random({2, 4}, 2), .cell = random({2, 4}, 3)};
    const Tensor real = at::arange(7).lt(4).expand({2, 7});
    const RecurrentOutput expected = layer->forward(x, {}, first), found = layer->forward(padded, real, first);
    EXPECT_LT(largest_difference(found.states.narrow(1, 0, 4), expected.states), 1e-6);
  }
}

TEST(RecurrentLayer, BackwardsIsForwardsOnTheReversedSentence) {
  RecurrentLayer backward(
      RecurrentLayerOptions{.cell = {.d_input = 3, .d_hidden = 4}, .direction = Direction::Backward});
  RecurrentLayer forward(RecurrentLayerOptions{.cell = {.d_input = 3, .d_hidden = 4}});
  fill_normal(*backward, 5);
  fill_normal(*forward, 5);
  const Tensor x = random({2, 4, 3}, 1);
  const RecurrentOutput found = backward->forward(x, {}), expected = forward->forward(x.flip(1), {});
  EXPECT_LT(largest_difference(found.states, expected.states.flip(1)), 1e-6);
  EXPECT_LT(largest_difference(found.last.cell, expected.last.cell), 1e-6);
}

}  // namespace
}  // namespace heed::nn
