#include "heed/serve/metrics.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace heed::serve {
namespace {

TEST(Histogram, CountsEachValueInAllBucketsThatHoldIt) {
  Histogram histogram({1, 2});
  for (const double value : {0.5, 1.0, 1.5, 7.0}) histogram.add(value);
  EXPECT_EQ(histogram.text("h"),
            "h_bucket{le=\"1\"} 2\nh_bucket{le=\"2\"} 3\nh_bucket{le=\"+Inf\"} 4\nh_sum 10\nh_count 4\n");
  EXPECT_EQ(Histogram({1}).text("h", "a=\"b\""),
            "h_bucket{a=\"b\",le=\"1\"} 0\nh_bucket{a=\"b\",le=\"+Inf\"} 0\nh_sum{a=\"b\"} 0\nh_count{a=\"b\"} 0\n");
}

TEST(Metrics, CountRequestsAndTokens) {
  Metrics metrics;
  metrics.add_request("/translate", 200, 0.1);
  metrics.add_request("/translate", 200, 0.1);
  metrics.add_lines({.lines = 3, .together = 5, .source_tokens = 12, .target_tokens = 15, .waited = 0, .seconds = 1});
  const std::string text = metrics.text(std::array{Metrics::Gauge{"g", "a gauge", 7}});
  for (const std::string line : {"heed_requests_total{path=\"/translate\",code=\"200\"} 2\n", "heed_lines_total 3\n",
                                 "heed_source_tokens_total 12\n", "heed_target_tokens_total 15\n", "g 7\n",
                                 "heed_batch_lines_bucket{le=\"4\"} 0\n", "heed_batch_lines_bucket{le=\"8\"} 3\n",
                                 "heed_line_seconds_sum 3\n"}) {
    EXPECT_NE(text.find("\n" + line), std::string::npos) << line << text;
  }
}

}  // namespace
}  // namespace heed::serve
