// A vocabulary: entries with ids, learned by counting.
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

/// The names of pad, unk, bos and eos in vocabularies, in the order of their ids.
inline constexpr std::array<std::string_view, 4> kSpecialNames{"<pad>", "<unk>", "<s>", "</s>"};
bool is_special(std::string_view name);

class Vocabulary {
 public:
  /// `entries` follow the four special ones. Throws std::logic_error if an entry is empty, special or repeated.
  explicit Vocabulary(std::vector<std::string> entries);
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  /// The id of an entry, or kUnk. The names of special ids are unknown too, so that no text can produce padding.
  int32_t id(std::string_view entry) const;
  /// Throws std::logic_error if the id does not exist.
  const std::string& entry(int32_t id) const;
  int64_t size() const { return static_cast<int64_t>(entries_.size()); }

  /// A line "#version: 1", one line "#name: value" per property, then one line per entry.
  std::string serialized(const std::vector<std::pair<std::string, std::string>>& properties = {}) const;

 private:
  std::vector<std::string> entries_;
  std::unordered_map<std::string_view, int32_t> ids_;  // views into entries_
};

/// The content of a vocabulary file.
struct VocabularyFile {
  std::vector<std::string> entries;  ///< without the special ones
  std::unordered_map<std::string, std::string> properties;
};
/// Parses Vocabulary::serialized. Throws InputError with `path` and line; the file has `lines_before` lines before
/// `content`.
VocabularyFile parse_vocabulary(const std::string& path, std::string_view content, int64_t lines_before = 0);

/// Counts the entries of a text.
class EntryCounter {
 public:
  void add(std::string_view entry, int64_t count = 1);
  /// At most `limit` entries that occur at least `minimum_count` times, most frequent first. Ties are in code point
  /// order.
  std::vector<std::string> most_frequent(size_t limit, int64_t minimum_count) const;
  /// The number of distinct entries.
  size_t distinct() const { return counts_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, int64_t, Hash, std::equal_to<>> counts_;
};

}  // namespace heed::text
