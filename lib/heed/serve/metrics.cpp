#include "heed/serve/metrics.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

namespace heed::serve {
namespace {

const std::vector<double> kLatencies{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60};

std::string heading(std::string_view name, std::string_view type, std::string_view help) {
  return fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

std::string counter(std::string_view name, std::string_view help, uint64_t value) {
  return heading(name, "counter", help) + fmt::format("{} {}\n", name, value);
}

}  // namespace

void Histogram::add(double value) {
  const auto at = std::ranges::lower_bound(bounds_, value) - bounds_.begin();
  ++counts_[static_cast<size_t>(at)];
  sum_ += value;
}

std::string Histogram::text(std::string_view name, const std::string& labels) const {
  std::string text;
  uint64_t count = 0;
  const std::string before = labels.empty() ? "" : labels + ",";
  const std::string braces = labels.empty() ? "" : "{" + labels + "}";
  for (size_t i = 0; i < bounds_.size(); ++i) {
    count += counts_[i];
    text += fmt::format("{}_bucket{{{}le=\"{}\"}} {}\n", name, before, bounds_[i], count);
  }
  count += counts_.back();
  text += fmt::format("{}_bucket{{{}le=\"+Inf\"}} {}\n", name, before, count);
  return text + fmt::format("{}_sum{} {}\n{}_count{} {}\n", name, braces, sum_, name, braces, count);
}

void Metrics::add_request(const std::string& path, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{path, status}];
  seconds_.try_emplace(path, kLatencies).first->second.add(seconds);
}

void Metrics::add_lines(const TranslatedLines& lines) {
  const std::lock_guard lock(mutex_);
  lines_ += static_cast<uint64_t>(lines.lines);
  source_tokens_ += static_cast<uint64_t>(lines.source_tokens);
  target_tokens_ += static_cast<uint64_t>(lines.target_tokens);
  for (int64_t line = 0; line < lines.lines; ++line) {
    batch_lines_.add(static_cast<double>(lines.together));
    line_seconds_.add(lines.seconds);
    waits_.add(lines.waited);
  }
}

std::string Metrics::text(std::span<const Gauge> gauges) const {
  const std::lock_guard lock(mutex_);
  std::string text = heading("heed_requests_total", "counter", "Requests by endpoint and status; 0: the client left.");
  for (const auto& [key, count] : requests_) {
    text += fmt::format("heed_requests_total{{path=\"{}\",code=\"{}\"}} {}\n", key.first, key.second, count);
  }
  text += heading("heed_request_seconds", "histogram", "Time from the first line of a request to its answer.");
  for (const auto& [path, seconds] : seconds_) {
    text += seconds.text("heed_request_seconds", fmt::format("path=\"{}\"", path));
  }
  text += counter("heed_lines_total", "Translated lines.", lines_);
  text += counter("heed_source_tokens_total", "Tokens of translated lines, end of sentence included.", source_tokens_);
  text += counter("heed_target_tokens_total", "Tokens of translations, end of sentence included.", target_tokens_);
  text += heading("heed_batch_lines", "histogram", "Per line: lines in its batch when it joined, itself included.");
  text += batch_lines_.text("heed_batch_lines");
  text += heading("heed_wait_seconds", "histogram", "Per line: time until it joined a batch.");
  text += waits_.text("heed_wait_seconds");
  text += heading("heed_line_seconds", "histogram", "Per line: time in its batch until it was translated.");
  text += line_seconds_.text("heed_line_seconds");
  for (const auto& [name, help, value] : gauges) {
    text += heading(name, "gauge", help) + fmt::format("{} {}\n", name, value);
  }
  return text;
}

uint64_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return file ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace heed::serve
