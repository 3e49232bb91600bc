#include "heed/text/bpe/bpe_codes.h"

#include <algorithm>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/text/unicode.h"
#include "heed/text/bpe/words/text_lines.h"

namespace heed::text {
namespace {

constexpr std::string_view kVersionMark = "#version:";

BpeCodes::Version parse_version(const std::string& path, int64_t line_number, std::string_view header) {
  std::string_view number = split_whitespace(header).back();
  while (number.ends_with(".0")) number.remove_suffix(2);
  if (number == "0.1") return BpeCodes::Version::V01;
  if (number == "0.2") return BpeCodes::Version::V02;
  throw InputError(path, line_number, fmt::format("expected codes of version 0.1 or 0.2, found '{}'", strip(header)));
}

bool stripped(char c) { return c == ' ' || c == '\r' || c == '\n'; }

Merge parse_merge(const std::string& path, int64_t line_number, std::string_view line) {
  size_t begin = 0;
  size_t end = line.size();
  while (begin < end && stripped(line[begin])) ++begin;
  while (end > begin && stripped(line[end - 1])) --end;
  const std::string_view fields = line.substr(begin, end - begin);
  const size_t space = fields.find(' ');
  if (space == std::string_view::npos || fields.find(' ', space + 1) != std::string_view::npos) {
    throw InputError(path, line_number,
                     fmt::format("expected exactly two symbols with a space between them, found '{}'", fields));
  }
  return {.left = std::string(fields.substr(0, space)), .right = std::string(fields.substr(space + 1))};
}

void check_text(const std::string& path, std::string_view content, int64_t lines_before) {
  const auto offset = first_invalid_utf8(content);
  if (!offset) return;
  int64_t line = lines_before + 1;
  for (const char c : content.substr(0, *offset)) line += c == '\n' ? 1 : 0;
  throw InputError(path, line, "expected UTF-8 text");
}

}  // namespace

BpeCodes parse_codes(const std::string& path, std::string_view content, int64_t limit, int64_t lines_before) {
  BpeCodes codes;
  codes.bytes = content.substr(0, first_line(content, LineEnds::Bytes)).ends_with("byte\n");
  if (!codes.bytes) check_text(path, content, lines_before);
  int64_t line_number = lines_before + 1;
  if (content.starts_with(kVersionMark)) {
    const auto header = content.substr(0, first_line(content, codes.bytes ? LineEnds::Bytes : LineEnds::Unicode));
    if (!codes.bytes) codes.version = parse_version(path, line_number, header);
    content.remove_prefix(header.size());
    ++line_number;
  } else {
    codes.version = BpeCodes::Version::V01;
  }
  content = content.substr(0, content.find_last_not_of('\n') + 1);
  const size_t lines = static_cast<size_t>(std::ranges::count(content, '\n')) + 1;
  codes.merges.reserve(limit >= 0 ? std::min(lines, static_cast<size_t>(limit)) : lines);
  for (bool more = true; more; ++line_number) {
    if (limit >= 0 && static_cast<int64_t>(codes.merges.size()) >= limit) break;
    const size_t end = content.find('\n');
    codes.merges.push_back(parse_merge(path, line_number, content.substr(0, end)));
    more = end != std::string_view::npos;
    content.remove_prefix(more ? end + 1 : content.size());
  }
  return codes;
}

BpeCodes read_codes(const std::string& path, int64_t limit) { return parse_codes(path, read_file(path), limit); }

std::string format_codes(const BpeCodes& codes) {
  std::string content;
  if (codes.bytes)
    content = fmt::format("{} 0.2 byte\n", kVersionMark);
  else if (codes.version == BpeCodes::Version::V02)
    content = fmt::format("{} 0.2\n", kVersionMark);
  for (const Merge& merge : codes.merges) {
    content += merge.left;
    content += ' ';
    content += merge.right;
    content += '\n';
  }
  return content;
}

}  // namespace heed::text
