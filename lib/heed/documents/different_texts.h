// The texts of segments without repetition, so that each is translated once.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace heed::documents {

class DifferentTexts {
 public:
  /// Returns the index of the text in all(); adds it if it is new.
  size_t add(const std::string& text) {
    const auto [place, is_new] = index_.emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    return place->second;
  }
  /// In the order in which they were added.
  const std::vector<std::string>& all() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, size_t> index_;
};

}  // namespace heed::documents
