#include "heed/core/files/line_reader.h"

#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "heed/core/files/unpacked_file.h"
#include "heed/core/text/text_decoder.h"
#include "heed/core/text/unicode.h"

namespace heed {
namespace {

constexpr std::string_view kMark = "\xef\xbb\xbf";  // the byte-order mark U+FEFF in UTF-8

/// The encoding whose byte-order mark the text begins with.
std::optional<std::string_view> marked_encoding(std::string_view start) {
  using namespace std::string_view_literals;
  if (start.starts_with("\xff\xfe\0\0"sv) || start.starts_with("\0\0\xfe\xff"sv)) return "UTF-32";
  if (start.starts_with("\xff\xfe"sv) || start.starts_with("\xfe\xff"sv)) return "UTF-16";
  return std::nullopt;
}

/// Whether units of `width` bytes have a non-zero byte at `place` and, with few exceptions, NUL elsewhere.
bool is_padded(std::string_view text, size_t width, size_t place) {
  constexpr size_t kEnough = 3;  // units; short words may be separated by NUL
  const size_t units = text.size() / width;
  size_t others = 0;
  for (size_t i = 0; i < units * width; ++i) {
    if (i % width != place)
      others += text[i] != '\0';
    else if (text[i] == '\0')
      return false;
  }
  return units >= kEnough && others * 4 <= units * (width - 1);
}

/// The encoding of a first line without a byte-order mark, from the position of its NUL bytes. Assumes mostly Latin
/// letters.
std::optional<std::string_view> padded_encoding(std::string_view line) {
  const std::string_view characters = line.substr(0, line.find_last_not_of('\n') + 1);
  if (is_padded(characters, 2, 0)) return "UTF-16LE";
  if (is_padded(characters, 2, 1)) return "UTF-16BE";
  if (is_padded(characters, 4, 0)) return "UTF-32LE";
  if (is_padded(characters, 4, 3)) return "UTF-32BE";
  return std::nullopt;
}

InputError wide_text(const std::string& path, std::string_view encoding) {
  return {path, 0,
          fmt::format("looks like {}; convert it with `iconv -f {} -t UTF-8`", encoding.substr(0, 6), encoding)};
}

/// The kind of file that begins like this, if it is a kind that people take for text.
std::optional<std::string_view> other_kind(std::string_view start) {
  using namespace std::string_view_literals;
  if (start.starts_with("PK\x03\x04"sv)) return "a ZIP archive";
  if (start.starts_with("%PDF-"sv)) return "a PDF";
  if (start.starts_with("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv)) return "an old Office document";
  return std::nullopt;
}

/// ".odt" of "office.odt"; empty: the name has no ending.
std::string ending_of(const std::string& path) {
  const size_t name = path.find_last_of('/') + 1, point = path.rfind('.');
  return point == std::string::npos || point <= name ? "" : path.substr(point);
}

/// Throws InputError if the first line of a file shows that it is an office document, an archive or a PDF.
void refuse_other_kind(const std::string& path, std::string_view first_line) {
  const auto kind = other_kind(first_line);
  if (!kind) return;
  const std::string ending = ending_of(path);
  if (ending == ".docx") throw InputError(path, 0, "only `heed translate` reads .docx; save it as plain text");
  throw InputError(
      path, 0,
      fmt::format("heed does not read {}; save it as plain text, or for `heed translate` as .docx or .html",
                  ending.empty() ? std::string(*kind) : fmt::format("{} ({})", ending, *kind)));
}

/// Throws InputError if the first line of a file is text with 16 or 32 bits per character.
void refuse_wide_text(const std::string& path, std::string_view first_line) {
  auto encoding = marked_encoding(first_line);
  if (!encoding) encoding = padded_encoding(first_line);
  if (encoding) throw wide_text(path, *encoding);
}

/// Whether a line that is not UTF-8 from `offset` on may be text of a Western European language with a byte per
/// character: letters and quotation marks outside ASCII come one by one or in pairs, next to ASCII letters.
bool looks_like_windows_1252(std::string_view line, size_t offset) {
  const auto is_high = [](char byte) { return static_cast<unsigned char>(byte) >= 0x80; };
  const auto is_letter = [&](size_t at) {
    return at < line.size() && ((line[at] >= 'a' && line[at] <= 'z') || (line[at] >= 'A' && line[at] <= 'Z'));
  };
  constexpr size_t kMost = 2;
  size_t run = 0;
  for (const char byte : line) {
    run = is_high(byte) ? run + 1 : 0;
    const bool control = static_cast<unsigned char>(byte) < ' ' && byte != '\t' && byte != '\r' && byte != '\n';
    if (run > kMost || control) return false;
  }
  constexpr std::string_view kNeverOrRare = "\x81\x8d\x8f\x90\x9d\xfe\xff";  // not assigned, or of byte-order marks
  if (kNeverOrRare.find(line[offset]) != std::string_view::npos) return false;
  return is_letter(offset + 1) || (offset > 0 && is_letter(offset - 1));
}

}  // namespace

struct LineReader::Source {
  std::string path;  // for messages
  InvalidText invalid;
  UnpackedFile file;
  std::string buffer = std::string(1 << 16, '\0');
  size_t begin = 0;
  size_t end = 0;
  int64_t line_number = 0;
  int64_t replaced_lines = 0;
  std::unique_ptr<TextDecoder> decoder;  // null: the text is already UTF-8
  std::string encoded;
  bool keeps_mark = false;

  Source(const std::string& opened, std::string name, InvalidText if_invalid)
      : path(std::move(name)), invalid(if_invalid), file(opened, path) {}
  bool fill();
  void drop_mark(std::string& line) const;
  void repair(std::string& line);
};

/// Fills the buffer with the next block of text. Returns false at the end of the file.
bool LineReader::Source::fill() {
  begin = 0;
  if (!decoder) {
    end = file.read(buffer.data(), buffer.size());
    return end > 0;
  }
  buffer.clear();
  encoded.resize(1 << 16);
  size_t count = encoded.size();
  while (buffer.empty() && count > 0) {
    count = file.read(encoded.data(), encoded.size());
    if (!decoder->decode(std::string_view(encoded).substr(0, count), count == 0, buffer)) {
      throw InputError(path, line_number + 1, "is not text of the given encoding here or a little further on");
    }
  }
  end = buffer.size();
  return end > 0;
}

void LineReader::Source::drop_mark(std::string& line) const {
  const bool is_begin = line_number == 1 && !decoder;
  if (is_begin && !keeps_mark && invalid != InvalidText::Keep && line.starts_with(kMark)) line.erase(0, kMark.size());
}

void LineReader::Source::repair(std::string& line) {
  if (invalid == InvalidText::Keep) return;
  if (line_number == 1 && !decoder) {
    refuse_other_kind(path, line);
    refuse_wide_text(path, line);
  }
  const auto offset = first_invalid_utf8(line);
  if (!offset) return;
  if (invalid == InvalidText::Fail) throw invalid_text(path, line_number, line, *offset);
  line = replace_invalid_utf8(line);
  ++replaced_lines;
}

LineReader::LineReader(const std::string& path, InvalidText invalid, std::string name, const std::string& encoding) {
  if (name.empty()) name = input_name(path);
  source_ = std::make_unique<Source>(path, std::move(name), invalid);
  if (!is_utf8(encoding)) source_->decoder = std::make_unique<TextDecoder>(encoding);
}

LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;

bool LineReader::next_with_end(std::string& line) {
  line.clear();
  for (;;) {
    if (source_->begin == source_->end && !source_->fill()) break;
    const char* start = source_->buffer.data() + source_->begin;
    const size_t available = source_->end - source_->begin;
    const auto* newline = static_cast<const char*>(std::memchr(start, '\n', available));
    const size_t taken = newline == nullptr ? available : static_cast<size_t>(newline - start) + 1;
    line.append(start, taken);
    source_->begin += taken;
    if (newline != nullptr) break;
  }
  if (line.empty()) return false;
  ++source_->line_number;
  source_->drop_mark(line);
  if (line.empty()) return false;  // the file has only a byte-order mark
  source_->repair(line);
  return true;
}

bool LineReader::next(std::string& line) {
  if (!next_with_end(line)) return false;
  if (line.back() == '\n') line.pop_back();
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

void LineReader::keep_byte_order_mark() { source_->keeps_mark = true; }
void LineReader::on_wait(std::function<void()> tell) { source_->file.on_wait(std::move(tell)); }
void LineReader::break_off_if(std::function<bool()> asked) { source_->file.break_off_if(std::move(asked)); }
int64_t LineReader::line_number() const { return source_->line_number; }
const std::string& LineReader::path() const { return source_->path; }
int64_t LineReader::replaced_lines() const { return source_->replaced_lines; }

InputError invalid_text(const std::string& path, int64_t line_number, std::string_view line, size_t offset) {
  if (const auto encoding = marked_encoding(line); encoding && line_number == 1) return wide_text(path, *encoding);
  return {path, line_number,
          fmt::format("expected UTF-8 text, found the byte 0x{:02X} at byte {} of the line{}",
                      static_cast<unsigned char>(line[offset]), offset + 1,
                      looks_like_windows_1252(line, offset)
                          ? "; if it is Windows-1252 or Latin-1, convert it with `iconv -f WINDOWS-1252 -t UTF-8`"
                          : "")};
}

std::vector<std::string> read_lines(const std::string& path, InvalidText invalid) {
  LineReader reader(path, invalid);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

}  // namespace heed
