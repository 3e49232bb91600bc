#include "heed/text/bpe/text_lines.h"

#include <array>
#include <cstring>

namespace heed::text {
namespace {

constexpr size_t kBlockBytes = 1 << 17;

constexpr std::string_view kStripped = "\r\n ";

/// The bytes that begin a line end of Python's str.splitlines, or may do so.
constexpr std::array<bool, 256> make_suspects() {
  std::array<bool, 256> suspects{};
  for (const int byte : {0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0xC2, 0xE2}) {
    suspects[static_cast<size_t>(byte)] = true;
  }
  return suspects;
}
constexpr std::array<bool, 256> kSuspects = make_suspects();

/// The length of the line end that begins here; 0 if none does.
size_t line_end(std::string_view text) {
  if (text.starts_with("\r\n")) return 2;
  if (text[0] == '\xC2') return text.starts_with("\u0085") ? 2 : 0;
  if (text[0] == '\xE2') return text.starts_with("\u2028") || text.starts_with("\u2029") ? 3 : 0;
  return 1;
}

void make_universal(std::string& line) {
  if (line.find('\r') == std::string::npos) return;
  size_t kept = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const bool before_newline = i + 1 < line.size() && line[i + 1] == '\n';
    if (line[i] == '\r' && before_newline) continue;
    line[kept++] = line[i] == '\r' ? '\n' : line[i];
  }
  line.resize(kept);
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
    : reader_(path, ends == LineEnds::Bytes ? InvalidText::Keep : InvalidText::Fail), ends_(ends) {}

bool TextBlocks::next(std::string& block) {
  block.clear();
  while (block.size() < kBlockBytes && reader_.next_with_end(line_)) {
    if (ends_ == LineEnds::Universal) make_universal(line_);
    block += line_;
  }
  return !block.empty();
}

}  // namespace heed::text
