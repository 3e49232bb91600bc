// The labels of a line, which stand between white space: one for a line that is classified as a whole, one for each of
// its words where these are labelled.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace heed::metrics {

/// A line's labels beside those of its reference. Holds buffers for reuse, so that each thread needs its own.
class LabelPair {
 public:
  /// Throws Error unless there is one reference and it has as many labels. The texts must outlive the labels.
  void read(std::string_view hypothesis, std::span<const std::string_view> references);

  size_t size() const { return gold_.size(); }
  std::span<const std::string_view> found() const { return found_; }
  std::span<const std::string_view> gold() const { return gold_; }

 private:
  std::vector<std::string_view> found_;
  std::vector<std::string_view> gold_;
};

}  // namespace heed::metrics
