// Reads text files line by line: plain, gzip-compressed (known by its first bytes, whatever the name) or "-" for
// standard input. Only LF ends a line, as `wc -l` counts; a last line without LF is a line too. Other separators
// (U+2028, U+0085, VT, FF, a CR in mid-line) are ordinary characters.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/core/error.h"

namespace heed {

/// What becomes of text that is not well-formed UTF-8. Keep is for bytes that need not be text; no option offers it.
enum class InvalidText { Fail, Replace, Keep };
constexpr auto option_names(InvalidText) {
  return std::array{std::pair{InvalidText::Fail, "fail"}, std::pair{InvalidText::Replace, "replace"}};
}

class LineReader {
 public:
  /// Messages call the file `name`, if there is one. Text of an `encoding` other than UTF-8 is read as UTF-8; what is
  /// ill-formed there fails always. Throws FileError when `path` cannot be opened or is a directory, Error for an
  /// unknown encoding.
  explicit LineReader(const std::string& path, InvalidText invalid = InvalidText::Fail, std::string name = "",
                      const std::string& encoding = "utf-8");
  ~LineReader();
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;

  /// Reads the next line without its LF and without one CR before it; false at the end.
  /// Throws InputError (path:line) on ill-formed UTF-8 unless replacing, (path) where the first line shows the text to
  /// be UTF-16 or UTF-32, and on damaged compressed data (UnpackedFile).
  bool next(std::string& line);
  /// Leaves the byte-order mark of UTF-8 where one begins the file, in the first line; without, it is dropped.
  void keep_byte_order_mark();
  /// The same with the line end that stands in the file: LF, CR LF, or nothing behind the last line.
  bool next_with_end(std::string& line);
  /// Calls `tell` from now on before a read that waits for a sender (UnpackedFile).
  void on_wait(std::function<void()> tell);
  /// A read that waits for a sender throws ReadBrokenOff from now on where this is true (UnpackedFile).
  void break_off_if(std::function<bool()> asked);
  /// The number of the line last read, from 1.
  int64_t line_number() const;
  /// What messages call the file: `name`, else the path as the user wrote it; "standard input" for "-".
  const std::string& path() const;
  /// Lines in which ill-formed bytes were replaced.
  int64_t replaced_lines() const;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

/// What to throw for a line of `path` that is not UTF-8 from `offset` on; a first line with another encoding's
/// byte-order mark is of that encoding.
InputError invalid_text(const std::string& path, int64_t line_number, std::string_view line, size_t offset);

/// All lines of a file.
std::vector<std::string> read_lines(const std::string& path, InvalidText invalid = InvalidText::Fail);

}  // namespace heed
