#include "heed/curation/files/tmx.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"
#include "heed/curation/files/xml_text.h"

namespace heed::curation {
namespace {

constexpr size_t kBlock = 1 << 16;
constexpr size_t kLongestUnit = 16 << 20;

std::string lower_ascii(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '_' ? '-' : c;
  return result;
}

/// Whether a code of a file, such as en-US, is the language of an option, such as en.
bool is_language(std::string_view code, std::string_view wanted) {
  const std::string given = lower_ascii(code), asked = lower_ascii(wanted);
  return given == asked || (given.starts_with(asked) && given[asked.size()] == '-');
}

/// The text of an element without its inline codes.
void append_text(const pugi::xml_node& element, std::string& text, int depth = 0) {
  constexpr int kDeepest = 64;
  for (const pugi::xml_node& child : element.children()) {
    const std::string_view name = child.name();
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
      text += child.value();
    } else if ((name == "hi" || name == "sub") && depth < kDeepest) {
      append_text(child, text, depth + 1);
    }
  }
}

class TmxInput : public PairInput {
 public:
  TmxInput(const CorpusText& corpus, const std::string& path)
      : name_(data::name_of(path, corpus.files)),
        text_(path, name_),
        source_(corpus.source_field),
        target_(corpus.target_field),
        document_(corpus.document_field) {
    read_header();
  }

  bool next(Pair& pair) override {
    while (const auto unit = next_unit()) {
      if (source_.empty() || target_.empty()) choose_languages(*unit);
      const pugi::xml_node source = variant(*unit, source_), target = variant(*unit, target_);
      if (!source || !target) {
        ++skipped_;
        continue;
      }
      pair.source.clear();
      pair.target.clear();
      append_text(source.child("seg"), pair.source);
      append_text(target.child("seg"), pair.target);
      pair.document = document_.empty() ? "" : property(*unit);
      pair.ill_formed = false;
      for (std::string* side : {&pair.source, &pair.target}) {
        if (!first_invalid_utf8(*side)) continue;
        *side = replace_invalid_utf8(*side);
        pair.ill_formed = true;
      }
      pair.line = units_;
      return true;
    }
    if (skipped_ > 0) {
      log_info(fmt::format("{}: {} without {} or {} left out", name_, counted(skipped_, "unit"), source_, target_));
      skipped_ = 0;
    }
    return false;
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const { throw InputError(name_, line_, message); }

  bool read_more() { return text_.append(buffer_); }

  /// The place of `what` in the buffer from `from` on, after reading as much as that takes; npos: the file has none.
  size_t find(std::string_view what, size_t from) {
    for (size_t begin = from;;) {
      const size_t found = buffer_.find(what, begin);
      if (found != std::string::npos) return found;
      if (buffer_.size() - from > kLongestUnit) refuse("has a unit of more than 16 MiB, or is not TMX");
      begin = std::max(from, buffer_.size() < what.size() ? from : buffer_.size() - what.size() + 1);
      if (!read_more()) return std::string::npos;
    }
  }

  void drop(size_t count) {
    line_ += std::count(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(count), '\n');
    buffer_.erase(0, count);
  }

  void read_header() {
    const size_t body = find("<body", 0);
    if (body == std::string::npos || buffer_.find("<tmx") > body)
      refuse("is not a TMX file: it has no <tmx> with a <body>");
    const size_t found = buffer_.find("srclang=");
    if (found < body && found + 9 < buffer_.size()) {
      const size_t end = buffer_.find(buffer_[found + 8], found + 9);
      header_source_ = buffer_.substr(found + 9, end - found - 9);
    }
    drop(body);
  }

  /// The next <tu>; absent after the last.
  std::optional<pugi::xml_node> next_unit() {
    for (;;) {
      if (place_ > kBlock) {  // comments and the like between units
        drop(place_);
        place_ = 0;
      }
      const size_t begin = find("<", place_);
      if (begin == std::string::npos) refuse("is truncated: it has no </body> at its end");
      find(">", begin);
      const std::string_view tag = std::string_view(buffer_).substr(begin);
      if (tag.starts_with("</body")) return std::nullopt;
      if (tag.starts_with("<!--")) {
        place_ = find("-->", begin);
        if (place_ == std::string::npos) refuse("is truncated within a comment");
      } else if (tag.starts_with("<tu>") || tag.starts_with("<tu ") || tag.starts_with("<tu\n") ||
                 tag.starts_with("<tu\r") || tag.starts_with("<tu\t")) {
        return unit_at(begin);
      } else {
        place_ = begin + 1;
      }
    }
  }

  std::optional<pugi::xml_node> unit_at(size_t begin) {
    constexpr std::string_view kEnd = "</tu>";
    drop(begin);
    place_ = 0;
    const size_t end = find(kEnd, 0);
    if (end == std::string::npos) refuse("is truncated within a unit, which begins here");
    const auto parsed = unit_.load_buffer(buffer_.data(), end + kEnd.size(),
                                          pugi::parse_default | pugi::parse_ws_pcdata, pugi::encoding_utf8);
    if (!parsed) {
      line_ += std::count(buffer_.begin(), buffer_.begin() + parsed.offset, '\n');
      refuse(fmt::format("is not well-formed XML: {}", lower_ascii(parsed.description())));
    }
    drop(end + kEnd.size());
    ++units_;
    return unit_.child("tu");
  }

  static std::string language_of(const pugi::xml_node& variant) {
    const pugi::xml_attribute own = variant.attribute("xml:lang");
    return own ? own.value() : variant.attribute("lang").value();
  }
  static pugi::xml_node variant(const pugi::xml_node& unit, const std::string& language) {
    return unit.find_child([&](const pugi::xml_node& child) {
      return std::string_view(child.name()) == "tuv" && is_language(language_of(child), language);
    });
  }
  /// The value of the property or attribute that names the document.
  std::string property(const pugi::xml_node& unit) const {
    if (const auto attribute = unit.attribute(document_.c_str())) return attribute.value();
    return unit.find_child_by_attribute("prop", "type", document_.c_str()).child_value();
  }

  void choose_languages(const pugi::xml_node& unit) {
    std::vector<std::string> languages;
    for (const pugi::xml_node& child : unit.children("tuv")) {
      const std::string language = language_of(child);
      if (std::ranges::find(languages, language) == languages.end()) languages.push_back(language);
    }
    if (languages.size() != 2) {
      refuse(fmt::format("has a unit with {} ({}): `--source-field` and `--target-field` name the codes of two",
                         counted(std::ssize(languages), "language"), listed(languages, "and")));
    }
    if (!header_source_.empty() && is_language(languages[1], header_source_)) std::swap(languages[0], languages[1]);
    if (source_.empty()) source_ = !target_.empty() && is_language(languages[0], target_) ? languages[1] : languages[0];
    if (target_.empty()) target_ = is_language(languages[0], source_) ? languages[1] : languages[0];
  }

  std::string name_;
  XmlText text_;
  std::string source_, target_, document_, header_source_;
  std::string buffer_;
  size_t place_ = 0;  // in the buffer: what was looked at
  int64_t line_ = 1;  // of the buffer's first character
  int64_t units_ = 0, skipped_ = 0;
  pugi::xml_document unit_;
};

std::string variant_text(const std::string& language, const std::string& text) {
  pugi::xml_document document;
  pugi::xml_node variant = document.append_child("tuv");
  variant.append_attribute("xml:lang") = language.c_str();
  variant.append_child("seg").text() = text.c_str();
  std::ostringstream out;
  variant.print(out, "", pugi::format_raw);
  return out.str();
}

class TmxForm : public PairForm {
 public:
  explicit TmxForm(std::pair<std::string, std::string> languages) : languages_(std::move(languages)) {}

  std::string begin() override {
    return fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4">
<header creationtool="heed" creationtoolversion="1" segtype="sentence" o-tmf="plain text" adminlang="en" srclang="{}" datatype="plaintext"/>
<body>
)",
                       languages_.first);
  }
  std::string unit(const Pair& pair) override {
    return "<tu>" + variant_text(languages_.first, pair.source) + variant_text(languages_.second, pair.target) +
           "</tu>\n";
  }
  std::string end() override { return "</body>\n</tmx>\n"; }

 private:
  std::pair<std::string, std::string> languages_;
};

}  // namespace

std::unique_ptr<PairInput> open_tmx(const CorpusText& corpus, const std::string& path) {
  return std::make_unique<TmxInput>(corpus, path);
}

std::unique_ptr<PairForm> tmx_form(const std::pair<std::string, std::string>& languages) {
  return std::make_unique<TmxForm>(languages);
}

}  // namespace heed::curation
