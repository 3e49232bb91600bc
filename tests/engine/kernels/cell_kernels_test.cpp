#include "heed/kernels/cell_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "engine/drawn.h"

namespace heed::engine {
namespace {

double logistic_of(double x) { return 1 / (1 + std::exp(-x)); }

/// Sums of four gates of a row, and a state.
struct DrawnCell {
  explicit DrawnCell(int64_t cell_width, bool has_extra = true)
      : width(cell_width),
        input(drawn(4 * width, 1)),
        extra(drawn(4 * width, 2)),
        state(drawn(4 * width, 3)),
        before(drawn(width, 4)),
        sums{input.data(), has_extra ? extra.data() : nullptr, state.data()} {}

  double read(int64_t gate, int64_t i) const {
    const auto at = static_cast<size_t>(gate * width + i);
    return static_cast<double>(input[at]) + (sums.extra == nullptr ? 0 : static_cast<double>(extra[at]));
  }
  double remembered(int64_t gate, int64_t i) const {
    return static_cast<double>(state[static_cast<size_t>(gate * width + i)]);
  }
  double sum(int64_t gate, int64_t i) const { return read(gate, i) + remembered(gate, i); }
  double of_before(int64_t i) const { return static_cast<double>(before[static_cast<size_t>(i)]); }

  int64_t width;
  std::vector<float> input, extra, state, before;
  kernels::CellSums sums;
};

TEST(CellKernels, AreThoseOfTheFormulas) {
  for (const int64_t width : {1, 16, 37}) {
    for (const bool has_extra : {false, true}) {
      const DrawnCell drawn_cell(width, has_extra);
      const auto size = static_cast<size_t>(width);
      std::vector<float> cell(size), open(size), gru(size), tangent(size), positive(size);
      kernels::lstm_cell(drawn_cell.sums, width, drawn_cell.before.data(), cell.data(), open.data());
      kernels::gru_cell(drawn_cell.sums, width, drawn_cell.before.data(), gru.data());
      kernels::tanh_cell(drawn_cell.sums, width, tangent.data());
      kernels::relu_cell(drawn_cell.sums, width, positive.data());
      std::vector<float> hidden = open;
      kernels::multiply_by_tangent(hidden.data(), cell.data(), width);
      for (int64_t i = 0; i < width; ++i) {
        const auto at = static_cast<size_t>(i);
        const auto gate = [&](int64_t index) { return logistic_of(drawn_cell.sum(index, i)); };
        const double c = gate(1) * drawn_cell.of_before(i) + gate(0) * std::tanh(drawn_cell.sum(2, i));
        EXPECT_NEAR(cell[at], c, 1e-6);
        EXPECT_NEAR(open[at], gate(3), 1e-6);
        EXPECT_NEAR(hidden[at], gate(3) * std::tanh(c), 1e-6);
        const double n = std::tanh(drawn_cell.read(2, i) + gate(0) * drawn_cell.remembered(2, i));
        EXPECT_NEAR(gru[at], (1 - gate(1)) * n + gate(1) * drawn_cell.of_before(i), 1e-6);
        EXPECT_NEAR(tangent[at], std::tanh(drawn_cell.sum(0, i)), 1e-6);
        EXPECT_NEAR(positive[at], std::max(drawn_cell.sum(0, i), 0.0), 1e-6);
      }
    }
  }
}

TEST(CellKernels, ChosUnitResetsBeforeItsProduct) {
  const int64_t width = 21;
  const DrawnCell drawn_cell(width);
  const auto product = drawn(width, 5);
  std::vector<float> reset(21), update(21), hidden(21);
  kernels::cho_gates(drawn_cell.sums, width, drawn_cell.before.data(), reset.data(), update.data());
  kernels::cho_cell({drawn_cell.input.data(), drawn_cell.extra.data(), product.data()}, width, drawn_cell.before.data(),
                    update.data(), hidden.data());
  for (int64_t i = 0; i < width; ++i) {
    const auto at = static_cast<size_t>(i);
    const double z = logistic_of(drawn_cell.sum(1, i));
    EXPECT_NEAR(reset[at], logistic_of(drawn_cell.sum(0, i)) * drawn_cell.of_before(i), 1e-6);
    EXPECT_NEAR(update[at], z, 1e-6);
    const double n = std::tanh(drawn_cell.read(2, i) + static_cast<double>(product[at]));
    EXPECT_NEAR(hidden[at], (1 - z) * n + z * drawn_cell.of_before(i), 1e-6);
  }
}

TEST(CellKernels, TakesTheLargerOfEachTwo) {
  std::vector<float> x = drawn(19, 1);
  const auto before = x, y = drawn(19, 2);
  kernels::take_larger(x.data(), y.data(), 19);
  for (size_t i = 0; i < 19; ++i) EXPECT_EQ(x[i], std::max(before[i], y[i]));
}

TEST(CellKernels, MakeNoNumbersOfNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const size_t place : {3U, 17U}) {
    std::vector<float> left = drawn(19, 1), right = drawn(19, 2);
    left[place] = nan;
    right[place - 1] = nan;
    kernels::take_larger(left.data(), right.data(), 19);
    for (size_t i = 0; i < 19; ++i) EXPECT_EQ(std::isnan(left[i]), i == place || i + 1 == place);
    DrawnCell cell(19);
    cell.input[place] = nan;
    std::vector<float> positive(19), tangent(19);
    kernels::relu_cell(cell.sums, 19, positive.data());
    kernels::tanh_cell(cell.sums, 19, tangent.data());
    for (size_t i = 0; i < 19; ++i) {
      EXPECT_EQ(std::isnan(positive[i]), i == place);
      EXPECT_EQ(std::isnan(tangent[i]), i == place);
    }
  }
}

}  // namespace
}  // namespace heed::engine
