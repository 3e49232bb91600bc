// Reads text files line by line. They may be plain, gzip-compressed (recognized by the first bytes, not the name) or
// "-" for standard input. Only LF ends a line, as in `wc -l`; a last line without LF is a line too. Other separators
// (U+2028, U+0085, VT, FF, a CR within a line) are ordinary characters.
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

/// What to do with ill-formed UTF-8. Keep is for bytes that are perhaps not text; it is not a user option.
enum class InvalidText { Fail, Replace, Keep };
constexpr auto option_names(InvalidText) {
  return std::array{std::pair{InvalidText::Fail, "fail"}, std::pair{InvalidText::Replace, "replace"}};
}

class LineReader {
 public:
  /// Messages call the file `name`, unless it is empty. Text in another `encoding` is converted to UTF-8, and
  /// ill-formed bytes of it are always an error. Throws FileError if `path` cannot be opened or is a directory, and
  /// Error for an unknown encoding.
  explicit LineReader(const std::string& path, InvalidText invalid = InvalidText::Fail, std::string name = "",
                      const std::string& encoding = "utf-8");
  ~LineReader();
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;

  /// Reads the next line without its LF and without a CR before it. Returns false at the end. Throws InputError for
  /// ill-formed UTF-8 unless it is replaced (path:line). Throws InputError (path) if the first line shows that the text
  /// is UTF-16 or UTF-32, or that the file is a ZIP archive, a PDF or an old Office document, and for damaged
  /// compressed data (UnpackedFile).
  bool next(std::string& line);
  /// Keeps a UTF-8 byte-order mark at the start of the file as part of the first line. By default it is dropped.
  void keep_byte_order_mark();
  /// The same, with the line end in the file: LF, CR LF, or nothing after the last line.
  bool next_with_end(std::string& line);
  /// From now on calls `tell` before a read that waits for a sender (UnpackedFile).
  void on_wait(std::function<void()> tell);
  /// From now on a read that waits for a sender throws ReadCancelled when `asked` returns true (UnpackedFile).
  void break_off_if(std::function<bool()> asked);
  /// The 1-based number of the last line.
  int64_t line_number() const;
  /// The name of the file in messages: `name`, else the path as given; "standard input" for "-".
  const std::string& path() const;
  /// Lines in which ill-formed bytes were replaced.
  int64_t replaced_lines() const;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

/// The error for a line of `path` that is not UTF-8 from `offset` on. The message names the encoding that the line
/// probably has: that of the first line's byte-order mark, or Windows-1252.
InputError invalid_text(const std::string& path, int64_t line_number, std::string_view line, size_t offset);

/// Reads all lines of a file.
std::vector<std::string> read_lines(const std::string& path, InvalidText invalid = InvalidText::Fail);

}  // namespace heed
