#include "heed/text/bpe/words/text_lines.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "heed/core/files/line_reader.h"
#include "heed/core/text/unicode.h"

namespace heed::text {
namespace {

constexpr size_t kBlockBytes = 1 << 17;

constexpr std::string_view kStripped = "\r\n ";

/// The bytes that begin, or may begin, a line end of Python's str.splitlines.
constexpr std::array<bool, 256> make_suspects() {
  std::array<bool, 256> suspects{};
  for (const int byte : {0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0xC2, 0xE2}) {
    suspects[static_cast<size_t>(byte)] = true;
  }
  return suspects;
}
constexpr std::array<bool, 256> kSuspects = make_suspects();

/// The length of the line end at the start of the text; 0 if there is none.
size_t line_end(std::string_view text) {
  if (text.starts_with("\r\n")) return 2;
  if (text[0] == '\xC2') return text.starts_with("\u0085") ? 2 : 0;
  if (text[0] == '\xE2') return text.starts_with("\u2028") || text.starts_with("\u2029") ? 3 : 0;
  return 1;
}

void make_universal(std::string& text) {
  size_t kept = text.find('\r');
  if (kept == std::string::npos) return;
  for (size_t i = kept; i < text.size(); ++i) {
    const bool before_newline = i + 1 < text.size() && text[i + 1] == '\n';
    if (text[i] == '\r' && before_newline) continue;
    text[kept++] = text[i] == '\r' ? '\n' : text[i];
  }
  text.resize(kept);
}

int64_t count_newlines(std::string_view text) {
  int64_t count = 0;
  while (!text.empty()) {  // in chunks whose count fits into a byte, which is fast with vector instructions
    uint8_t part_count = 0;
    const std::string_view part = text.substr(0, 255);
    for (const char c : part) part_count = static_cast<uint8_t>(part_count + (c == '\n' ? 1 : 0));
    count += part_count;
    text.remove_prefix(part.size());
  }
  return count;
}

}  // namespace

SpacedLine split_ends(std::string_view line) {
  const size_t begin = line.find_first_not_of(kStripped);
  if (begin == std::string_view::npos) return {.leading = line, .words = {}, .trailing = {}};
  const size_t end = line.find_last_not_of(kStripped) + 1;
  return {.leading = line.substr(0, begin), .words = line.substr(begin, end - begin), .trailing = line.substr(end)};
}

size_t first_line(std::string_view text, LineEnds ends) {
  if (ends != LineEnds::Unicode) {
    const void* found = std::memchr(text.data(), '\n', text.size());
    return found == nullptr ? text.size() : static_cast<size_t>(static_cast<const char*>(found) - text.data()) + 1;
  }
  for (size_t i = 0; i < text.size(); ++i) {
    if (!kSuspects[static_cast<unsigned char>(text[i])]) continue;
    if (const size_t length = line_end(text.substr(i)); length > 0) return i + length;
  }
  return text.size();
}

TextBlocks::TextBlocks(const std::string& path, LineEnds ends)
    : name_(input_name(path)), file_(path, name_), ends_(ends) {}

bool TextBlocks::next(std::string& block) {
  fill(block);
  if (ends_ != LineEnds::Bytes) check_text(block);
  lines_read_ += count_newlines(block);
  if (ends_ == LineEnds::Universal) make_universal(block);
  return !block.empty();
}

/// Reads up to a line end, where the block then ends, or to the end of the file.
void TextBlocks::fill(std::string& block) {
  block.swap(begun_);
  begun_.clear();
  for (bool more = true; more;) {
    const size_t begin = block.size();  // there is no line end before it
    more = append(block, std::max(begin, kBlockBytes));
    const size_t newline = std::string_view(block).substr(begin).rfind('\n');
    if (!more || newline == std::string_view::npos) continue;
    begun_.assign(block, begin + newline + 1);
    block.resize(begin + newline + 1);
    return;
  }
}

/// Reads `count` bytes. Returns false if the file ends first.
bool TextBlocks::append(std::string& block, size_t count) {
  size_t end = block.size();
  block.resize(end + count);
  size_t got = 1;
  for (; end < block.size() && got > 0; end += got) got = file_.read(block.data() + end, block.size() - end);
  block.resize(end);
  return got > 0;
}

void TextBlocks::check_text(std::string_view block) const {
  const auto offset = first_invalid_utf8(block);
  if (!offset) return;
  const std::string_view before = block.substr(0, *offset);
  const size_t begin = before.rfind('\n') + 1;
  throw invalid_text(name_, lines_read_ + count_newlines(before) + 1, block.substr(begin), *offset - begin);
}

}  // namespace heed::text
