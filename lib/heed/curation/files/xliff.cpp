#include "heed/curation/files/xliff.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"
#include "heed/curation/files/listed_pairs.h"
#include "heed/curation/files/xml_text.h"
#include "heed/documents/character_references.h"
#include "heed/documents/xml_tree.h"

namespace heed::curation {
namespace {

using documents::XmlNode;

std::string xliff_text(const std::string& path, const std::string& name) {
  XmlText file(path, name);
  std::string text;
  while (file.append(text)) {}
  return text;
}

class XliffPairs : public ListedPairs {
 public:
  XliffPairs(const CorpusText& corpus, const std::string& path)
      : field_(corpus.document_field),
        name_(data::name_of(path, corpus.files)),
        text_(xliff_text(path, name_)),
        root_(documents::read_xml_tree(text_, name_)) {
    if (!root_.is("xliff")) throw InputError(name_, 0, "expected XLIFF, found the root element `" + root_.name + "`");
    visit(root_);
    if (left_out_ > 0)
      log_info(fmt::format("{}: {} without a translation left out", name_, counted(left_out_, "unit")));
  }

 private:
  std::string_view at(documents::Range range) const {
    return std::string_view(text_).substr(range.begin, range.size());
  }
  std::string value(const XmlNode& node, std::string_view attribute) const {
    const auto* found = node.attribute(attribute);
    return found == nullptr ? "" : decoded(at(found->value));
  }
  static std::string decoded(std::string_view text) {
    return documents::decode_references(text, documents::MarkupLanguage::Xml).text;
  }

  void visit(const XmlNode& node) {
    if (node.kind != XmlNode::Kind::Element || value(node, "translate") == "no") return;
    if (node.is("file")) document_ = field_.empty() ? "" : value(node, field_);
    if (node.is("trans-unit") || node.is("segment")) return add_unit(node);
    for (const XmlNode& child : node.children) visit(child);
  }

  void add_unit(const XmlNode& unit) {
    Pair pair{.line = ++units_, .source = {}, .target = {}, .document = document_};
    const XmlNode *source = unit.child("source"), *target = unit.child("target");
    if (source != nullptr) append_text(*source, pair.source);
    if (target != nullptr) append_text(*target, pair.target);
    const std::string state = target == nullptr ? "" : value(*target, "state");
    if (strip(pair.target).empty() || state == "new" || state == "needs-translation" ||
        value(unit, "state") == "initial") {
      ++left_out_;
      return;
    }
    add(std::move(pair));
  }

  /// The text of an element without its inline codes.
  void append_text(const XmlNode& element, std::string& text) const {
    for (const XmlNode& child : element.children) {
      if (child.kind == XmlNode::Kind::Text) text += decoded(at(child.range));
      if (child.kind == XmlNode::Kind::CData) text += at(child.open);
      if (child.is("g") || child.is("mrk") || child.is("pc") || child.is("sub")) append_text(child, text);
    }
  }

  std::string field_, name_, text_, document_;
  XmlNode root_;
  int64_t units_ = 0, left_out_ = 0;
};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\r':
        out += "&#13;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

class XliffForm : public PairForm {
 public:
  explicit XliffForm(std::pair<std::string, std::string> languages) : languages_(std::move(languages)) {}

  std::string begin() override {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n";
  }
  std::string unit(const Pair& pair) override {
    std::string text;
    if (document_ != pair.document || units_ == 0) {
      text += end_of_file() + begin_of_file(pair.document);
      document_ = pair.document;
    }
    return text + fmt::format(
                      "<trans-unit id=\"{}\" xml:space=\"preserve\"><source>{}</source><target>{}</target>"
                      "</trans-unit>\n",
                      ++units_, escaped(pair.source), escaped(pair.target));
  }
  std::string end() override { return (units_ == 0 ? begin_of_file("") : "") + std::string(kEndOfFile) + "</xliff>\n"; }

 private:
  static constexpr std::string_view kEndOfFile = "</body></file>\n";

  std::string end_of_file() const { return units_ == 0 ? std::string() : std::string(kEndOfFile); }
  std::string begin_of_file(const std::string& document) const {
    return fmt::format(
        "<file original=\"{}\" datatype=\"plaintext\" source-language=\"{}\" target-language=\"{}\"><body>\n",
        escaped(document), escaped(languages_.first), escaped(languages_.second));
  }

  std::pair<std::string, std::string> languages_;
  std::string document_;
  int64_t units_ = 0;
};

}  // namespace

std::unique_ptr<PairInput> open_xliff(const CorpusText& corpus, const std::string& path) {
  return std::make_unique<XliffPairs>(corpus, path);
}

std::unique_ptr<PairForm> xliff_form(const std::pair<std::string, std::string>& languages) {
  return std::make_unique<XliffForm>(languages);
}

}  // namespace heed::curation
