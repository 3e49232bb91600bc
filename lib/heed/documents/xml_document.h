// What the formats made of XML share.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "heed/documents/segment_builder.h"
#include "heed/documents/text_document.h"
#include "heed/documents/xml_tree.h"

namespace heed::documents {

/// How a segment treats an element in it.
enum class InlineElement {
  Pair,      ///< markup around text
  Verbatim,  ///< its text must not change
  Point,     ///< all of it is markup
};
using InlineRule = std::function<InlineElement(const XmlNode& node)>;

/// The segment of an element's content; see SegmentBuilder::take.
std::optional<Segment> xml_segment(const std::string& source, const XmlNode& node, const InlineRule& rule);

/// The value of an attribute as it is written; empty: it is absent.
std::string_view attribute_text(const TextDocument& document, const XmlNode& node, std::string_view attribute_name);

/// Sets an attribute of an element's opening tag.
void set_attribute(TextDocument& document, const XmlNode& node, std::string_view attribute_name,
                   std::string_view value);

/// The line break and white space before a byte, if nothing else is before it on its line.
std::string indentation_before(const TextDocument& document, size_t offset);

}  // namespace heed::documents
