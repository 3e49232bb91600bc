#include "heed/report/line_chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "report/markup_check.h"

namespace heed::report {
namespace {

LineChart chart() {
  return {.title = "BLEU & length",
          .x_label = "words",
          .y_label = "BLEU",
          .categories = {"0-10", "11-20", "21-30"},
          .notes = {"5 lines", "1 line", "3 lines"},
          .lines = {{.name = "<rnn>", .values = {30, 20.04, 10}}, {.name = "transformer", .values = {31, NAN, 25}}},
          .caption = "BLEU|nrefs:1"};
}

TEST(Axis, HasRoundStepsAroundTheValues) {
  const auto expect = [](const Axis& axis, double begin, double end, double step) {
    EXPECT_NEAR(axis.begin, begin, 1e-9);
    EXPECT_NEAR(axis.end, end, 1e-9);
    EXPECT_NEAR(axis.step, step, 1e-9);
  };
  expect(axis_of(10, 31), 0, 35, 5);
  expect(axis_of(31, 39), 30, 40, 2);
  expect(axis_of(0.91, 1.02), 0.9, 1.02, 0.02);
  expect(axis_of(-3, 7), -4, 8, 2);
  expect(axis_of(5, 5), 4, 5, 1);
  expect(axis_of(100, 100), 80, 100, 20);
  expect(axis_of(0, 0), 0, 0.2, 0.2);
}

TEST(Axis, LogarithmicNumbersEncloseTheValues) {
  const auto expect = [](double lowest, double highest, std::vector<double> expected) {
    const std::vector<double> found = logarithmic_numbers(lowest, highest);
    ASSERT_EQ(found.size(), expected.size()) << lowest << " " << highest;
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i] / expected[i], 1, 1e-9);
  };
  expect(3, 70, {2, 5, 10, 20, 50, 100});
  expect(10, 20, {10, 20});
  expect(7, 7, {5, 10});
  expect(5, 5, {5, 10});
  expect(0.03, 0.3, {0.02, 0.05, 0.1, 0.2, 0.5});
  expect(3, 4000, {1, 10, 100, 1000, 10000});
  expect(3e-26, 1, {1e-30, 1e-25, 1e-20, 1e-15, 1e-10, 1e-5, 1});
  EXPECT_THROW(logarithmic_numbers(0, 1), std::logic_error);
}

TEST(LineChart, EveryValueIsAPointThatTellsIt) {
  const Drawing drawing = draw_line_chart(chart());
  EXPECT_EQ(markup_error(drawing.elements), "");
  EXPECT_EQ(count_of(drawing.elements, "<title>"), 5U);
  EXPECT_EQ(count_of(drawing.elements, "<title>&lt;rnn&gt;, 11-20: 20.0</title>"), 1U);
  EXPECT_EQ(count_of(drawing.elements, ">BLEU &amp; length<"), 1U);
  EXPECT_EQ(count_of(drawing.elements, ">1 line<"), 1U);
  EXPECT_EQ(count_of(drawing.elements, ">BLEU|nrefs:1<"), 1U);
}

TEST(LineChart, AMissingValueIsAGapInItsLine) {
  const std::string elements = draw_line_chart(chart()).elements;
  const auto line_of = [&](std::string_view color) {
    const std::string look = "\" fill=\"none\" stroke=\"" + std::string(color) + "\" stroke-width=\"2\" stroke-dash";
    const size_t end = elements.find(look);
    const size_t begin = elements.rfind("d=\"", end);
    return elements.substr(begin, end - begin);
  };
  EXPECT_EQ(count_of(line_of("#0072b2"), "M"), 1U);
  EXPECT_EQ(count_of(line_of("#0072b2"), "L"), 2U);
  EXPECT_EQ(count_of(line_of("#d55e00"), "M"), 2U);
  EXPECT_EQ(count_of(line_of("#d55e00"), "L"), 0U);
}

TEST(LineChart, MarginsAreDrawnAndTold) {
  LineChart with_margins = chart();
  with_margins.lines[0].margins = {1, 2, 3.25};
  const std::string elements = draw_line_chart(with_margins).elements;
  EXPECT_EQ(count_of(elements, "21-30: 10.0 ± 3.2</title>") + count_of(elements, "21-30: 10.0 ± 3.3</title>"), 1U);
  EXPECT_EQ(count_of(elements, "stroke-opacity"), 1U);
}

TEST(LineChart, AMarginDoesNotReachBelowZero) {
  LineChart low = chart();
  low.lines = {{.name = "a", .values = {1, 2, 3}, .margins = {3, 1, 1}}};
  const std::string elements = draw_line_chart(low).elements;
  EXPECT_EQ(count_of(elements, ">0</text>"), 1U);
  EXPECT_EQ(count_of(elements, ">-"), 0U);
}

TEST(LineChart, OnALogarithmicScaleEqualRatiosAreEqualDistances) {
  LineChart doubling = chart();
  doubling.scale = Scale::Logarithmic;
  doubling.lines = {{.name = "a", .values = {0.1, 1, 10}}};
  const std::string elements = draw_line_chart(doubling).elements;
  EXPECT_EQ(count_of(elements, ">0.1</text>") + count_of(elements, ">10</text>"), 2U);
  // From the bottom (34 + 280) to the top over three columns of 120.
  EXPECT_EQ(count_of(elements, "M132 314L252 174L372 34\""), 1U);
  doubling.lines[0].values[0] = 0;
  EXPECT_THROW(draw_line_chart(doubling), std::logic_error);
  doubling.lines[0] = {.name = "a", .values = {1, 2, 3}, .margins = {1, 1, 1}};
  EXPECT_EQ(markup_error(draw_line_chart(doubling).elements), "");
}

TEST(LineChart, WithoutValuesItIsStillAPicture) {
  const LineChart empty{.title = "", .x_label = "", .y_label = "", .categories = {}, .lines = {}};
  EXPECT_EQ(markup_error(draw_line_chart(empty).elements), "");
  LineChart bad = chart();
  bad.lines[0].values.pop_back();
  EXPECT_THROW(draw_line_chart(bad), std::logic_error);
}

}  // namespace
}  // namespace heed::report
