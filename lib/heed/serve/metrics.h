// What a server counts, in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/serve/batcher.h"

namespace heed::serve {

/// Counts of values that are at most each bound, as Prometheus's histograms.
class Histogram {
 public:
  /// bounds: ascending.
  explicit Histogram(std::vector<double> bounds) : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {}
  void add(double value);
  /// labels: such as `path="/translate"`, or empty.
  std::string text(std::string_view name, const std::string& labels = "") const;

 private:
  std::vector<double> bounds_;
  std::vector<uint64_t> counts_;  // per interval between bounds
  double sum_ = 0;
};

class Metrics {
 public:
  /// path: of a known endpoint, or "other". status 0: the client left before the answer.
  void add_request(const std::string& path, int status, double seconds);
  void add_lines(const TranslatedLines& lines);

  /// A value that is asked for at each look.
  struct Gauge {
    std::string_view name, help;
    double value;
  };
  std::string text(std::span<const Gauge> gauges) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, uint64_t> requests_;  // by path and status
  std::map<std::string, Histogram> seconds_;                  // by path
  Histogram batch_lines_{{1, 2, 4, 8, 16, 32, 64, 128}};
  Histogram line_seconds_{{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}};
  Histogram waits_{{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}};
  uint64_t lines_ = 0, source_tokens_ = 0, target_tokens_ = 0;
};

/// Bytes of this process in memory; 0: unknown.
uint64_t resident_memory();

}  // namespace heed::serve
