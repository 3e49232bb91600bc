#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/documents/readers.h"
#include "heed/documents/xml_document.h"
#include "heed/documents/zip_archive.h"

namespace heed::documents {
namespace {

/// The parts of a Word document that have text.
bool has_document_text(const std::string& file) {
  if (!file.starts_with("word/") || !file.ends_with(".xml")) return false;
  const std::string part = file.substr(5, file.size() - 9);
  return part == "document" || part == "footnotes" || part == "endnotes" || part == "comments" ||
         part.starts_with("header") || part.starts_with("footer");
}

/// A run with text, or a link of such runs.
struct TextRun {
  Range range;                             ///< all of it
  const XmlNode* run = nullptr;            ///< the run; of a link the first one
  std::vector<const XmlNode*> texts = {};  ///< the elements <w:t>
};

/// Reads a part: each paragraph <w:p> is a segment. Text has the format of the paragraph's first run; runs of another
/// format, and links, are pairs.
class WordPart {
 public:
  WordPart(std::string source, const std::string& name)
      : document_(std::make_unique<TextDocument>(std::move(source))), root_(read_xml_tree(document_->source(), name)) {}

  std::unique_ptr<TextDocument> read() {
    visit(root_);
    document_->sort_slots();
    return std::move(document_);
  }

 private:
  void visit(const XmlNode& node) {
    for (const XmlNode& child : node.children) visit(child);
    if (node.is("p")) read_paragraph(node);
  }

  static void find_texts(const XmlNode& node, std::vector<const XmlNode*>& texts) {
    for (const XmlNode& child : node.children) {
      if (child.is("t") && child.close.size() > 0) texts.push_back(&child);
      if (child.is("r")) find_texts(child, texts);
    }
  }
  static bool has_paragraph(const XmlNode& node) {
    return node.is("p") || std::ranges::any_of(node.children, has_paragraph);
  }

  static std::optional<TextRun> text_run(const XmlNode& node) {
    if ((!node.is("r") && !node.is("hyperlink")) || has_paragraph(node)) return std::nullopt;
    TextRun run{.range = node.range, .run = node.is("r") ? &node : node.child("r")};
    find_texts(node, run.texts);
    if (run.texts.empty() || run.run == nullptr) return std::nullopt;
    return run;
  }

  std::string_view format_of(const XmlNode& run) const {
    const XmlNode* format = run.child("rPr");
    return format == nullptr ? std::string_view() : document_->at(format->range);
  }

  /// The kind of field mark that a run has: begin, separate or end; empty: none.
  std::string_view field_mark(const XmlNode& node) const {
    const XmlNode* mark = node.is("r") ? node.child("fldChar") : nullptr;
    return mark == nullptr ? std::string_view() : attribute_text(*document_, *mark, "w:fldCharType");
  }

  void read_paragraph(const XmlNode& paragraph) {
    runs_.clear();
    base_ = nullptr;
    for (const XmlNode& child : paragraph.children) {
      const auto run = text_run(child);
      if (run && (base_ == nullptr || (base_link_ && child.is("r")))) {
        base_ = run->run;
        base_link_ = !child.is("r");
      }
    }
    if (base_ == nullptr) return;
    SegmentBuilder builder(document_->source(), Escape::Markup,
                           [](std::string_view raw) { return decode_references(raw, MarkupLanguage::Xml); });
    for (size_t i = 0; i < paragraph.children.size(); ++i) i = read_child(builder, paragraph.children, i);
    auto segment = builder.take();
    if (segment) add(std::move(*segment));
  }

  /// Reads child i, or a whole field that begins there. Returns the index of the last node that it read.
  size_t read_child(SegmentBuilder& builder, const std::vector<XmlNode>& children, size_t i) {
    const XmlNode& child = children[i];
    if (child.kind != XmlNode::Kind::Element || child.is("pPr")) return i;
    if (field_mark(child) == "begin") {
      int depth = 0;
      size_t last = i;
      for (; last < children.size(); ++last) {
        const std::string_view mark = field_mark(children[last]);
        depth += mark == "begin" ? 1 : mark == "end" ? -1 : 0;
        if (depth == 0) break;
      }
      last = std::min(last, children.size() - 1);
      builder.point({child.range.begin, children[last].range.end});
      return last;
    }
    const auto run = text_run(child);
    if (!run) {
      builder.point(child.range);
      return i;
    }
    runs_.push_back(*run);
    const bool is_base = child.is("r") && format_of(child) == format_of(*base_);
    const Range first = run->texts.front()->content(), last = run->texts.back()->content();
    const bool has_only_text = std::ranges::all_of(run->run->children, [](const XmlNode& node) {
      return node.is("t") || node.is("rPr") || node.kind != XmlNode::Kind::Element;
    });
    const bool is_plain = is_base && has_only_text;  // no tab or line break
    if (!is_plain) builder.open({run->range.begin, first.begin}, "r");
    for (size_t k = 0; k < run->texts.size(); ++k) {
      if (k > 0) {
        // Runs are often split inside a word. A tab or a break between two texts is a space.
        const std::string_view between = document_->at({run->texts[k - 1]->close.end, run->texts[k]->open.begin});
        const auto has = [&](std::string_view name) { return between.find(name) != between.npos; };
        if (has(":tab") || has(":br") || has(":cr")) builder.space();
        builder.point({run->texts[k - 1]->close.begin, run->texts[k]->open.end});
      }
      builder.text(run->texts[k]->content());
    }
    if (!is_plain) builder.close({last.end, run->range.end}, "r");
    return i;
  }

  /// The run that has a byte.
  const TextRun* run_at(size_t offset) const {
    const auto found = std::ranges::find_if(
        runs_, [&](const TextRun& run) { return run.range.begin <= offset && offset <= run.range.end; });
    return found == runs_.end() ? nullptr : &*found;
  }

  /// Text outside of pairs is in runs of the base format: each mark ends such a run and begins the next.
  void add(Segment segment) {
    const TextRun *first = run_at(segment.original.begin), *last = run_at(segment.original.end);
    if (first == nullptr || last == nullptr) return;
    const std::string prefix = base_->name.substr(0, base_->name.size() - 1);
    const std::string begin = std::string(document_->at(base_->open)) + std::string(format_of(*base_)) + "<" + prefix +
                              "t xml:space=\"preserve\">";
    const std::string end = "</" + prefix + "t></" + prefix + "r>";
    // If the segment is in one link or one run, only the text is replaced.
    const bool is_inside = first == last;
    Slot slot{.range = {first->range.begin, last->range.end}, .parts = {}, .layout = {}, .keeps_copies = true};
    if (is_inside) {
      slot.range = segment.original;
    } else {
      add_markup(segment, begin, end);
      slot.parts.push_back({begin});
      slot.layout = {.kind = Layout::Kind::Without, .prefix = begin + end};
    }
    slot.parts.push_back({.segment = document_->add_segment(std::move(segment))});
    if (!is_inside) slot.parts.push_back({end});
    document_->add_slot(std::move(slot));
  }

  void add_markup(Segment& segment, const std::string& begin, const std::string& end) const {
    const auto stored = [&](const std::string& text) {
      segment.markup += text;
      return Range{segment.markup.size() - text.size(), segment.markup.size()};
    };
    for (Mark& mark : segment.marks) {
      const std::string open(document_->at(mark.open)), close(document_->at(mark.close));
      if (mark.open.size() == 0) continue;           // verbatim text
      const bool is_break = open.starts_with("</");  // between two texts of a run
      const bool is_pair = mark.kind == MarkKind::Pair;
      const Range original = mark.open;
      mark.open = stored(is_break ? open : is_pair ? end + open : end + open + begin);
      if (is_pair) mark.close = stored(close + begin);
      if (is_break || is_pair) continue;
      const size_t at = mark.open.begin + end.size();
      segment.inner.emplace_back(Range{at, at + open.size()}, original);
    }
  }

  std::unique_ptr<TextDocument> document_;
  XmlNode root_;
  std::vector<TextRun> runs_;      // of the paragraph
  const XmlNode* base_ = nullptr;  // the run whose format text has
  bool base_link_ = false;         // whether it is in a link
};

class DocxDocument : public Document {
 public:
  DocxDocument(std::string bytes, const std::string& name, size_t largest) : archive_(std::move(bytes)) {
    const auto contents = read_zip(archive_, name, has_document_text, largest);
    if (!contents.contains("word/document.xml")) {
      throw InputError(name, 0, "expected a Word document, found an archive without `word/document.xml`");
    }
    for (const auto& [file, content] : contents) {
      if (first_invalid_utf8(content)) throw InputError(name + ":" + file, 0, "is not text in UTF-8");
      auto part = WordPart(content, name + ":" + file).read();
      segments_.insert(segments_.end(), part->segments().begin(), part->segments().end());
      parts_.emplace_back(file, std::move(part));
    }
  }

  const std::vector<Segment>& segments() const override { return segments_; }
  void protect(const text::ProtectedText& rules) override {
    for (auto& [file, part] : parts_) part->protect(rules);
  }
  std::string translated(std::span<const SegmentTranslation> translations) const override {
    std::map<std::string, std::string> changed;
    size_t first = 0;
    for (const auto& [file, part] : parts_) {
      const size_t count = part->segments().size();
      std::string content = part->translated(translations.subspan(first, count));
      if (content != part->source()) changed.emplace(file, std::move(content));
      first += count;
    }
    return changed.empty() ? archive_ : replace_in_zip(archive_, changed);
  }

 private:
  std::string archive_;
  std::vector<std::pair<std::string, std::unique_ptr<TextDocument>>> parts_;  // by name
  std::vector<Segment> segments_;
};

}  // namespace

std::unique_ptr<Document> read_docx(std::string bytes, const std::string& name, size_t largest) {
  return std::make_unique<DocxDocument>(std::move(bytes), name, largest);
}

}  // namespace heed::documents
