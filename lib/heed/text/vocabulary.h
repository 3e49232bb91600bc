// A list of vocabulary entries with their ids, learned by counting.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "heed/text/tokenizer.h"

namespace heed::text {

/// The names of pad, unk, bos and eos in vocabularies, by id.
inline constexpr std::array<std::string_view, 4> kSpecialNames{"<pad>", "<unk>", "<s>", "</s>"};
bool is_special(std::string_view name);

class Vocabulary {
 public:
  /// `entries` come after the four special ones. Throws std::logic_error on an entry that is empty, special or
  /// repeated.
  explicit Vocabulary(std::vector<std::string> entries);
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  /// kUnk for whatever has no entry. Special names in a text are unknown too: no text can make padding.
  int32_t id(std::string_view entry) const;
  /// Throws std::logic_error when there is no such id.
  const std::string& entry(int32_t id) const;
  int64_t size() const { return static_cast<int64_t>(entries_.size()); }

  /// One entry a line, after a line "#version: 1" and one for each property as "#name: value".
  std::string serialized(const std::vector<std::pair<std::string, std::string>>& properties = {}) const;

 private:
  std::vector<std::string> entries_;
  std::unordered_map<std::string_view, int32_t> ids_;  // views into entries_
};

/// What a vocabulary file holds.
struct VocabularyFile {
  std::vector<std::string> entries;  ///< without the special ones
  std::unordered_map<std::string, std::string> properties;
};
/// Reads Vocabulary::serialized. Throws InputError with `path` and line; `lines_before` stand before it in the file.
VocabularyFile parse_vocabulary(const std::string& path, std::string_view content, int64_t lines_before = 0);

/// Counts entries of a text.
class EntryCounter {
 public:
  void add(std::string_view entry, int64_t count = 1);
  /// The most frequent entries that occur `minimum_count` times, `limit` at most; by falling count, ties by code
  /// points.
  std::vector<std::string> most_frequent(size_t limit, int64_t minimum_count) const;
  /// How many different entries there are.
  size_t distinct() const { return counts_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, int64_t, Hash, std::equal_to<>> counts_;
};

}  // namespace heed::text
