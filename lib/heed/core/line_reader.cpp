#include "heed/core/line_reader.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "heed/core/error.h"
#include "heed/core/text_decoder.h"
#include "heed/core/unicode.h"

namespace heed {

struct LineReader::Source {
  std::string path;
  InvalidText invalid = InvalidText::Fail;
  gzFile file = nullptr;
  std::string buffer = std::string(1 << 16, '\0');
  size_t begin = 0;
  size_t end = 0;
  int64_t line_number = 0;
  int64_t replaced_lines = 0;
  std::unique_ptr<TextDecoder> decoder;  // null: the text is UTF-8
  std::string encoded;

  ~Source() {
    if (file != nullptr) gzclose_r(file);
  }
  size_t read(std::string& bytes);
  bool fill();
  void repair(std::string& line);
};

/// Reads the next stretch of (decompressed) bytes; 0 at the end of the file.
size_t LineReader::Source::read(std::string& bytes) {
  const int count = gzread(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  if (count < 0 || (count == 0 && gzeof(file) == 0)) {
    int code = Z_OK;
    const char* reason = gzerror(file, &code);
    if (code == Z_ERRNO) throw FileError(path, "read", errno);
    throw InputError(path, line_number + 1, fmt::format("the compressed data is damaged or cut off ({})", reason));
  }
  int code = Z_OK;
  gzerror(file, &code);
  if (count == 0 && code == Z_BUF_ERROR) throw InputError(path, line_number + 1, "the compressed data is cut off");
  return static_cast<size_t>(count);
}

/// Fills the buffer with the next stretch of text; false at the end of the file.
bool LineReader::Source::fill() {
  begin = 0;
  if (!decoder) {
    end = read(buffer);
    return end > 0;
  }
  buffer.clear();
  encoded.resize(1 << 16);
  size_t count = encoded.size();
  while (buffer.empty() && count > 0) {
    count = read(encoded);
    if (!decoder->decode(std::string_view(encoded).substr(0, count), count == 0, buffer)) {
      throw InputError(path, line_number + 1, "is not text of the given encoding here or a little further on");
    }
  }
  end = buffer.size();
  return end > 0;
}

void LineReader::Source::repair(std::string& line) {
  const auto offset = first_invalid_utf8(line);
  if (!offset) return;
  if (invalid == InvalidText::Fail) {
    throw InputError(path, line_number,
                     fmt::format("expected UTF-8 text, found the byte 0x{:02X} at byte {} of the line",
                                 static_cast<unsigned char>(line[*offset]), *offset + 1));
  }
  line = replace_invalid_utf8(line);
  ++replaced_lines;
}

LineReader::LineReader(std::string path, InvalidText invalid, const std::string& encoding)
    : source_(std::make_unique<Source>()) {
  if (!is_utf8(encoding)) source_->decoder = std::make_unique<TextDecoder>(encoding);
  source_->path = path == "-" ? "standard input" : path;
  source_->invalid = invalid;
  const int descriptor = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw FileError(source_->path, "open", errno);
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor);
    throw FileError(source_->path, "read", EISDIR);
  }
  source_->file = gzdopen(descriptor, "rb");
  if (source_->file == nullptr) {
    close(descriptor);
    throw FileError(source_->path, "open", ENOMEM);
  }
}

LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;

bool LineReader::next(std::string& line) {
  line.clear();
  bool any = false;
  for (;;) {
    if (source_->begin == source_->end && !source_->fill()) break;
    any = true;
    const char* start = source_->buffer.data() + source_->begin;
    const size_t available = source_->end - source_->begin;
    const auto* newline = static_cast<const char*>(std::memchr(start, '\n', available));
    const size_t taken = newline == nullptr ? available : static_cast<size_t>(newline - start);
    line.append(start, taken);
    source_->begin += taken + (newline == nullptr ? 0 : 1);
    if (newline != nullptr) break;
  }
  if (!any) return false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  ++source_->line_number;
  source_->repair(line);
  return true;
}

int64_t LineReader::line_number() const { return source_->line_number; }
const std::string& LineReader::path() const { return source_->path; }
int64_t LineReader::replaced_lines() const { return source_->replaced_lines; }

std::vector<std::string> read_lines(const std::string& path, InvalidText invalid) {
  LineReader reader(path, invalid);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

}  // namespace heed
