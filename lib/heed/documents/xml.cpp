#include <algorithm>
#include <utility>

#include "heed/core/text/unicode.h"
#include "heed/documents/readers.h"
#include "heed/documents/xml_document.h"

namespace heed::documents {
namespace {

class XmlReader {
 public:
  XmlReader(std::string source, const std::string& name)
      : document_(std::make_unique<TextDocument>(std::move(source))), root_(read_xml_tree(document_->source(), name)) {}

  std::unique_ptr<Document> read() {
    visit(root_);
    document_->sort_slots();
    return std::move(document_);
  }

 private:
  bool is_protected(const XmlNode& node) const {
    return attribute_text(*document_, node, "translate") == "no" ||
           attribute_text(*document_, node, "its:translate") == "no";
  }

  bool has_text(const XmlNode& node) const {
    return std::ranges::any_of(node.children, [&](const XmlNode& child) {
      if (child.kind == XmlNode::Kind::CData) return true;
      return child.kind == XmlNode::Kind::Text && !strip(document_->at(child.range)).empty();
    });
  }

  void visit(const XmlNode& node) {
    if (node.kind != XmlNode::Kind::Element || is_protected(node)) return;
    if (!has_text(node)) {
      for (const XmlNode& child : node.children) visit(child);
      return;
    }
    auto segment = xml_segment(document_->source(), node, [this](const XmlNode& inner) {
      return is_protected(inner) ? InlineElement::Verbatim : InlineElement::Pair;
    });
    if (segment) document_->add(std::move(*segment));
  }

  std::unique_ptr<TextDocument> document_;
  XmlNode root_;
};

}  // namespace

std::unique_ptr<Document> read_xml(std::string source, const std::string& name) {
  return XmlReader(std::move(source), name).read();
}

}  // namespace heed::documents
