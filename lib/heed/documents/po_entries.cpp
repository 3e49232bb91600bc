#include "heed/documents/po_entries.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"

namespace heed::documents {
namespace {

/// The characters that have an escape of one letter.
constexpr auto kEscapes = std::to_array<std::pair<char, char>>({{'n', '\n'},
                                                                {'t', '\t'},
                                                                {'r', '\r'},
                                                                {'"', '"'},
                                                                {'\\', '\\'},
                                                                {'a', '\a'},
                                                                {'b', '\b'},
                                                                {'f', '\f'},
                                                                {'v', '\v'}});

/// The value of a digit; 99 for another character.
int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

/// Reads at most `most` digits of a number, whose last eight bits are a character.
char read_character(std::string_view source, size_t& at, int base, size_t most) {
  unsigned value = 0;
  for (size_t count = 0; count < most && at < source.size() && digit_value(source[at]) < base; ++count) {
    value = value * static_cast<unsigned>(base) + static_cast<unsigned>(digit_value(source[at++]));
  }
  return static_cast<char>(static_cast<unsigned char>(value));
}

/// Reads the escape whose backslash is at `at`, and moves to what follows. An unknown one stays as it is.
void read_escape(std::string_view source, size_t& at, std::string& text) {
  const char c = source[at + 1];
  at += 2;
  const auto known = std::ranges::find(kEscapes, c, &std::pair<char, char>::first);
  if (known != kEscapes.end()) {
    text += known->second;
  } else if (digit_value(c) < 8) {
    text += read_character(source, --at, 8, 3);
  } else if (c == 'x' && at < source.size() && digit_value(source[at]) < 16) {
    text += read_character(source, at, 16, 2);
  } else {
    text += '\\';
    text += c;
  }
}

class EntryReader {
 public:
  EntryReader(std::string_view source, const std::string& name, const std::function<void(const PoEntry&)>& use)
      : source_(source), name_(name), use_(use) {}

  void read() {
    size_t at = source_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    while (at < source_.size()) {
      ++line_;
      const size_t feed = std::min(source_.find('\n', at), source_.size());
      read_line({at, feed});
      at = feed + 1;
    }
    end_entry();
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw InputError(name_, line_, message); }
  std::string_view at(Range range) const { return source_.substr(range.begin, range.size()); }

  void read_line(Range range) {
    const std::string_view raw = at(range), line = strip(raw);
    if (line.empty()) return;
    const size_t begin = range.begin + static_cast<size_t>(line.data() - raw.data());
    if (line[0] == '#') {
      if (entry_.id) end_entry();
      if (line.starts_with("#~")) entry_.flags.reset();
      if (line.starts_with("#,")) entry_.flags = Range{begin, begin + line.size()};
      return;
    }
    if (line[0] == '"') {
      if (string_ == nullptr) fail("expected msgid, msgstr or a comment, found a string");
      return read_string(range, *string_);
    }
    const size_t end = line.find_first_of(" \t\"");
    const std::string keyword(line.substr(0, end));
    if (end == line.npos) fail("expected a keyword and a string, found `" + std::string(line.substr(0, 40)) + "`");
    if (keyword == "domain") return;
    begin_string(keyword, begin);
    read_string({begin + end, range.end}, *string_);
  }

  void begin_string(const std::string& keyword, size_t begin) {
    const bool is_first = keyword == "msgctxt" || (keyword == "msgid" && !(entry_.context && !entry_.id));
    if (is_first && (entry_.id || entry_.context)) end_entry();
    if (is_first) {
      entry_.begin = begin;
      entry_.line = line_;
    }
    if (keyword == "msgctxt") {
      string_ = &entry_.context.emplace();
    } else if (keyword == "msgid") {
      string_ = &entry_.id.emplace();
    } else if (keyword == "msgid_plural" && entry_.id) {
      string_ = &entry_.plural.emplace();
    } else if (keyword.starts_with("msgstr") && entry_.id) {
      if (entry_.translations.contains(keyword)) fail("the message has a second `" + keyword + "`");
      string_ = &entry_.translations[keyword];
    } else {
      fail("expected msgid, msgstr or a comment, found `" + keyword + "`");
    }
  }

  /// Appends the string in quotes that is in the range.
  void read_string(Range range, PoString& string) const {
    const std::string_view line = source_.substr(0, range.end);
    size_t place = line.find('"', range.begin);
    if (place == line.npos || !strip(at({range.begin, place})).empty()) fail("expected a string in quotes");
    if (string.quoted.size() == 0) string.quoted.begin = place;
    for (++place; place < line.size() && line[place] != '"';) {
      if (line[place] == '\\' && place + 1 < line.size()) {
        read_escape(line, place, string.text);
      } else {
        string.text += line[place++];
      }
    }
    if (place >= line.size()) fail("the string has no closing quote");
    if (!strip(at({place + 1, range.end})).empty()) fail("expected nothing after the string in quotes");
    if (first_invalid_utf8(string.text)) fail("the string has escapes of bytes that are not UTF-8");
    string.quoted.end = place + 1;
  }

  void end_entry() {
    if (entry_.id || entry_.context) {
      if (!entry_.id) fail("the message has no msgid");
      if (entry_.translations.empty()) fail("the message before has no msgstr");
      use_(entry_);
    }
    entry_ = {};
    string_ = nullptr;
  }

  std::string_view source_;
  const std::string& name_;
  const std::function<void(const PoEntry&)>& use_;
  int64_t line_ = 0;
  PoEntry entry_;
  PoString* string_ = nullptr;  // the string that further lines continue
};

}  // namespace

void read_po_entries(std::string_view source, const std::string& name, const std::function<void(const PoEntry&)>& use) {
  EntryReader(source, name, use).read();
}

void append_po_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    const auto known = std::ranges::find(kEscapes, c, &std::pair<char, char>::second);
    if (known != kEscapes.end()) {
      out += '\\';
      out += known->first;
    } else if ((c >= 0 && c < ' ') || c == '\x7f') {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
}

}  // namespace heed::documents
