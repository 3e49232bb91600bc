#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <md4c.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/documents/readers.h"
#include "heed/documents/segment_builder.h"

namespace heed::documents {
namespace {

/// What md4c reports. It gives the place of text only: that of markup follows from the text around it.
struct MarkdownEvent {
  enum class Kind { Text, Html, Code, SoftBreak, End, Open, Close } kind = Kind::Text;
  Range range = {};               // Text, Html, Code
  MD_SPANTYPE span = MD_SPAN_EM;  // Open, Close
  bool in_table = false;
};

bool is_word_space(char c) { return c == ' ' || c == '\t'; }

/// Collects the events of the blocks that have text.
struct MarkdownParser {
  const std::string* source;
  std::vector<MarkdownEvent> events;
  int verbatim_blocks = 0;  // code and HTML blocks that are open
  int cells = 0;            // table cells that are open

  static MarkdownParser& of(void* data) { return *static_cast<MarkdownParser*>(data); }
  void add(MarkdownEvent::Kind kind, MD_SPANTYPE span = MD_SPAN_EM) {
    events.push_back({.kind = kind, .span = span, .in_table = cells > 0});
  }

  static bool is_verbatim(MD_BLOCKTYPE type) { return type == MD_BLOCK_CODE || type == MD_BLOCK_HTML; }
  static bool is_cell(MD_BLOCKTYPE type) { return type == MD_BLOCK_TD || type == MD_BLOCK_TH; }
  static int enter_block(MD_BLOCKTYPE type, void*, void* data) {
    of(data).add(MarkdownEvent::Kind::End);
    of(data).verbatim_blocks += is_verbatim(type) ? 1 : 0;
    of(data).cells += is_cell(type) ? 1 : 0;
    return 0;
  }
  static int leave_block(MD_BLOCKTYPE type, void*, void* data) {
    of(data).add(MarkdownEvent::Kind::End);
    of(data).verbatim_blocks -= is_verbatim(type) ? 1 : 0;
    of(data).cells -= is_cell(type) ? 1 : 0;
    return 0;
  }
  static int enter_span(MD_SPANTYPE type, void*, void* data) {
    of(data).add(MarkdownEvent::Kind::Open, type);
    return 0;
  }
  static int leave_span(MD_SPANTYPE type, void*, void* data) {
    of(data).add(MarkdownEvent::Kind::Close, type);
    return 0;
  }
  static int text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* data) {
    MarkdownParser& parser = of(data);
    if (parser.verbatim_blocks > 0) return 0;
    if (type == MD_TEXT_BR) {
      parser.add(MarkdownEvent::Kind::End);
    } else if (type == MD_TEXT_SOFTBR) {
      parser.add(MarkdownEvent::Kind::SoftBreak);
    } else {
      const std::string& source = *parser.source;
      const bool is_in_source =
          !std::less<>()(text, source.data()) && !std::less<>()(source.data() + source.size(), text);
      if (!is_in_source) return 0;  // such as the space for a line's end in code
      const auto begin = static_cast<size_t>(text - source.data());
      const auto kind = type == MD_TEXT_HTML   ? MarkdownEvent::Kind::Html
                        : type == MD_TEXT_CODE ? MarkdownEvent::Kind::Code
                                               : MarkdownEvent::Kind::Text;
      parser.events.push_back({.kind = kind, .range = {begin, begin + size}, .in_table = parser.cells > 0});
    }
    return 0;
  }
};

/// The end of the settings (YAML) between two lines `---` at the beginning; 0: there are none.
size_t end_of_settings(std::string_view source) {
  if (!source.starts_with("---\n") && !source.starts_with("---\r\n")) return 0;
  for (size_t at = source.find("\n---"); at != source.npos; at = source.find("\n---", at + 1)) {
    const size_t end = std::min(source.find('\n', at + 1), source.size());
    if (strip(source.substr(at + 4, end - at - 4)).empty()) return std::min(end + 1, source.size());
  }
  return 0;
}

DecodedText decoded_markdown(std::string_view raw) {
  constexpr std::string_view kSpecial = "\\`*_[]<|&#>-+.!:~=()";
  if (raw.find('\n') != raw.npos) return {.text = " "};  // with the marks of a quote or list after it
  if (raw.starts_with('&') && raw.ends_with(';')) return decode_references(raw, MarkupLanguage::Html);
  DecodedText decoded;
  const bool is_escaped = raw.size() > 1 && raw[0] == '\\' && std::ispunct(static_cast<unsigned char>(raw[1])) != 0;
  if (is_escaped) {
    decoded.spellings.emplace_back(raw[1], std::string(raw.substr(0, 2)));
    raw.remove_prefix(1);
  }
  decoded.text = raw;
  for (const char c : raw.substr(is_escaped ? 1 : 0)) {
    if (kSpecial.find(c) == kSpecial.npos) continue;
    decoded.spellings.emplace_back(static_cast<unsigned char>(c), std::string(1, c));
  }
  return decoded;
}

std::string_view name_of_span(MD_SPANTYPE span) {
  switch (span) {
    case MD_SPAN_EM:
      return "em";
    case MD_SPAN_STRONG:
      return "strong";
    case MD_SPAN_A:
      return "a";
    case MD_SPAN_IMG:
      return "img";
    case MD_SPAN_CODE:
      return "code";
    case MD_SPAN_DEL:
      return "del";
    default:
      return "span";
  }
}

class MarkdownReader {
 public:
  explicit MarkdownReader(std::string source)
      : document_(std::make_unique<TextDocument>(std::move(source))), source_(document_->source()) {}

  std::unique_ptr<Document> read(const std::string& name) {
    MarkdownParser parser{.source = &source_, .events = {}};
    MD_PARSER callbacks{};
    callbacks.flags = MD_DIALECT_GITHUB;
    callbacks.enter_block = MarkdownParser::enter_block;
    callbacks.leave_block = MarkdownParser::leave_block;
    callbacks.enter_span = MarkdownParser::enter_span;
    callbacks.leave_span = MarkdownParser::leave_span;
    callbacks.text = MarkdownParser::text;
    const size_t begin = end_of_settings(source_);
    if (md_parse(source_.data() + begin, static_cast<MD_SIZE>(source_.size() - begin), &callbacks, &parser) != 0) {
      throw InputError(name, 0, "the Markdown cannot be read");
    }
    size_t first = 0;
    for (size_t i = 0; i < parser.events.size(); ++i) {
      if (parser.events[i].kind != MarkdownEvent::Kind::End) continue;
      if (i > first)
        read_block({parser.events.begin() + static_cast<std::ptrdiff_t>(first),
                    parser.events.begin() + static_cast<std::ptrdiff_t>(i)});
      first = i + 1;
    }
    document_->sort_slots();
    return std::move(document_);
  }

 private:
  using Events = std::span<const MarkdownEvent>;

  /// Reads the events of a paragraph, a heading, a table cell or a line that ends in a hard break.
  void read_block(Events events) {
    const Escape escape = events[0].in_table ? Escape::MarkdownTable : Escape::Markdown;
    SegmentBuilder builder(source_, escape, decoded_markdown);
    std::vector<MarkdownEvent> between;  // since the last text
    std::optional<size_t> end;           // of the last text
    break_.reset();
    for (const MarkdownEvent& event : events) {
      if (event.range.size() == 0) {
        // Markup without text is what remains between the texts.
        const bool closes_empty = event.kind == MarkdownEvent::Kind::Close && !between.empty() &&
                                  between.back().kind == MarkdownEvent::Kind::Open;
        if (closes_empty) {
          between.pop_back();
        } else {
          between.push_back(event);
        }
        continue;
      }
      add_markup(builder, between, end, event);
      between.clear();
      end = event.range.end;
    }
    if (end) add_closing(builder, between, *end, source_.size());
    finish(builder, events);
  }

  void finish(SegmentBuilder& builder, Events events) {
    auto segment = builder.take();
    if (!segment) return;
    if (!break_) return document_->add(std::move(*segment));
    size_t begin = events.front().range.begin, width = 0;
    for (const MarkdownEvent& event : events) {
      if (event.range.size() == 0) continue;
      begin = source_.rfind('\n', event.range.begin);
      begin = begin == std::string::npos ? 0 : begin + 1;
      const size_t line_end = std::min(source_.find('\n', begin), source_.size());
      width = std::max(width, display_width(std::string_view(source_).substr(begin, line_end - begin)));
    }
    segment->breakable = true;
    document_->add(std::move(*segment), {.kind = Layout::Kind::Wrap, .width = width, .prefix = *break_});
  }

  /// Adds the markup between the last text and `next`, and `next`.
  void add_markup(SegmentBuilder& builder, const std::vector<MarkdownEvent>& between, std::optional<size_t> end,
                  const MarkdownEvent& next) {
    const Range text = next.range;
    std::vector<MarkdownEvent> opening;
    for (const MarkdownEvent& event : between) {
      if (event.kind == MarkdownEvent::Kind::Open) opening.push_back(event);
    }
    size_t at = end.value_or(0);
    if (end) at = add_closing(builder, between, *end, text.begin);
    // Backwards from the text.
    std::vector<std::pair<Range, MD_SPANTYPE>> opens;
    size_t begin = text.begin;
    for (auto event = opening.rbegin(); event != opening.rend(); ++event) {
      const size_t size = opening_size(event->span, begin, at);
      opens.emplace_back(Range{begin - size, begin}, event->span);
      begin -= size;
    }
    if (end && begin > at) begin = add_rest(builder, {at, begin}, next.kind, opens.empty());
    for (auto open = opens.rbegin(); open != opens.rend(); ++open) {
      const bool verbatim =
          open->second == MD_SPAN_CODE || (open->second == MD_SPAN_A && source_[open->first.begin] == '<');
      if (open->first.size() > 0) builder.open(open->first, name_of_span(open->second), verbatim);
    }
    if (next.kind == MarkdownEvent::Kind::Html) return add_html(builder, text);
    builder.text({opens.empty() && end ? begin : text.begin, text.end});
  }

  /// What is between two texts besides the markup of spans: line breaks, the backslash of an escape, images without
  /// text. Returns the beginning of the text that follows.
  size_t add_rest(SegmentBuilder& builder, Range rest, MarkdownEvent::Kind next, bool is_before_text) {
    const std::string_view raw = document_->at(rest);
    const size_t feed = raw.find('\n');
    if (strip(raw.substr(0, feed)).empty() || feed != raw.npos) {
      if (feed != raw.npos && !break_) break_ = std::string(raw.substr(feed + 1));
      builder.text(rest);
      return rest.end;
    }
    if (raw == "\\" && is_before_text && next == MarkdownEvent::Kind::Text) return rest.begin;
    builder.point(rest);
    return rest.end;
  }

  void add_html(SegmentBuilder& builder, Range tag) const {
    std::string_view name = document_->at(tag);
    const bool ends = name.starts_with("</"), is_point = name.ends_with("/>") || name.starts_with("<!");
    name.remove_prefix(std::min<size_t>(name.size(), ends ? 2 : 1));
    name = name.substr(0, name.find_first_of(" \t\n/>"));
    const bool is_void = name == "br" || name == "img" || name == "wbr" || name == "input";
    if (is_point || is_void || name.empty()) return builder.point(tag);
    if (ends) return builder.close(tag, name);
    builder.open(tag, name, name == "code" || name == "kbd" || name == "samp" || name == "var");
  }

  /// Adds the closing markup that begins at `at`. Returns its end.
  size_t add_closing(SegmentBuilder& builder, const std::vector<MarkdownEvent>& between, size_t at, size_t limit) {
    for (const MarkdownEvent& event : between) {
      if (event.kind != MarkdownEvent::Kind::Close) continue;
      const size_t size = closing_size(event.span, at, limit);
      if (size > 0) builder.close({at, at + size}, name_of_span(event.span));
      at += size;
    }
    return at;
  }

  size_t run_before(char c, size_t end, size_t limit) const {
    size_t begin = end;
    while (begin > limit && source_[begin - 1] == c) --begin;
    return end - begin;
  }
  size_t run_from(char c, size_t begin, size_t limit) const {
    size_t end = begin;
    while (end < limit && source_[end] == c) ++end;
    return end - begin;
  }

  /// The length of the markup of a span before `end`; 0: it has none, or another than expected.
  size_t opening_size(MD_SPANTYPE span, size_t end, size_t limit) const {
    const size_t room = end - std::min(limit, end);
    const auto is_before = [&](size_t size, std::string_view set) {
      if (size > room) return false;
      for (size_t i = end - size; i < end; ++i) {
        if (set.find(source_[i]) == set.npos) return false;
      }
      return true;
    };
    switch (span) {
      case MD_SPAN_EM:
        return is_before(1, "*_") ? 1 : 0;
      case MD_SPAN_STRONG:
        return is_before(2, "*_") ? 2 : 0;
      case MD_SPAN_A:
        return is_before(1, "[<") ? 1 : 0;
      case MD_SPAN_IMG:
        return room >= 2 && source_.compare(end - 2, 2, "![") == 0 ? 2 : 0;
      case MD_SPAN_DEL:
        return std::min<size_t>(run_before('~', end, limit), 2);
      case MD_SPAN_CODE: {
        size_t spaces = 0;
        while (spaces < room && (is_word_space(source_[end - 1 - spaces]) || source_[end - 1 - spaces] == '\n'))
          ++spaces;
        const size_t ticks = run_before('`', end - spaces, limit);
        return ticks == 0 ? 0 : ticks + spaces;
      }
      default:
        return 0;
    }
  }

  size_t closing_size(MD_SPANTYPE span, size_t at, size_t limit) const {
    const auto is_at = [&](size_t size, std::string_view set) {
      if (at + size > limit) return false;
      for (size_t i = at; i < at + size; ++i) {
        if (set.find(source_[i]) == set.npos) return false;
      }
      return true;
    };
    switch (span) {
      case MD_SPAN_EM:
        return is_at(1, "*_") ? 1 : 0;
      case MD_SPAN_STRONG:
        return is_at(2, "*_") ? 2 : 0;
      case MD_SPAN_A:
      case MD_SPAN_IMG:
        return is_at(1, ">") ? 1 : link_end_size(at, limit);
      case MD_SPAN_DEL:
        return std::min<size_t>(run_from('~', at, limit), 2);
      case MD_SPAN_CODE: {
        size_t spaces = 0;
        while (at + spaces < limit && (is_word_space(source_[at + spaces]) || source_[at + spaces] == '\n')) ++spaces;
        const size_t ticks = run_from('`', at + spaces, limit);
        return ticks == 0 ? 0 : ticks + spaces;
      }
      default:
        return 0;
    }
  }

  /// The length of `](url "title")`, `][name]` or `]`.
  size_t link_end_size(size_t at, size_t limit) const {
    if (at >= limit || source_[at] != ']') return 0;
    size_t end = at + 1;
    if (end >= limit || (source_[end] != '(' && source_[end] != '[')) return 1;
    const char open = source_[end], close = open == '(' ? ')' : ']';
    int depth = 0;
    char quote = 0;
    for (; end < limit; ++end) {
      const char c = source_[end];
      if (c == '\\' && end + 1 < limit) {
        ++end;
      } else if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (open == '(' && depth == 1 && (c == '"' || c == '\'') && is_word_space(source_[end - 1])) {
        quote = c;
      } else if (c == '<' && source_[end - 1] == '(') {
        end = std::min(source_.find('>', end), limit - 1);
      } else if (c == open) {
        ++depth;
      } else if (c == close && --depth == 0) {
        return end + 1 - at;
      }
    }
    return 1;
  }

  std::unique_ptr<TextDocument> document_;
  const std::string& source_;
  std::optional<std::string> break_;  // what begins the lines after the first one of the block
};

}  // namespace

std::unique_ptr<Document> read_markdown(std::string source, const std::string& name) {
  return MarkdownReader(std::move(source)).read(name);
}

}  // namespace heed::documents
