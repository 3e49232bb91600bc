// The merges of byte-pair encoding (Sennrich et al. 2016, https://arxiv.org/abs/1508.07909), and their file in
// subword-nmt's format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::text {

/// The end-of-word mark.
inline constexpr std::string_view kEndOfWord = "</w>";

struct Merge {
  std::string left, right;
  bool operator==(const Merge&) const = default;
};

struct BpeCodes {
  /// V01: the end-of-word mark is a separate symbol (files without a version). V02: it is part of the last character.
  enum class Version { V01, V02 };
  Version version = Version::V02;
  bool bytes = false;  ///< the initial symbols are bytes, not characters; needs V02
  std::vector<Merge> merges;
  bool operator==(const BpeCodes&) const = default;
};

/// Reads the first `limit` merges of subword-nmt's format (-1: all). Like subword-nmt, it ignores CR and spaces at both
/// ends of a line. Throws InputError with `path` and line.
BpeCodes parse_codes(const std::string& path, std::string_view content, int64_t limit = -1);
/// Reads the output of format_codes, V01 or V02. Every character counts, as a symbol may contain a CR. Throws
/// InputError with `path` and line; the file has `lines_before` lines before `content`.
BpeCodes parse_formatted_codes(const std::string& path, std::string_view content, int64_t lines_before);
/// The same from a file. Throws FileError, InputError.
BpeCodes read_codes(const std::string& path, int64_t limit = -1);
/// Formats a header with the version (none for V01), then one line `left right` per merge.
std::string format_codes(const BpeCodes& codes);

}  // namespace heed::text
