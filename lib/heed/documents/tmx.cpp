#include <optional>
#include <string_view>
#include <utility>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/documents/readers.h"
#include "heed/documents/xml_document.h"

namespace heed::documents {
namespace {

/// "en" of "en-US".
std::string primary_language(std::string_view tag) { return lower(tag.substr(0, tag.find_first_of("-_"))); }

class TmxReader {
 public:
  TmxReader(std::string source, const std::string& name, std::string language)
      : document_(std::make_unique<TextDocument>(std::move(source))),
        root_(read_xml_tree(document_->source(), name)),
        language_(std::move(language)) {
    if (!root_.is("tmx")) {
      throw InputError(name, document_->line_of(root_.range.begin),
                       "expected TMX, found the root element `" + root_.name + "`");
    }
    if (language_.empty()) {
      throw ConfigError("--target-language", "is missing: TMX names the language of each text, such as de");
    }
  }

  std::unique_ptr<Document> read() {
    if (const XmlNode* header = root_.child("header")) source_language_ = value(*header, "srclang");
    if (const XmlNode* body = root_.child("body")) {
      for (const XmlNode& unit : body->children) {
        if (unit.is("tu")) add_unit(unit);
      }
    }
    document_->sort_slots();
    return std::move(document_);
  }

 private:
  std::string_view value(const XmlNode& node, std::string_view attribute) const {
    return attribute_text(*document_, node, attribute);
  }
  std::string language_of(const XmlNode& variant) const {
    const std::string_view tag = value(variant, "xml:lang");
    return primary_language(tag.empty() ? value(variant, "lang") : tag);
  }

  void add_unit(const XmlNode& unit) {
    const std::string own = std::string(value(unit, "srclang"));
    const std::string wanted = primary_language(own.empty() ? source_language_ : own);
    const XmlNode *source = nullptr, *target = nullptr;
    for (const XmlNode& variant : unit.children) {
      if (!variant.is("tuv")) continue;
      const std::string language = language_of(variant);
      if (language == primary_language(language_)) {
        target = &variant;
      } else if (language == wanted || (source == nullptr && (wanted.empty() || wanted == "*all*"))) {
        source = &variant;
      }
    }
    if (source != nullptr) translate(*source, target);
  }

  void translate(const XmlNode& source, const XmlNode* target) {
    const XmlNode* text = source.child("seg");
    const XmlNode* old = target == nullptr ? nullptr : target->child("seg");
    const bool is_translated = old != nullptr && !strip(document_->at(old->content())).empty();
    if (text == nullptr || is_translated || (target != nullptr && old == nullptr)) return;
    auto segment = xml_segment(document_->source(), *text, [](const XmlNode& node) {
      return node.is("hi") ? InlineElement::Pair : InlineElement::Point;
    });
    if (!segment) return;
    const Range words = segment->original, all = text->content();
    Slot slot{.range = Range{},
              .parts = {{std::string(document_->at({all.begin, words.begin}))},
                        {.segment = document_->add_segment(std::move(*segment))},
                        {std::string(document_->at({words.end, all.end}))}}};
    if (old == nullptr) {
      const size_t at = source.range.end;
      slot.range = {at, at};
      slot.parts.insert(slot.parts.begin(), {indentation_before(*document_, source.range.begin) + "<tuv xml:lang=\"" +
                                             language_ + "\"><seg>"});
      slot.parts.push_back({"</seg></tuv>"});
    } else {
      slot.range = old->range;
      slot.parts.insert(slot.parts.begin(), {"<seg>"});
      slot.parts.push_back({"</seg>"});
    }
    document_->add_slot(std::move(slot));
  }

  std::unique_ptr<TextDocument> document_;
  XmlNode root_;
  std::string language_;
  std::string source_language_;
};

}  // namespace

std::unique_ptr<Document> read_tmx(std::string source, const std::string& name, const std::string& language) {
  return TmxReader(std::move(source), name, language).read();
}

}  // namespace heed::documents
