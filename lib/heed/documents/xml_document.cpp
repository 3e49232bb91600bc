#include "heed/documents/xml_document.h"

namespace heed::documents {
namespace {

void add_children(SegmentBuilder& builder, const XmlNode& node, const InlineRule& rule) {
  for (const XmlNode& child : node.children) {
    switch (child.kind) {
      case XmlNode::Kind::Text:
        builder.text(child.range);
        break;
      case XmlNode::Kind::CData:
      case XmlNode::Kind::Other:
        builder.point(child.range);
        break;
      case XmlNode::Kind::Element: {
        const InlineElement kind = rule(child);
        if (kind == InlineElement::Point || child.close.size() == 0) {
          builder.point(child.range);
        } else {
          builder.open(child.open, child.name, kind == InlineElement::Verbatim);
          add_children(builder, child, rule);
          builder.close(child.close, child.name);
        }
      }
    }
  }
}

/// The content of a CDATA section, which is written as it is.
std::optional<Segment> cdata_segment(const std::string& source, const XmlNode& node) {
  SegmentBuilder builder(source, Escape::None, as_written);
  builder.text(node.open);
  return builder.take();
}

}  // namespace

std::optional<Segment> xml_segment(const std::string& source, const XmlNode& node, const InlineRule& rule) {
  if (node.children.size() == 1 && node.children[0].kind == XmlNode::Kind::CData) {
    return cdata_segment(source, node.children[0]);
  }
  SegmentBuilder builder(source, Escape::Markup,
                         [](std::string_view raw) { return decode_references(raw, MarkupLanguage::Xml); });
  add_children(builder, node, rule);
  return builder.take();
}

std::string_view attribute_text(const TextDocument& document, const XmlNode& node, std::string_view attribute_name) {
  const MarkupAttribute* attribute = node.attribute(attribute_name);
  return attribute == nullptr ? std::string_view() : document.at(attribute->value);
}

void set_attribute(TextDocument& document, const XmlNode& node, std::string_view attribute_name,
                   std::string_view value) {
  if (const MarkupAttribute* attribute = node.attribute(attribute_name)) {
    document.add_slot({.range = attribute->value, .parts = {{std::string(value)}}});
    return;
  }
  const size_t at = node.open.begin + 1 + node.name.size();
  document.add_slot(
      {.range = Range{at, at}, .parts = {{" " + std::string(attribute_name) + "=\"" + std::string(value) + "\""}}});
}

std::string indentation_before(const TextDocument& document, size_t offset) {
  const std::string& source = document.source();
  size_t begin = offset;
  while (begin > 0 && (source[begin - 1] == ' ' || source[begin - 1] == '\t')) --begin;
  if (begin == 0 || source[begin - 1] != '\n') return "";
  --begin;
  if (begin > 0 && source[begin - 1] == '\r') --begin;
  return source.substr(begin, offset - begin);
}

}  // namespace heed::documents
