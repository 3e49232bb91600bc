#include "heed/text/vocabulary.h"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"

namespace heed::text {
namespace {

constexpr std::string_view kVersionLine = "#version: 1";

/// Iterates over the lines of a vocabulary file. Only LF ends a line: an entry may be any other character.
class FileLines {
 public:
  FileLines(const std::string& path, std::string_view content, int64_t lines_before)
      : path_(path), rest_(content), number_(lines_before) {}

  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++number_;
    return true;
  }
  [[noreturn]] void fail(const std::string& message) const { throw InputError(path_, number_, message); }

 private:
  const std::string& path_;
  std::string_view rest_;
  int64_t number_;
};

void read_special_names(FileLines& lines, std::string_view first) {
  std::string_view line = first;
  for (size_t i = 0; i < kSpecialNames.size(); ++i) {
    if (i > 0 && !lines.next(line)) line = {};
    if (line != kSpecialNames[i]) {
      lines.fail(fmt::format("a vocabulary starts with {}, found '{}'", fmt::join(kSpecialNames, ", "), line));
    }
  }
}

}  // namespace

bool is_special(std::string_view name) { return std::ranges::find(kSpecialNames, name) != kSpecialNames.end(); }

Vocabulary::Vocabulary(std::vector<std::string> entries) : entries_(kSpecialNames.begin(), kSpecialNames.end()) {
  check(entries.size() <= std::numeric_limits<int32_t>::max() - kSpecialNames.size(), "too many vocabulary entries");
  std::ranges::move(entries, std::back_inserter(entries_));
  ids_.reserve(entries_.size());
  for (size_t i = kSpecialNames.size(); i < entries_.size(); ++i) {
    check(!entries_[i].empty() && !is_special(entries_[i]), "a vocabulary entry is empty or special");
    check(ids_.emplace(entries_[i], static_cast<int32_t>(i)).second, "a vocabulary entry is repeated");
  }
}

int32_t Vocabulary::id(std::string_view entry) const {
  const auto found = ids_.find(entry);
  return found == ids_.end() ? kUnk : found->second;
}

const std::string& Vocabulary::entry(int32_t id) const {
  check(id >= 0 && id < size(), "no such vocabulary id");
  return entries_[static_cast<size_t>(id)];
}

std::string Vocabulary::serialized(const std::vector<std::pair<std::string, std::string>>& properties) const {
  std::string content = fmt::format("{}\n", kVersionLine);
  for (const auto& [name, value] : properties) content += fmt::format("#{}: {}\n", name, value);
  for (const std::string& entry : entries_) {
    content += entry;
    content += '\n';
  }
  return content;
}

VocabularyFile parse_vocabulary(const std::string& path, std::string_view content, int64_t lines_before) {
  FileLines lines(path, content, lines_before);
  VocabularyFile file;
  std::string_view line;
  if (!lines.next(line) || line != kVersionLine) {
    lines.fail(fmt::format("a vocabulary's first line is '{}', found '{}'", kVersionLine, line));
  }
  line = {};
  while (lines.next(line) && line.starts_with('#')) {
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos) lines.fail(fmt::format("expected '#name: value', found '{}'", line));
    file.properties.emplace(line.substr(1, colon - 1), line.substr(colon + 2));
  }
  read_special_names(lines, line);
  std::unordered_set<std::string_view> seen;
  while (lines.next(line)) {
    if (first_invalid_utf8(line)) lines.fail("expected UTF-8 text");
    if (line.empty() || is_special(line)) lines.fail(fmt::format("'{}' cannot be a vocabulary entry", line));
    if (!seen.insert(line).second) lines.fail(fmt::format("the entry '{}' is repeated", line));
    file.entries.emplace_back(line);
  }
  return file;
}

void EntryCounter::add(std::string_view entry, int64_t count) {
  if (is_special(entry)) return;
  const auto found = counts_.find(entry);
  if (found != counts_.end())
    found->second += count;
  else
    counts_.emplace(entry, count);
}

std::vector<std::string> EntryCounter::most_frequent(size_t limit, int64_t minimum_count) const {
  std::vector<std::pair<int64_t, std::string_view>> kept;
  for (const auto& [entry, count] : counts_) {
    if (count >= minimum_count) kept.emplace_back(-count, entry);
  }
  std::ranges::sort(kept);
  kept.resize(std::min(limit, kept.size()));
  std::vector<std::string> entries;
  entries.reserve(kept.size());
  for (const auto& [count, entry] : kept) entries.emplace_back(entry);
  return entries;
}

}  // namespace heed::text
