// A set of line numbers. It takes one bit per line of the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heed::data {

class LineSet {
 public:
  LineSet() = default;
  /// A copy, made from the bytes() of another set.
  explicit LineSet(std::string_view bytes) : bits_(bytes) {}

  void add(int64_t line) {
    const auto byte = static_cast<size_t>(line / 8);
    if (byte >= bits_.size()) bits_.resize(byte + 1, '\0');
    bits_[byte] = static_cast<char>(bits_[byte] | bit(line));
  }
  bool contains(int64_t line) const {
    const auto byte = static_cast<size_t>(line / 8);
    return byte < bits_.size() && (bits_[byte] & bit(line)) != 0;
  }
  const std::string& bytes() const { return bits_; }
  bool operator==(const LineSet&) const = default;

 private:
  static int bit(int64_t line) { return 1 << (line % 8); }

  std::string bits_;
};

}  // namespace heed::data
