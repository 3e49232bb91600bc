#include "layers/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <sstream>
#include <stdexcept>

#include "heed/core/error.h"
#include "report/markup_check.h"
#include "support/message_of.h"

namespace heed::benchmarks {
namespace {

using testing::message_of;

LayerMeasurement measurement(double forward, double both, int64_t bytes) {
  return {.forward = {.median = forward, .lowest = forward, .highest = forward},
          .forward_backward = {.median = both, .lowest = both / 2, .highest = both * 2},
          .peak_bytes = bytes};
}

/// Two layers at lengths 2 and 4, batches of 8 tokens.
LayerReport small_report() {
  return {.settings = {.tokens = 8, .shortest = 2, .longest = 7, .repetitions = 3},
          .machine = "a <fast> machine",
          .layers = {{"a & b", "O(n² d)", "O(1)", "O(1)", "4 d² + 2 n d"}, {"c", "O(n d²)", "O(n)", "O(n)", "8 d²"}},
          .measured = {{measurement(8e-6, 16e-6, 8192), measurement(80e-6, 160e-6, 16384)},
                       {measurement(1.6e-6, 8.04e-6, 81920), measurement(8e-3, 10e-3, 4096)}}};
}

TEST(LayerReport, LengthsDouble) {
  EXPECT_EQ((LayerSettings{.shortest = 3, .longest = 13}.lengths()), (std::vector<int64_t>{3, 6, 12}));
  EXPECT_EQ(LayerSettings{}.lengths().size(), 8U);
}

TEST(LayerReport, TheMedianIsTheMiddle) {
  EXPECT_EQ(summary_of({3, 1, 2}).median, 2);
  const Seconds even = summary_of({4, 1, 3, 2});
  EXPECT_EQ(even.median, 2.5);
  EXPECT_EQ(even.lowest, 1);
  EXPECT_EQ(even.highest, 4);
  EXPECT_THROW(summary_of({}), std::logic_error);
}

TEST(LayerReport, MarkdownPutsTheoryBesideTheMeasurements) {
  const std::string text = markdown(small_report());
  EXPECT_EQ(text,
            R"(a <fast> machine; 1 thread; d = 256, 8 heads, kernel 3; batches of 8 tokens; median of 3 runs.

| layer | complexity per layer | sequential operations | maximum path length | multiplications per token, with projections | µs per token, n = 2 | µs per token, n = 4 | KiB per token, n = 2 | KiB per token, n = 4 |
|---|---|---|---|---|---:|---:|---:|---:|
| a & b | O(n² d) | O(1) | O(1) | 4 d² + 2 n d | 2.00 | 20.0 | 1.00 | 2.00 |
| c | O(n d²) | O(n) | O(n) | 8 d² | 1.00 | 1250 | 10.0 | 0.50 |

Time of the forward pass, µs per token:

| layer | n = 2 | n = 4 |
|---|---:|---:|
| a & b | 1.00 | 10.0 |
| c | 0.20 | 1000 |

Time of the forward and backward pass, µs per token:

| layer | n = 2 | n = 4 |
|---|---:|---:|
| a & b | 2.00 | 20.0 |
| c | 1.00 | 1250 |

Memory of the forward and backward pass, KiB per token:

| layer | n = 2 | n = 4 |
|---|---:|---:|
| a & b | 1.00 | 2.00 |
| c | 10.0 | 0.50 |
)");
}

TEST(LayerReport, JsonLinesHoldEveryMeasurement) {
  std::istringstream lines(json_lines(small_report()));
  std::vector<nlohmann::json> read;
  for (std::string line; std::getline(lines, line);) read.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(read.size(), 5U);
  EXPECT_EQ(read[0]["machine"], "a <fast> machine");
  EXPECT_EQ(read[0]["tokens"], 8);
  EXPECT_EQ(read[2]["layer"], "a & b");
  EXPECT_EQ(read[2]["length"], 4);
  EXPECT_EQ(read[2]["sentences"], 2);
  EXPECT_EQ(read[2]["peak_bytes"], 16384);
  EXPECT_EQ(read[2]["forward_seconds"]["median"], 80e-6);
  EXPECT_EQ(read[2]["forward_backward_seconds"]["highest"], 320e-6);
}

TEST(LayerReport, TheFigureIsWellFormedAndTellsEveryValue) {
  const std::string text = figure(small_report());
  EXPECT_EQ(report::markup_error(text), "");
  EXPECT_EQ(report::count_of(text, "<title>a &amp; b, 4: 20.00</title>"), 1U);
  EXPECT_EQ(report::count_of(text, "<title>c, 2: 10.00</title>"), 1U);
  EXPECT_EQ(report::count_of(text, "a &lt;fast&gt; machine; 1 thread"), 3U);  // both charts and the description
}

TEST(LayerReport, SettingsThatDoNotFitTogetherAreErrors) {
  const auto message = [](const LayerSettings& settings) {
    return message_of<ConfigError>([&] { validate(settings); });
  };
  EXPECT_EQ(message({}), "nothing was thrown");
  EXPECT_EQ(message({.heads = 7}), "`heads` must divide `--width`, 256, but is 7");
  EXPECT_EQ(message({.kernel = 4}), "`kernel` must be odd, but is 4");
  EXPECT_EQ(message({.shortest = 32, .longest = 16}), "`longest` must be at least `--shortest`, 32, but is 16");
  EXPECT_EQ(message({.tokens = 1024}), "`tokens` must be a multiple of the longest length, 2048, but is 1024");
}

}  // namespace
}  // namespace heed::benchmarks
