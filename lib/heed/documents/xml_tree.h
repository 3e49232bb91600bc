// The elements of an XML document with their places.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heed/documents/document.h"
#include "heed/documents/markup_scanner.h"

namespace heed::documents {

struct XmlNode {
  enum class Kind { Element, Text, CData, Other } kind = Kind::Element;
  std::string name = {};                         ///< of an element, with its prefix
  std::vector<MarkupAttribute> attributes = {};  ///< of an element
  Range range = {};                              ///< all of it
  Range open = {}, close = {};                   ///< the tags of an element; an empty element has no closing tag
  std::vector<XmlNode> children = {};

  /// Whether it is an element of this name, whatever its prefix.
  bool is(std::string_view local_name) const;
  /// The element's content: between its tags.
  Range content() const { return {open.end, close.size() > 0 ? close.begin : open.end}; }
  const MarkupAttribute* attribute(std::string_view attribute_name) const;
  /// The first child element of this name; null: none.
  const XmlNode* child(std::string_view local_name) const;
};

/// The document's root element. Throws InputError unless it is well-formed: one root, tags that match, no more than 500
/// elements in one another.
XmlNode read_xml_tree(const std::string& source, const std::string& name);

}  // namespace heed::documents
