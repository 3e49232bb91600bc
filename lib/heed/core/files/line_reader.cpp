#include "heed/core/files/line_reader.h"

#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "heed/core/files/unpacked_file.h"
#include "heed/core/text/text_decoder.h"
#include "heed/core/text/unicode.h"

namespace heed {

struct LineReader::Source {
  std::string path;  // for messages
  InvalidText invalid;
  UnpackedFile file;
  std::string buffer = std::string(1 << 16, '\0');
  size_t begin = 0;
  size_t end = 0;
  int64_t line_number = 0;
  int64_t replaced_lines = 0;
  std::unique_ptr<TextDecoder> decoder;  // null: the text is UTF-8
  std::string encoded;

  Source(const std::string& opened, std::string name, InvalidText if_invalid)
      : path(std::move(name)), invalid(if_invalid), file(opened, path) {}
  bool fill();
  void repair(std::string& line);
};

/// Fills the buffer with the next stretch of text; false at the end of the file.
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

void LineReader::Source::repair(std::string& line) {
  if (invalid == InvalidText::Keep) return;
  const auto offset = first_invalid_utf8(line);
  if (!offset) return;
  if (invalid == InvalidText::Fail) throw invalid_text(path, line_number, line, *offset);
  line = replace_invalid_utf8(line);
  ++replaced_lines;
}

LineReader::LineReader(const std::string& path, InvalidText invalid, std::string name, const std::string& encoding) {
  if (name.empty()) name = path == "-" ? "standard input" : path;
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
  source_->repair(line);
  return true;
}

bool LineReader::next(std::string& line) {
  if (!next_with_end(line)) return false;
  if (line.back() == '\n') line.pop_back();
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

int64_t LineReader::line_number() const { return source_->line_number; }
const std::string& LineReader::path() const { return source_->path; }
int64_t LineReader::replaced_lines() const { return source_->replaced_lines; }

InputError invalid_text(const std::string& path, int64_t line_number, std::string_view line, size_t offset) {
  return {path, line_number,
          fmt::format("expected UTF-8 text, found the byte 0x{:02X} at byte {} of the line",
                      static_cast<unsigned char>(line[offset]), offset + 1)};
}

std::vector<std::string> read_lines(const std::string& path, InvalidText invalid) {
  LineReader reader(path, invalid);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

}  // namespace heed
