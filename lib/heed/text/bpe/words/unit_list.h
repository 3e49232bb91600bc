// The subword units of a word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::text {

/// A list of strings whose bytes are contiguous. clear() keeps the memory, so filling the list again does not allocate.
class UnitList {
 public:
  void add(std::string_view unit) {
    bytes_ += unit;
    ends_.push_back(bytes_.size());
  }
  size_t size() const { return ends_.size(); }
  /// Valid until the next add().
  std::string_view operator[](size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(bytes_).substr(begin, ends_[i] - begin);
  }
  void clear() {
    bytes_.clear();
    ends_.clear();
  }

 private:
  std::string bytes_;
  std::vector<size_t> ends_;
};

}  // namespace heed::text
