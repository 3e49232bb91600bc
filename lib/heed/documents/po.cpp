#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/documents/po_entries.h"
#include "heed/documents/readers.h"
#include "heed/documents/segment_builder.h"

namespace heed::documents {
namespace {

class PoReader {
 public:
  explicit PoReader(std::string source) : document_(std::make_unique<TextDocument>(std::move(source))) {}

  std::unique_ptr<Document> read(const std::string& name) {
    read_po_entries(document_->source(), name, [this](const PoEntry& entry) {
      const bool is_translated = std::ranges::any_of(
          entry.translations, [](const auto& translation) { return !translation.second.text.empty(); });
      if (!entry.id->text.empty() && !is_translated) translate_entry(entry);
    });
    document_->sort_slots();
    return std::move(document_);
  }

 private:
  void translate_entry(const PoEntry& entry) {
    bool has_segment = false;
    for (const auto& [keyword, translation] : entry.translations) {
      const bool is_plural = entry.plural && keyword != "msgstr" && keyword != "msgstr[0]";
      Slot slot{.range = translation.quoted, .parts = {}, .layout = {.kind = Layout::Kind::PoString}};
      has_segment |= add_lines(is_plural ? entry.plural->text : entry.id->text, slot);
      document_->add_slot(std::move(slot));
    }
    if (has_segment) mark_fuzzy(entry);
  }

  /// One segment for each line; what is around their text stays as it is.
  bool add_lines(const std::string& text, Slot& slot) {
    bool has_segment = false;
    const auto add_literal = [&](std::string_view literal) {
      SlotPart part;
      append_po_escaped(part.literal, literal);
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

  /// The text of a line. Tags and control characters, such as those that set colors, are marks.
  static std::optional<Segment> segment_of(const std::string& text, Range line) {
    static const text::ProtectedText tags({text::ProtectedKind::Tag},
                                          {R"(\x1B\[[0-9;]*[A-Za-z]|[\x00-\x08\x0B\x0C\x0E-\x1F\x7F])"});
    SegmentBuilder builder(text, Escape::PoString, as_written);
    size_t at = line.begin;
    for (const auto& match : tags.find(std::string_view(text).substr(line.begin, line.size()))) {
      const Range tag{line.begin + match.begin, line.begin + match.end};
      if (tag.begin > at) builder.text({at, tag.begin});
      at = tag.end;
      if (text[tag.begin] != '<' || text[tag.end - 2] == '/') {
        builder.point(tag);
        continue;
      }
      const bool ends = text[tag.begin + 1] == '/';
      const size_t name = tag.begin + (ends ? 2 : 1);
      const std::string_view rest = std::string_view(text).substr(name, tag.end - name);
      const std::string_view name_text = rest.substr(0, rest.find_first_of(" />\t"));
      ends ? builder.close(tag, name_text) : builder.open(tag, name_text);
    }
    if (at < line.end) builder.text({at, line.end});
    auto segment = builder.take();
    if (segment) segment->markup = text;
    return segment;
  }

  void mark_fuzzy(const PoEntry& entry) {
    if (entry.flags) {
      if (document_->at(*entry.flags).find("fuzzy") != std::string_view::npos) return;
      document_->add_slot({.range = Range{entry.flags->begin + 2, entry.flags->begin + 2}, .parts = {{" fuzzy,"}}});
    } else {
      document_->add_slot({.range = Range{entry.begin, entry.begin}, .parts = {{"#, fuzzy\n"}}});
    }
  }

  std::unique_ptr<TextDocument> document_;
};

}  // namespace

std::unique_ptr<Document> read_po(std::string source, const std::string& name) {
  return PoReader(std::move(source)).read(name);
}

}  // namespace heed::documents
