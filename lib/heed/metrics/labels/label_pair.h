// The labels of a line, separated by white space: one if the line is classified as a whole, or one per word.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace heed::metrics {

/// The labels of a line and of its reference. Not thread-safe: it reuses its buffers.
class LabelPair {
 public:
  /// Throws Error unless there is one reference with the same number of labels. The texts must outlive the labels.
  void read(std::string_view hypothesis, std::span<const std::string_view> references);

  size_t size() const { return gold_.size(); }
  std::span<const std::string_view> found() const { return found_; }
  std::span<const std::string_view> gold() const { return gold_; }

 private:
  std::vector<std::string_view> found_;
  std::vector<std::string_view> gold_;
};

}  // namespace heed::metrics
