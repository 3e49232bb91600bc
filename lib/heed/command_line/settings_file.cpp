#include "heed/command_line/settings_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "heed/command_line/former_names.h"
#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/regular_file.h"

namespace heed::config {
namespace {

constexpr std::string_view kThreeQuotes[] = {R"(""")", "'''"};

/// The end of the string that starts at `begin`. A string without three quotes that is not closed ends with its line.
size_t end_of_string(std::string_view toml, size_t begin) {
  for (const std::string_view quotes : kThreeQuotes) {
    if (!toml.substr(begin).starts_with(quotes)) continue;
    const size_t end = toml.find(quotes, begin + quotes.size());
    return end == std::string_view::npos ? toml.size() : end + quotes.size();
  }
  const char quote = toml[begin];
  for (size_t i = begin + 1; i < toml.size() && toml[i] != '\n'; ++i) {
    if (toml[i] == quote) return i + 1;
    if (toml[i] == '\\' && quote == '"') ++i;
  }
  return std::min(toml.find('\n', begin), toml.size());
}

bool continues_key(char c) {
  return c == ' ' || c == '\t' || c == '-' || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

/// The first line, from 1, with a dotted key (`a.b.c`, `[a.b.c]`) of more than `most` parts. Dots in strings and
/// comments do not count. If the document is not TOML, the result may be wrong.
std::optional<int64_t> line_of_deep_key(std::string_view toml, int64_t most) {
  int64_t line = 1, parts = 1;
  for (size_t i = 0; i < toml.size();) {
    const char c = toml[i];
    size_t next = i + 1;
    if (c == '"' || c == '\'') next = end_of_string(toml, i);
    if (c == '#') next = std::min(toml.find('\n', i), toml.size());
    if (c == '.') {
      if (++parts > most) return line;
    } else if (c != '"' && c != '\'' && !continues_key(c)) {
      parts = 1;
    }
    line += std::ranges::count(toml.substr(i, next - i), '\n');
    i = next;
  }
  return std::nullopt;
}

// toml++ nests one table per part of a key, and destroys them recursively.
constexpr int64_t kMostKeyParts = 16;

std::string place_of(const std::string& file, const toml::source_region& region) {
  return fmt::format("{}:{}", file, region.begin.line);
}

std::string text_of(const toml::node& node, const Setting& setting) {
  if (const auto* value = node.as_string()) return value->get();
  if (const auto* value = node.as_integer()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_floating_point()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
  throw ConfigError(setting.shown() + " must be a text, a number, true, false or a list of these");
}

void collect(const toml::table& table, const std::string& prefix, const std::string& file,
             std::vector<Setting>& settings) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const auto* section = node.as_table()) {
      collect(*section, name + '.', file, settings);
      continue;
    }
    Setting setting{.name = std::string(present_name(name)), .place = place_of(file, key.source())};
    if (setting.name != name) setting.former = name;
    if (const auto* list = node.as_array()) {
      for (const toml::node& element : *list) setting.values.push_back(text_of(element, setting));
    } else {
      setting.values.push_back(text_of(node, setting));
    }
    settings.push_back(std::move(setting));
  }
}

/// The text as a TOML basic string.
std::string toml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// The sections that have options, in the order of description: the top level first, and each section before its
/// subsections.
std::vector<std::string> sections_of(const std::vector<OptionValue>& options) {
  std::vector<std::string> order{""};
  const auto add = [&](const std::string& section) {
    if (std::find(order.begin(), order.end(), section) == order.end()) order.push_back(section);
  };
  for (const OptionValue& option : options) {
    for (size_t dot = option.section.find('.'); dot != std::string::npos; dot = option.section.find('.', dot + 1)) {
      add(option.section.substr(0, dot));
    }
    add(option.section);
  }
  std::erase_if(order, [&](const std::string& section) {
    return std::none_of(options.begin(), options.end(), [&](const auto& option) { return option.section == section; });
  });
  return order;
}

std::string value_text(const OptionValue& option) {
  if (option.kind == ValueKind::List && option.has_value) {
    std::string list = "[";
    for (const std::string& text : option.values) list += (list.size() > 1 ? ", " : "") + toml_text(text);
    return list + ']';
  }
  const bool bare = option.kind != ValueKind::Text && option.has_value;
  return bare ? option.values.front() : toml_text(option.values.front());
}

}  // namespace

std::vector<Setting> parse_settings(std::string_view toml, const std::string& name) {
  if (const auto line = line_of_deep_key(toml, kMostKeyParts)) {
    throw ConfigError(
        fmt::format("{}:{}: has a key of more than {} parts, which no option has", name, *line, kMostKeyParts));
  }
  std::vector<Setting> settings;
  try {
    collect(toml::parse(toml), "", name, settings);
  } catch (const toml::parse_error& error) {
    throw ConfigError(fmt::format("{}: is not TOML: {}", place_of(name, error.source()), error.description()));
  }
  std::sort(settings.begin(), settings.end(), [](const Setting& a, const Setting& b) { return a.name < b.name; });
  return settings;
}

std::vector<Setting> read_settings(const std::string& path) { return parse_settings(read_file(path), path); }

std::vector<Setting> read_model_settings(const std::string& path) {
  return parse_settings(read_regular_file(path), path);
}

std::string format_settings(const VisitOptions& walk) {
  const std::vector<OptionValue> options = option_values(walk);
  std::string toml;
  for (const std::string& section : sections_of(options)) {
    if (!section.empty()) toml += fmt::format("{}[{}]\n", toml.empty() ? "" : "\n", section);
    for (const OptionValue& option : options) {
      if (option.section != section) continue;
      const std::string key = section.empty() ? option.name : option.name.substr(section.size() + 1);
      toml += fmt::format("{} = {}\n", key, value_text(option));
    }
  }
  return toml;
}

}  // namespace heed::config
