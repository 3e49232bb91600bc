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
constexpr std::string_view kFormattedHeader = "#version: 0.2\n";

BpeCodes::Version parse_version(const std::string& path, int64_t line_number, std::string_view header) {
  std::string_view number = split_whitespace(header).back();
  while (number.ends_with(".0")) number.remove_suffix(2);
  if (number == "0.1") return BpeCodes::Version::V01;
  if (number == "0.2") return BpeCodes::Version::V02;
  throw InputError(path, line_number, fmt::format("expected codes of version 0.1 or 0.2, found '{}'", strip(header)));
}

std::string_view without_ends(std::string_view line) {
  constexpr std::string_view kStripped = " \r\n";
  const size_t begin = std::min(line.find_first_not_of(kStripped), line.size());
  return line.substr(begin, line.find_last_not_of(kStripped) + 1 - begin);
}

Merge parse_merge(const std::string& path, int64_t line_number, std::string_view fields) {
  const size_t space = fields.find(' ');
  const bool two = space != std::string_view::npos && space > 0 && space + 1 < fields.size();
  if (!two || fields.find(' ', space + 1) != std::string_view::npos) {
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

BpeCodes parse_codes(const std::string& path, std::string_view content, int64_t limit) {
  BpeCodes codes;
  codes.bytes = content.substr(0, first_line(content, LineEnds::Bytes)).ends_with("byte\n");
  if (!codes.bytes) check_text(path, content, 0);
  int64_t line_number = 1;
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
    codes.merges.push_back(parse_merge(path, line_number, without_ends(content.substr(0, end))));
    more = end != std::string_view::npos;
    content.remove_prefix(more ? end + 1 : content.size());
  }
  return codes;
}

BpeCodes parse_formatted_codes(const std::string& path, std::string_view content, int64_t lines_before) {
  check_text(path, content, lines_before);
  BpeCodes codes;
  codes.version = BpeCodes::Version::V01;
  int64_t line_number = lines_before + 1;
  if (content.starts_with(kFormattedHeader)) {
    codes.version = BpeCodes::Version::V02;
    content.remove_prefix(kFormattedHeader.size());
    ++line_number;
  }
  for (; !content.empty(); ++line_number) {
    const size_t end = std::min(content.find('\n'), content.size());
    codes.merges.push_back(parse_merge(path, line_number, content.substr(0, end)));
    content.remove_prefix(std::min(end + 1, content.size()));
  }
  return codes;
}

BpeCodes read_codes(const std::string& path, int64_t limit) { return parse_codes(path, read_file(path), limit); }

std::string format_codes(const BpeCodes& codes) {
  std::string content;
  if (codes.bytes)
    content = fmt::format("{} 0.2 byte\n", kVersionMark);
  else if (codes.version == BpeCodes::Version::V02)
    content = kFormattedHeader;
  for (const Merge& merge : codes.merges) {
    content += merge.left;
    content += ' ';
    content += merge.right;
    content += '\n';
  }
  return content;
}

}  // namespace heed::text
