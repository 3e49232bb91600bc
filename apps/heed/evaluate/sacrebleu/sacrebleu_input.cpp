#include "evaluate/sacrebleu/sacrebleu_input.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/text/python_notation.h"
#include "heed/core/text/unicode.h"

namespace heed::apps {
namespace {

/// Python's text.split(separator, most_splits); a negative number means no limit.
std::vector<std::string> split(std::string_view text, char separator, int64_t most_splits = -1) {
  std::vector<std::string> parts;
  size_t end = 0;
  while (most_splits-- != 0 && (end = text.find(separator)) != std::string_view::npos) {
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.emplace_back(text);
  return parts;
}

/// Reads lines with Python's universal newlines, so CR without LF also ends a line. Empty input has one empty line.
std::vector<std::string> read_standard_input(const std::string& encoding) {
  LineReader reader("-", InvalidText::Fail, "", encoding);
  reader.keep_byte_order_mark();  // as sacreBLEU does
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) {
    for (const std::string& part : split(line, '\r')) lines.emplace_back(strip_right(part));
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

/// The lines of a file without trailing white space.
std::vector<std::string> read_stripped_lines(const std::string& path, const std::string& encoding) {
  LineReader reader(path, InvalidText::Fail, "", encoding);
  reader.keep_byte_order_mark();
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.emplace_back(strip_right(line));
  return lines;
}

std::vector<System> systems_of_standard_input(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  std::vector<System> systems;
  for (const std::string& line : read_standard_input(arguments.encoding)) {
    const std::vector<std::string> fields = split(line, '\t');
    if (systems.empty()) systems.resize(fields.size());
    if (fields.size() != systems.size()) {
      messages.fail("FATAL: the number of tab-delimited fields in the input stream differ across lines.", 17);
    }
    const bool first_line = systems[0].lines.empty();  // fields of the first line keep their trailing white space
    for (size_t i = 0; i < fields.size(); ++i) {
      systems[i].lines.emplace_back(first_line ? fields[i] : strip_right(fields[i]));
    }
  }
  for (size_t i = 0; i < systems.size(); ++i) {
    const bool baseline = arguments.paired() && i == 0;
    systems[i].name = baseline ? "Baseline" : fmt::format("System {}", arguments.paired() ? i : i + 1);
  }
  return systems;
}

std::vector<System> systems_of_files(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  std::vector<System> systems;
  for (const std::string& path : *arguments.systems) {
    const bool known = std::ranges::any_of(systems, [&path](const System& system) { return system.name == path; });
    if (known && arguments.paired() && path == systems[0].name) {
      messages.information(fmt::format("Ignoring {} as it was also given as the baseline.", python_repr(path)));
      continue;
    }
    if (known) {
      messages.warning(python_repr(path) + " already used to name a system.");
      messages.fail("Make sure to have a different basename for each system.");
    }
    systems.push_back({path, read_stripped_lines(path, arguments.encoding)});
  }
  if (arguments.paired()) {
    if (systems.empty()) messages.fail("No system is given behind -i.");
    systems[0].name = "Baseline: " + systems[0].name;
  }
  return systems;
}

}  // namespace

std::vector<std::vector<std::string>> read_sacrebleu_references(const SacreBleuArguments& arguments,
                                                                const SacreBleuMessages& messages) {
  const int64_t fields = arguments.tab_references;
  const auto count = std::max(static_cast<int64_t>(arguments.references.size()), fields);
  std::vector<std::vector<std::string>> references(static_cast<size_t>(count));
  for (size_t r = 0; r < arguments.references.size(); ++r) {
    std::vector<std::string> lines = read_stripped_lines(arguments.references[r], arguments.encoding);
    if (fields == 1) {
      references[r] = std::move(lines);
      continue;
    }
    for (size_t i = 0; i < lines.size(); ++i) {
      const std::vector<std::string> parts = split(lines[i], '\t', fields - 1);
      if (static_cast<int64_t>(parts.size()) != fields) {
        messages.fail(fmt::format("FATAL: line {}: expected {} fields, but found {}.", i + 1, fields, parts.size()),
                      17);
      }
      for (size_t k = 0; k < parts.size(); ++k) references[k].push_back(parts[k]);
    }
  }
  return references;
}

std::vector<System> read_sacrebleu_systems(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  return arguments.systems ? systems_of_files(arguments, messages) : systems_of_standard_input(arguments, messages);
}

}  // namespace heed::apps
