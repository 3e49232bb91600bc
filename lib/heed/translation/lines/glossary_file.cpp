#include "heed/translation/lines/glossary_file.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/files/unpacked_file.h"
#include "heed/core/text/unicode.h"
#include "heed/documents/character_references.h"
#include "heed/documents/xml_tree.h"

namespace heed::translation {
namespace {

using documents::XmlNode;

/// The whole file without a byte-order mark. Throws InputError unless it is UTF-8.
std::string whole_text(const std::string& path) {
  UnpackedFile file(path, input_name(path));
  std::string bytes;
  std::array<char, 65536> block{};
  while (const size_t count = file.read(block.data(), block.size())) bytes.append(block.data(), count);
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
  if (const auto wrong = first_invalid_utf8(bytes)) {
    const size_t begin = *wrong == 0 ? 0 : bytes.rfind('\n', *wrong - 1) + 1;  // npos + 1 is 0
    throw invalid_text(input_name(path),
                       1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(begin), '\n'),
                       std::string_view(bytes).substr(begin), *wrong - begin);
  }
  return bytes;
}

/// "de", "pt-BR"
bool is_language_code(std::string_view text) {
  return (text.size() == 2 || (text.size() > 3 && text.size() < 8 && (text[2] == '-' || text[2] == '_'))) &&
         std::ranges::all_of(text.substr(0, 2),
                             [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}
bool is_column_name(std::string_view text) {
  constexpr std::array<std::string_view, 9> kColumnNames{"source", "target",      "src",         "tgt",        "trg",
                                                         "term",   "translation", "source term", "target term"};
  return std::ranges::find(kColumnNames, lower(text)) != kColumnNames.end() || is_language_code(text);
}

/// The rows of CSV, one after the other.
class CsvRows {
 public:
  explicit CsvRows(std::string_view text) : text_(text) {
    const std::string_view first = text.substr(0, text.find('\n'));
    separator_ = std::ranges::count(first, ';') > std::ranges::count(first, ',') ? ';' : ',';
  }

  /// false at the end. line: where the row begins. Sets `is_closed` to false if a quote is missing.
  bool next(std::vector<std::string>& row, int64_t& line, bool& is_closed) {
    if (at_ >= text_.size()) return false;
    line = line_;
    row.assign(1, "");
    bool quoted = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      line_ += c == '\n' ? 1 : 0;
      if (quoted) {
        if (c != '"') {
          row.back() += c;
        } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
          row.back() += text_[at_++];
        } else {
          quoted = false;
        }
      } else if (c == '"' && strip(row.back()).empty()) {
        row.back().clear();
        quoted = true;
      } else if (c == separator_) {
        row.emplace_back();
      } else if (c == '\n') {
        ++at_;
        break;
      } else {
        row.back() += c;
      }
    }
    is_closed = !quoted;
    return true;
  }

 private:
  std::string_view text_;
  char separator_ = ',';
  size_t at_ = 0;
  int64_t line_ = 1;
};

/// The text of a term: without markup in it.
std::string text_of(const std::string& source, const XmlNode& node) {
  std::string text;
  for (const XmlNode& child : node.children) {
    const std::string_view raw = std::string_view(source).substr(child.range.begin, child.range.size());
    if (child.kind == XmlNode::Kind::Text) text += decode_references(raw, documents::MarkupLanguage::Xml).text;
    if (child.kind == XmlNode::Kind::Element) text += text_of(source, child);
  }
  return text;
}

struct LanguageTerm {
  std::string language, text;
  int64_t line = 0;
};

class TbxReader {
 public:
  TbxReader(const std::string& source, const std::string& name)
      : source_(source), root_(documents::read_xml_tree(source, name)) {
    find_concepts(root_);
  }
  /// The terms of each concept.
  const std::vector<std::vector<LanguageTerm>>& concept_terms() const { return concepts_; }

 private:
  void find_concepts(const XmlNode& node) {
    const bool is_concept = node.is("termEntry") || node.is("conceptEntry");
    if (is_concept) concepts_.emplace_back();
    for (const XmlNode& child : node.children) is_concept ? find_terms(child, "") : find_concepts(child);
  }
  void find_terms(const XmlNode& node, std::string language) {
    if (node.is("langSet") || node.is("langSec")) {
      if (const auto* attribute = node.attribute("xml:lang")) {
        language = lower(source_.substr(attribute->value.begin, attribute->value.size()));
        language = language.substr(0, language.find_first_of("-_"));
      }
    }
    if (node.is("term")) {
      const auto end = source_.begin() + static_cast<std::ptrdiff_t>(node.range.begin);
      concepts_.back().push_back({language, text_of(source_, node), 1 + std::count(source_.begin(), end, '\n')});
      return;
    }
    for (const XmlNode& child : node.children) find_terms(child, language);
  }

  const std::string& source_;
  XmlNode root_;
  std::vector<std::vector<LanguageTerm>> concepts_;
};

}  // namespace

GlossaryFile::GlossaryFile(const std::string& path) : path_(path) {
  const std::string name = lower(path);
  if (name.ends_with(".csv") || name.ends_with(".csv.gz")) {
    read_csv(whole_text(path));
  } else if (name.ends_with(".tbx") || name.ends_with(".tbx.gz")) {
    read_tbx(whole_text(path));
  } else {
    lines_.emplace(path);
  }
}

void GlossaryFile::add(std::string_view source, std::string_view target, int64_t line) {
  const std::string_view own = strip(source), other = strip(target);
  if (own.empty() || other.empty()) {
    throw InputError(input_name(path_), line, fmt::format("the {} term is blank", own.empty() ? "source" : "target"));
  }
  terms_.push_back({.source = std::string(own), .target = std::string(other), .line = line});
}

void GlossaryFile::read_csv(const std::string& bytes) {
  CsvRows rows(bytes);
  std::vector<std::string> row;
  int64_t line = 0;
  bool is_closed = true, is_first = true;
  while (rows.next(row, line, is_closed)) {
    if (!is_closed) throw InputError(input_name(path_), line, "the quote that begins in this row is not closed");
    const bool is_blank = std::ranges::all_of(row, [](const std::string& field) { return strip(field).empty(); });
    if (is_blank) continue;
    if (row.size() < 2) throw InputError(input_name(path_), line, "expected two columns, SOURCE and TARGET, found one");
    const bool is_header = is_first && is_column_name(strip(row[0])) && is_column_name(strip(row[1]));
    is_first = false;
    if (!is_header) add(row[0], row[1], line);
  }
}

void GlossaryFile::read_tbx(const std::string& bytes) {
  const TbxReader reader(bytes, input_name(path_));
  std::vector<std::string> languages;
  for (const auto& terms : reader.concept_terms()) {
    for (const LanguageTerm& term : terms) {
      if (std::ranges::find(languages, term.language) == languages.end()) languages.push_back(term.language);
    }
  }
  if (languages.size() != 2) {
    throw InputError(input_name(path_), 0, fmt::format("expected terms in two languages, found {}", languages.size()));
  }
  for (const auto& terms : reader.concept_terms()) {
    for (const LanguageTerm& source : terms) {
      for (const LanguageTerm& target : terms) {
        if (source.language == languages[0] && target.language == languages[1])
          add(source.text, target.text, source.line);
      }
    }
  }
}

bool GlossaryFile::next(std::string& source, std::string& target) {
  if (lines_) return lines_->next(source, target);
  if (read_ == terms_.size()) return false;
  source = terms_[read_].source;
  target = terms_[read_++].target;
  return true;
}

int64_t GlossaryFile::line() const { return lines_ ? lines_->line() : read_ > 0 ? terms_[read_ - 1].line : 0; }

void GlossaryFile::fail(const std::string& message) const {
  if (lines_) lines_->fail(message);
  throw InputError(input_name(path_), line(), message);
}

}  // namespace heed::translation
