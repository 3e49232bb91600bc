// The oracle of an n-best list: its text that is most like the reference. It is the best that a choice from the list
// can reach, and a target for a student in knowledge distillation (Kim and Rush 2016,
// https://aclanthology.org/D16-1139).
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

/// Not thread-safe: it reuses its buffers.
class Oracle {
 public:
  explicit Oracle(std::shared_ptr<const Metric> metric);

  /// The index of the text with the highest sentence score; ties: the first one. texts: at least one.
  size_t choose(std::span<const std::string_view> texts, std::string_view reference);
  /// The statistics of the text that was chosen last.
  std::span<const double> statistics() const { return chosen_; }

 private:
  std::shared_ptr<const Metric> metric_;
  std::unique_ptr<Extractor> extractor_;
  std::vector<double> row_, chosen_;
};

}  // namespace heed::metrics
