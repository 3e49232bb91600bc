#include "heed/documents/xml_tree.h"

#include <algorithm>
#include <optional>

#include "heed/core/text/unicode.h"

namespace heed::documents {
namespace {

constexpr size_t kDeepest = 500;

std::string_view local_part(std::string_view name) { return name.substr(name.find(':') + 1); }

class TreeReader {
 public:
  TreeReader(const std::string& source, const std::string& name)
      : source_(source), scanner_(source, MarkupLanguage::Xml, name) {}

  XmlNode read() {
    while (auto token = scanner_.next()) add(std::move(*token));
    if (!open_.empty()) {
      scanner_.fail(open_.back().range.begin, "the element `" + open_.back().name + "` that begins here is not closed");
    }
    if (!root_) scanner_.fail(source_.size(), "expected XML, found no element");
    return std::move(*root_);
  }

 private:
  void add(MarkupToken token) {
    switch (token.kind) {
      case MarkupToken::Kind::Text:
        return add_text(token);
      case MarkupToken::Kind::CData:
        return add_leaf(XmlNode::Kind::CData, token);
      case MarkupToken::Kind::Other:
        return add_leaf(XmlNode::Kind::Other, token);
      case MarkupToken::Kind::StartTag:
        return start(std::move(token));
      case MarkupToken::Kind::EndTag:
        return end(token);
    }
  }

  void add_text(const MarkupToken& token) {
    if (open_.empty()) {
      std::string_view text = std::string_view(source_).substr(token.range.begin, token.range.size());
      if (token.range.begin == 0 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
      if (!strip(text).empty())
        scanner_.fail(token.range.begin, "expected an element of XML, found text outside of one");
      return;
    }
    add_leaf(XmlNode::Kind::Text, token);
  }

  void add_leaf(XmlNode::Kind kind, const MarkupToken& token) {
    if (open_.empty()) return;
    open_.back().children.push_back({.kind = kind, .range = token.range, .open = token.content});
  }

  void start(MarkupToken token) {
    if (open_.empty() && root_) scanner_.fail(token.range.begin, "expected the end, found a second root element");
    if (open_.size() == kDeepest) scanner_.fail(token.range.begin, "more than 500 elements are in one another");
    open_.push_back({.kind = XmlNode::Kind::Element,
                     .name = std::move(token.name),
                     .attributes = std::move(token.attributes),
                     .range = token.range,
                     .open = token.range});
    if (token.is_empty) finish();
  }

  void end(const MarkupToken& token) {
    if (open_.empty()) scanner_.fail(token.range.begin, "found the end of `" + token.name + "`, which is not open");
    XmlNode& node = open_.back();
    if (node.name != token.name) {
      scanner_.fail(token.range.begin,
                    "expected the end of `" + node.name + "`, found the end of `" + token.name + "`");
    }
    node.close = token.range;
    node.range.end = token.range.end;
    finish();
  }

  void finish() {
    XmlNode node = std::move(open_.back());
    open_.pop_back();
    if (open_.empty()) {
      root_ = std::move(node);
    } else {
      open_.back().children.push_back(std::move(node));
    }
  }

  const std::string& source_;
  MarkupScanner scanner_;
  std::vector<XmlNode> open_;
  std::optional<XmlNode> root_;
};

}  // namespace

bool XmlNode::is(std::string_view local_name) const { return kind == Kind::Element && local_part(name) == local_name; }

const MarkupAttribute* XmlNode::attribute(std::string_view attribute_name) const {
  const auto found = std::ranges::find(attributes, attribute_name, &MarkupAttribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

const XmlNode* XmlNode::child(std::string_view local_name) const {
  const auto found = std::ranges::find_if(children, [&](const XmlNode& node) { return node.is(local_name); });
  return found == children.end() ? nullptr : &*found;
}

XmlNode read_xml_tree(const std::string& source, const std::string& name) { return TreeReader(source, name).read(); }

}  // namespace heed::documents
