// The merges of byte-pair encoding (Sennrich et al. 2016, https://arxiv.org/abs/1508.07909), and subword-nmt's file of
// them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::text {

/// What marks the last symbol of a word.
inline constexpr std::string_view kEndOfWord = "</w>";

struct Merge {
  std::string left, right;
  bool operator==(const Merge&) const = default;
};

struct BpeCodes {
  /// V01: the end-of-word mark is a symbol of its own (files without a version); V02: it is part of the last character.
  enum class Version { V01, V02 };
  Version version = Version::V02;
  bool bytes = false;  ///< symbols begin as bytes, not characters; needs V02
  std::vector<Merge> merges;
  bool operator==(const BpeCodes&) const = default;
};

/// Reads the first `limit` merges of subword-nmt's format (-1: all). As subword-nmt does, it ignores CR and spaces at
/// both ends of a line. Throws InputError with `path` and line.
BpeCodes parse_codes(const std::string& path, std::string_view content, int64_t limit = -1);
/// Reads what format_codes wrote, of V01 or V02: every character counts, as a symbol may be or hold a CR. Throws
/// InputError with `path` and line; `lines_before` lines are before them in the file.
BpeCodes parse_formatted_codes(const std::string& path, std::string_view content, int64_t lines_before);
/// The same from a file. Throws FileError, InputError.
BpeCodes read_codes(const std::string& path, int64_t limit = -1);
/// A header with the version (none for V01), then one line `left right` for each merge.
std::string format_codes(const BpeCodes& codes);

}  // namespace heed::text
