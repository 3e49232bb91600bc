#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/core/text/unicode.h"
#include "heed/documents/markup_scanner.h"
#include "heed/documents/readers.h"
#include "heed/documents/segment_builder.h"

namespace heed::documents {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view name, Names names) { return std::ranges::find(names, name) != names.end(); }

/// The elements of a sentence. All others, also <br>, end it.
bool is_inline(std::string_view name) {
  return is_one_of(
      name, {"a",    "abbr", "acronym", "b",    "bdi",    "bdo",    "big",     "cite",   "data",   "del",  "dfn", "em",
             "font", "i",    "img",     "ins",  "label",  "mark",   "math",    "nobr",   "output", "q",    "rp",  "rt",
             "ruby", "s",    "small",   "span", "strike", "strong", "sub",     "sup",    "svg",    "time", "tt",  "u",
             "wbr",  "code", "kbd",     "samp", "var",    "input",  "picture", "source", "canvas"});
}
bool is_void(std::string_view name) {
  return is_one_of(name, {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
                          "track", "wbr"});
}
/// Inline elements whose text must not change.
bool is_code(std::string_view name) { return is_one_of(name, {"code", "kbd", "samp", "var", "math", "svg"}); }
/// Elements with no text to translate.
bool is_skipped(std::string_view name) {
  return is_one_of(name,
                   {"pre", "svg", "math", "object", "iframe", "canvas", "audio", "video", "noembed", "plaintext"});
}
/// Elements whose content is not markup.
bool is_raw(std::string_view name) { return is_one_of(name, {"script", "style", "textarea", "xmp"}); }

class HtmlReader {
 public:
  HtmlReader(std::string source, std::string name)
      : document_(std::make_unique<TextDocument>(std::move(source))),
        scanner_(document_->source(), MarkupLanguage::Html, std::move(name)),
        builder_(document_->source(), Escape::Markup, decode) {}

  std::unique_ptr<Document> read() {
    while (const auto token = scanner_.next()) {
      switch (token->kind) {
        case MarkupToken::Kind::CData:
        case MarkupToken::Kind::Text:
          if (skipped_.empty() || keeps_text_) builder_.text(token->range);
          break;
        case MarkupToken::Kind::StartTag:
          start(*token);
          break;
        case MarkupToken::Kind::EndTag:
          end(*token);
          break;
        case MarkupToken::Kind::Other:
          if (skipped_.empty()) builder_.point(token->range);
          break;
      }
    }
    if (skipped_.empty()) flush();
    document_->sort_slots();
    return std::move(document_);
  }

 private:
  static DecodedText decode(std::string_view raw) { return decode_references(raw, MarkupLanguage::Html); }

  std::string value_of(const MarkupToken& token, std::string_view attribute) const {
    const MarkupAttribute* found = token.attribute(attribute);
    return found == nullptr ? "" : std::string(document_->at(found->value));
  }

  /// translate="no", class="notranslate".
  bool is_protected(const MarkupToken& token) const {
    if (lower(value_of(token, "translate")) == "no") return true;
    const std::string classes = value_of(token, "class");
    return std::ranges::count(split_whitespace(classes), "notranslate") > 0;
  }

  void flush() {
    if (auto segment = builder_.take()) document_->add(std::move(*segment));
  }

  void start(const MarkupToken& token) {
    const bool is_inner = !skipped_.empty();
    if (is_raw(token.name) && token.is_empty && source_is_xml_) {
      if (!is_inner) builder_.point(token.range);
      return;
    }
    if (is_raw(token.name)) {
      const bool ends_text = !is_inner && !is_one_of(token.name, {"script", "style"});
      if (ends_text) flush();
      const Range content = scanner_.skip_to_end_tag(token.name);
      if (!is_inner) builder_.point({token.range.begin, content.end});
      if (!is_inner) add_attributes(token);
      return;
    }
    const bool has_content = !is_void(token.name) && !(token.is_empty && is_skipped(token.name));
    if (is_inner) {
      if (has_content && token.name == skipped_) ++depth_;
      if (!keeps_text_ || is_protected_ || is_inline(token.name)) return;
      skipped_.clear();  // code that is not closed ends with its block
    }
    const bool keeps = is_protected(token);
    if (is_inline(token.name)) {
      if (!has_content) {
        builder_.point(token.range);
      } else if (keeps || is_code(token.name)) {
        builder_.open(token.range, token.name, true);
        skip(token.name, keeps, !is_skipped(token.name));
      } else {
        builder_.open(token.range, token.name);
      }
      if (!keeps) add_attributes(token);
      return;
    }
    flush();
    builder_.point(token.range);
    if (has_content && (keeps || is_skipped(token.name))) {
      skip(token.name, keeps, false);
    } else {
      add_attributes(token);
    }
  }

  /// Translates nothing up to the end of the element. keeps_text: the model reads its text as part of the sentence.
  void skip(const std::string& name, bool by_attribute, bool keeps_text) {
    skipped_ = name;
    depth_ = 1;
    is_protected_ = by_attribute;
    keeps_text_ = keeps_text;
  }

  void end(const MarkupToken& token) {
    if (!skipped_.empty()) {
      const bool ends_code = keeps_text_ && !is_protected_ && !is_inline(token.name);
      if (token.name == skipped_) --depth_;
      if (depth_ > 0 && !ends_code) return;
      skipped_.clear();
    }
    if (is_inline(token.name)) return builder_.close(token.range, token.name);
    flush();
    builder_.point(token.range);
  }

  bool has_text(const MarkupToken& token, std::string_view attribute) const {
    if (is_one_of(attribute, {"alt", "title", "placeholder", "aria-label", "aria-description", "aria-placeholder"})) {
      return true;
    }
    if (attribute == "label") return is_one_of(token.name, {"optgroup", "option", "track"});
    if (attribute == "summary") return token.name == "table";
    if (attribute == "value") {
      return token.name == "input" && is_one_of(lower(value_of(token, "type")), {"submit", "button", "reset"});
    }
    if (attribute != "content" || token.name != "meta") return false;
    const std::string kind = lower(value_of(token, "name")), property = lower(value_of(token, "property"));
    return is_one_of(kind, {"description", "keywords", "twitter:title", "twitter:description"}) ||
           is_one_of(property, {"og:title", "og:description", "og:site_name"});
  }

  void add_attributes(const MarkupToken& token) {
    for (const MarkupAttribute& attribute : token.attributes) {
      if (!has_text(token, attribute.name)) continue;
      SegmentBuilder value(document_->source(), attribute.quote == '\'' ? Escape::SingleQuoted : Escape::DoubleQuoted,
                           decode);
      value.text(attribute.value);
      auto segment = value.take();
      if (!segment) continue;
      if (attribute.quote != 0) {
        document_->add(std::move(*segment));
      } else {
        const Range range = attribute.value;
        document_->add_slot(
            {.range = range, .parts = {{"\""}, {.segment = document_->add_segment(std::move(*segment))}, {"\""}}});
      }
    }
  }

  std::unique_ptr<TextDocument> document_;
  MarkupScanner scanner_;
  SegmentBuilder builder_;
  std::string skipped_;  // the element that is not translated; empty: none
  const bool source_is_xml_ = document_->source().starts_with("<?xml");  // of XHTML, where <script/> is closed
  bool is_protected_ = false;                                            // whether that is because of an attribute
  bool keeps_text_ = false;  // whether its text is in the segment, as verbatim text
  int64_t depth_ = 0;        // how many elements of that name are open
};

}  // namespace

std::unique_ptr<Document> read_html(std::string source, const std::string& name) {
  return HtmlReader(std::move(source), name).read();
}

}  // namespace heed::documents
