#include <optional>
#include <string_view>
#include <utility>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/documents/readers.h"
#include "heed/documents/xml_document.h"

namespace heed::documents {
namespace {

class XliffReader {
 public:
  XliffReader(std::string source, const std::string& name)
      : document_(std::make_unique<TextDocument>(std::move(source))), root_(read_xml_tree(document_->source(), name)) {
    if (!root_.is("xliff")) {
      throw InputError(name, document_->line_of(root_.range.begin),
                       "expected XLIFF, found the root element `" + root_.name + "`");
    }
  }

  std::unique_ptr<Document> read() {
    visit(root_);
    document_->sort_slots();
    return std::move(document_);
  }

 private:
  std::string_view value(const XmlNode& node, std::string_view attribute) const {
    return attribute_text(*document_, node, attribute);
  }

  void visit(const XmlNode& node) {
    if (node.kind != XmlNode::Kind::Element || value(node, "translate") == "no") return;
    if (node.is("trans-unit")) {
      if (value(node, "approved") != "yes") add_unit(node, true);
    } else if (node.is("segment")) {
      add_unit(node, false);
    } else {
      for (const XmlNode& child : node.children) visit(child);
    }
  }

  InlineElement kind_of(const XmlNode& node) const {
    if (!node.is("g") && !node.is("mrk") && !node.is("pc")) return InlineElement::Point;
    const bool keeps = value(node, "translate") == "no" || value(node, "mtype") == "protected";
    return keeps ? InlineElement::Verbatim : InlineElement::Pair;
  }

  bool needs_translation(const XmlNode* target) const {
    if (target == nullptr || strip(document_->at(target->content())).empty()) return true;
    const std::string_view state = value(*target, "state");
    return state == "new" || state == "needs-translation";
  }

  /// is_first_version: XLIFF 1.2, where the target has the state.
  void add_unit(const XmlNode& unit, bool is_first_version) {
    const XmlNode *source = unit.child("source"), *target = unit.child("target");
    if (source == nullptr || !needs_translation(target)) return;
    auto segment = xml_segment(document_->source(), *source, [this](const XmlNode& node) { return kind_of(node); });
    Slot slot;
    if (segment) {
      const Range words = segment->original, all = source->content();
      slot.parts = {{std::string(document_->at({all.begin, words.begin}))},
                    {.segment = document_->add_segment(std::move(*segment))},
                    {std::string(document_->at({words.end, all.end}))}};
    } else {
      slot.parts = {{std::string(document_->at(source->content()))}};
    }
    if (target == nullptr) {
      add_target(*source, is_first_version, std::move(slot));
    } else {
      if (is_first_version && target->close.size() > 0) set_attribute(*document_, *target, "state", kState);
      fill_target(*target, std::move(slot), is_first_version);
    }
    if (!is_first_version) set_attribute(*document_, unit, "state", "translated");
  }

  static constexpr std::string_view kState = "needs-review-translation";

  void add_target(const XmlNode& source, bool is_first_version, Slot slot) {
    const size_t at = source.range.end;
    const std::string prefix = source.name.substr(0, source.name.size() - std::string_view("source").size());
    const std::string state = is_first_version ? " state=\"" + std::string(kState) + "\"" : "";
    slot.range = {at, at};
    slot.parts.insert(slot.parts.begin(),
                      {indentation_before(*document_, source.range.begin) + "<" + prefix + "target" + state + ">"});
    slot.parts.push_back({"</" + prefix + "target>"});
    document_->add_slot(std::move(slot));
  }

  void fill_target(const XmlNode& target, Slot slot, bool is_first_version) {
    if (target.close.size() > 0) {
      slot.range = target.content();
    } else {  // <target/>
      const std::string tag(strip_right(document_->at({target.open.begin, target.open.end - 2})));
      const bool has_state = target.attribute("state") != nullptr;
      const std::string state = is_first_version && !has_state ? " state=\"" + std::string(kState) + "\"" : "";
      slot.range = target.range;
      slot.parts.insert(slot.parts.begin(), {tag + state + ">"});
      slot.parts.push_back({"</" + target.name + ">"});
    }
    document_->add_slot(std::move(slot));
  }

  std::unique_ptr<TextDocument> document_;
  XmlNode root_;
};

}  // namespace

std::unique_ptr<Document> read_xliff(std::string source, const std::string& name) {
  return XliffReader(std::move(source), name).read();
}

}  // namespace heed::documents
