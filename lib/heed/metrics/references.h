// The references of a corpus: for each line one or more reference translations.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::metrics {

class References {
 public:
  /// `files[r][i]` is the r-th reference of line i. Throws std::logic_error unless all files have the same number of
  /// lines.
  static References from_files(std::vector<std::vector<std::string>> files);
  /// `lines[i]` are the references of line i: at least one; their number may vary.
  static References from_lines(std::vector<std::vector<std::string>> lines);

  References(References&&) noexcept = default;
  References& operator=(References&&) noexcept = default;

  size_t size() const { return begins_.size() - 1; }
  std::span<const std::string_view> operator[](size_t line) const {
    return std::span(views_).subspan(begins_[line], begins_[line + 1] - begins_[line]);
  }
  /// The number of references per line; absent if it varies.
  std::optional<int64_t> count() const;

 private:
  explicit References(std::vector<std::vector<std::string>> texts) : texts_(std::move(texts)) {}

  std::vector<std::vector<std::string>> texts_;
  std::vector<std::string_view> views_;  // into texts_, line by line
  std::vector<size_t> begins_{0};        // the first view of each line, and the end
};

}  // namespace heed::metrics
