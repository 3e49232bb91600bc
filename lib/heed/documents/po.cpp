#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/documents/readers.h"
#include "heed/documents/segment_builder.h"

namespace heed::documents {
namespace {

/// A keyword and its string: msgid "...", which may have further lines.
struct PoString {
  std::string text = {};  ///< without escapes
  Range quoted = {};      ///< from its first quote to its last
};

/// The blank-line separated unit of a PO file.
struct PoEntry {
  std::optional<PoString> context = {}, id = {}, plural = {};
  std::map<std::string, PoString> translations = {};  ///< by keyword: msgstr, msgstr[0], ...
  std::optional<Range> flags = {};                    ///< the line `#, c-format`
  size_t begin = 0;                                   ///< of the first keyword
};

class PoReader {
 public:
  PoReader(std::string source, std::string name)
      : document_(std::make_unique<TextDocument>(std::move(source))), name_(std::move(name)) {}

  std::unique_ptr<Document> read() {
    const std::string& source = document_->source();
    size_t at = source.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    while (at < source.size()) {
      ++line_;
      const size_t feed = std::min(source.find('\n', at), source.size());
      read_line({at, feed});
      at = feed + 1;
    }
    end_entry();
    document_->sort_slots();
    return std::move(document_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw InputError(name_, line_, message); }

  void read_line(Range range) {
    const std::string_view raw = document_->at(range), line = strip(raw);
    if (line.empty()) return;
    if (line[0] == '#') {
      if (entry_.id) end_entry();
      const size_t begin = range.begin + static_cast<size_t>(line.data() - raw.data());
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
    begin_string(keyword, range.begin + static_cast<size_t>(line.data() - raw.data()));
    read_string({range.begin + static_cast<size_t>(line.data() - raw.data()) + end, range.end}, *string_);
  }

  void begin_string(const std::string& keyword, size_t begin) {
    const bool is_first = keyword == "msgctxt" || (keyword == "msgid" && !(entry_.context && !entry_.id));
    if (is_first && (entry_.id || entry_.context)) end_entry();
    if (is_first) entry_.begin = begin;
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
    const std::string& source = document_->source();
    size_t at = source.find('"', range.begin);
    const auto is_missing = [&](size_t place) { return place == std::string::npos || place >= range.end; };
    if (is_missing(at) || !strip(document_->at({range.begin, at})).empty()) fail("expected a string in quotes");
    if (string.quoted.size() == 0) string.quoted.begin = at;
    for (++at; at < range.end && source[at] != '"'; ++at) {
      if (source[at] != '\\' || at + 1 >= range.end) {
        string.text += source[at];
        continue;
      }
      switch (source[++at]) {
        case 'n':
          string.text += '\n';
          break;
        case 't':
          string.text += '\t';
          break;
        case 'r':
          string.text += '\r';
          break;
        case '"':
          string.text += '"';
          break;
        case '\\':
          string.text += '\\';
          break;
        default:
          string.text += '\\';
          string.text += source[at];
      }
    }
    if (at >= range.end) fail("the string has no closing quote");
    if (!strip(document_->at({at + 1, range.end})).empty()) fail("expected nothing after the string in quotes");
    string.quoted.end = at + 1;
  }

  void end_entry() {
    if (entry_.id || entry_.context) {
      if (!entry_.id) fail("the message has no msgid");
      if (entry_.translations.empty()) fail("the message before has no msgstr");
      const bool is_header = entry_.id->text.empty();
      bool is_translated = false;
      for (const auto& [keyword, translation] : entry_.translations) is_translated |= !translation.text.empty();
      if (!is_header && !is_translated) translate_entry();
    }
    entry_ = {};
    string_ = nullptr;
  }

  void translate_entry() {
    bool has_segment = false;
    for (const auto& [keyword, translation] : entry_.translations) {
      const bool is_plural = entry_.plural && keyword != "msgstr" && keyword != "msgstr[0]";
      Slot slot{.range = translation.quoted, .parts = {}, .layout = {.kind = Layout::Kind::PoString}};
      has_segment |= add_lines(is_plural ? entry_.plural->text : entry_.id->text, slot);
      document_->add_slot(std::move(slot));
    }
    if (has_segment) mark_fuzzy();
  }

  /// One segment for each line; what is around their text stays as it is.
  bool add_lines(const std::string& text, Slot& slot) {
    bool has_segment = false;
    const auto add_literal = [&](std::string_view literal) {
      SlotPart part;
      append_po(part.literal, literal);
      slot.parts.push_back(std::move(part));
    };
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      const auto part = [&](size_t from, size_t to) { return std::string_view(text).substr(from, to - from); };
      if (auto segment = segment_of(text, {begin, end})) {
        const Range words = segment->original;
        segment->original = {};
        add_literal(part(begin, words.begin));
        slot.parts.push_back({.segment = document_->add_segment(std::move(*segment))});
        add_literal(part(words.end, end));
        has_segment = true;
      } else {
        add_literal(part(begin, end));
      }
      if (end < text.size()) add_literal("\n");
      begin = end + 1;
    }
    return has_segment;
  }

  /// The text of a line; tags in it are marks.
  static std::optional<Segment> segment_of(const std::string& text, Range line) {
    static const text::ProtectedText tags({text::ProtectedKind::Tag});
    SegmentBuilder builder(text, Escape::PoString, as_written);
    size_t at = line.begin;
    for (const auto& match : tags.find(std::string_view(text).substr(line.begin, line.size()))) {
      const Range tag{line.begin + match.begin, line.begin + match.end};
      if (tag.begin > at) builder.text({at, tag.begin});
      at = tag.end;
      const bool ends = text[tag.begin + 1] == '/';
      const size_t name = tag.begin + (ends ? 2 : 1);
      const std::string_view rest = std::string_view(text).substr(name, tag.end - name);
      const std::string_view name_text = rest.substr(0, rest.find_first_of(" />\t"));
      if (text[tag.end - 2] == '/') {
        builder.point(tag);
      } else {
        ends ? builder.close(tag, name_text) : builder.open(tag, name_text);
      }
    }
    if (at < line.end) builder.text({at, line.end});
    auto segment = builder.take();
    if (segment) segment->markup = text;
    return segment;
  }

  static void append_po(std::string& out, std::string_view text) {
    for (const char c : text) {
      switch (c) {
        case '\n':
          out += "\\n";
          break;
        case '\t':
          out += "\\t";
          break;
        case '\r':
          out += "\\r";
          break;
        case '"':
          out += "\\\"";
          break;
        case '\\':
          out += "\\\\";
          break;
        default:
          out += c;
      }
    }
  }

  void mark_fuzzy() {
    if (entry_.flags) {
      if (document_->at(*entry_.flags).find("fuzzy") != std::string_view::npos) return;
      document_->add_slot({.range = Range{entry_.flags->begin + 2, entry_.flags->begin + 2}, .parts = {{" fuzzy,"}}});
    } else {
      document_->add_slot({.range = Range{entry_.begin, entry_.begin}, .parts = {{"#, fuzzy\n"}}});
    }
  }

  std::unique_ptr<TextDocument> document_;
  std::string name_;
  int64_t line_ = 0;
  PoEntry entry_;
  PoString* string_ = nullptr;  // the string that further lines continue
};

}  // namespace

std::unique_ptr<Document> read_po(std::string source, const std::string& name) {
  return PoReader(std::move(source), name).read();
}

}  // namespace heed::documents
