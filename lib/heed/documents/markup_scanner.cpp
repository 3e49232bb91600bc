#include "heed/documents/markup_scanner.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "heed/core/error.h"

namespace heed::documents {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

std::string lower_ascii(std::string_view text) {
  std::string lowered(text);
  std::ranges::transform(lowered, lowered.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lowered;
}

}  // namespace

const MarkupAttribute* MarkupToken::attribute(std::string_view attribute_name) const {
  const auto found = std::ranges::find(attributes, attribute_name, &MarkupAttribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

void MarkupScanner::fail(size_t offset, const std::string& message) const {
  const auto end = source_.begin() + static_cast<std::ptrdiff_t>(std::min(offset, source_.size()));
  throw InputError(name_, 1 + std::count(source_.begin(), end, '\n'), message);
}

bool MarkupScanner::begins_markup(size_t at) const {
  if (language_ == MarkupLanguage::Xml) return true;
  if (at + 1 >= source_.size()) return false;
  const char c = source_[at + 1];
  return is_letter(c) || c == '!' || c == '?' || (c == '/' && at + 2 < source_.size() && is_letter(source_[at + 2]));
}

std::optional<MarkupToken> MarkupScanner::next() {
  if (at_ >= source_.size()) return std::nullopt;
  if (source_[at_] != '<' || !begins_markup(at_)) return text_token();
  const std::string_view rest = std::string_view(source_).substr(at_);
  if (rest.starts_with("<!--")) {
    const bool is_empty =
        language_ == MarkupLanguage::Html && (rest.starts_with("<!-->") || rest.starts_with("<!--->"));
    return delimited(is_empty ? ">" : "-->", "comment");
  }
  if (language_ == MarkupLanguage::Xml) {
    if (rest.starts_with("<![CDATA[")) return delimited("]]>", "CDATA section", MarkupToken::Kind::CData);
    if (rest.starts_with("<?")) return delimited("?>", "processing instruction");
    if (rest.starts_with("<!")) {
      const size_t subset = rest.find('['), end = rest.find('>');
      return delimited(subset < end ? "]>" : ">", "declaration");
    }
    return tag();
  }
  if (rest.starts_with("<!") || rest.starts_with("<?")) return delimited(">", "declaration");
  return tag();
}

MarkupToken MarkupScanner::text_token() {
  const size_t begin = at_;
  do {
    at_ = std::min(source_.find('<', at_ + 1), source_.size());
  } while (at_ < source_.size() && !begins_markup(at_));
  return {.kind = MarkupToken::Kind::Text, .range = {begin, at_}, .content = {begin, at_}};
}

MarkupToken MarkupScanner::delimited(std::string_view end, std::string_view what, MarkupToken::Kind kind) {
  const size_t begin = at_, open = kind == MarkupToken::Kind::CData ? std::string_view("<![CDATA[").size() : 2;
  const size_t found = source_.find(end, begin + (what == "comment" && end.size() == 3 ? 4 : open));
  if (found == std::string::npos) fail(begin, "the " + std::string(what) + " that begins here is not closed");
  at_ = found + end.size();
  return {.kind = kind, .range = {begin, at_}, .content = {begin + open, found}};
}

MarkupToken MarkupScanner::tag() {
  MarkupToken token{.kind = MarkupToken::Kind::StartTag, .range = {at_, at_}};
  size_t at = at_ + 1;
  if (at < source_.size() && source_[at] == '/') {
    token.kind = MarkupToken::Kind::EndTag;
    ++at;
  }
  const size_t name = at;
  while (at < source_.size() && !is_blank(source_[at]) && source_[at] != '>' && source_[at] != '/' &&
         (language_ == MarkupLanguage::Html || (source_[at] != '<' && source_[at] != '='))) {
    ++at;
  }
  token.name = source_.substr(name, at - name);
  if (language_ == MarkupLanguage::Html) token.name = lower_ascii(token.name);
  const bool is_name =
      !token.name.empty() && (is_letter(token.name[0]) || token.name[0] == '_' || token.name[0] == ':' ||
                              static_cast<unsigned char>(token.name[0]) >= 0x80);
  if (!is_name) fail(at_, "expected a tag after `<`, found `" + source_.substr(at_, 10) + "`");
  read_attributes(token, at);
  token.range.end = at_ = at;
  return token;
}

void MarkupScanner::read_attributes(MarkupToken& token, size_t& at) const {
  const bool is_xml = language_ == MarkupLanguage::Xml;
  const auto unclosed = [&] { fail(token.range.begin, "the tag `" + token.name + "` that begins here is not closed"); };
  for (;;) {
    while (at < source_.size() && is_blank(source_[at])) ++at;
    if (at >= source_.size() || (is_xml && source_[at] == '<')) unclosed();
    if (source_[at] == '>') break;
    if (source_[at] == '/') {
      token.is_empty = at + 1 < source_.size() && source_[at + 1] == '>';
      if (is_xml && !token.is_empty) fail(at, "expected `>` after `/` in the tag `" + token.name + "`");
      ++at;
      continue;
    }
    MarkupAttribute attribute;
    const size_t name = at++;
    while (at < source_.size() && !is_blank(source_[at]) && source_[at] != '=' && source_[at] != '>' &&
           source_[at] != '/') {
      ++at;
    }
    attribute.name = source_.substr(name, at - name);
    if (!is_xml) attribute.name = lower_ascii(attribute.name);
    while (at < source_.size() && is_blank(source_[at])) ++at;
    if (at < source_.size() && source_[at] == '=') {
      ++at;
      while (at < source_.size() && is_blank(source_[at])) ++at;
      if (at >= source_.size()) unclosed();
      if (source_[at] == '"' || source_[at] == '\'') {
        attribute.quote = source_[at];
        const size_t end = source_.find(attribute.quote, at + 1);
        if (end == std::string::npos) unclosed();
        attribute.value = {at + 1, end};
        at = end + 1;
      } else if (is_xml) {
        fail(at, "the value of the attribute `" + attribute.name + "` has no quotes");
      } else {
        const size_t begin = at;
        while (at < source_.size() && !is_blank(source_[at]) && source_[at] != '>') ++at;
        attribute.value = {begin, at};
      }
    } else if (is_xml) {
      fail(name, "the attribute `" + attribute.name + "` has no value");
    }
    token.attributes.push_back(std::move(attribute));
  }
  ++at;
}

Range MarkupScanner::skip_to_end_tag(std::string_view tag) {
  const size_t begin = at_;
  for (size_t at = source_.find("</", begin); at != std::string::npos; at = source_.find("</", at + 2)) {
    const size_t end = at + 2 + tag.size();
    if (end > source_.size() || lower_ascii(source_.substr(at + 2, tag.size())) != tag) continue;
    if (end < source_.size() && !is_blank(source_[end]) && source_[end] != '>' && source_[end] != '/') continue;
    at_ = at;
    return {begin, at};
  }
  fail(begin, "the element `" + std::string(tag) + "` that begins here is not closed");
}

}  // namespace heed::documents
