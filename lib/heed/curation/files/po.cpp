#include "heed/curation/files/po.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/unpacked_file.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/text_decoder.h"
#include "heed/core/text/unicode.h"
#include "heed/curation/files/listed_pairs.h"
#include "heed/documents/po_entries.h"

namespace heed::curation {
namespace {

constexpr std::string_view kReplaced = "\uFFFD";

/// The name of the encoding in the header, such as "charset=ISO-8859-1\n"; empty: none.
std::string encoding_of(std::string_view bytes) {
  constexpr std::string_view kCharset = "charset=";
  const size_t found = bytes.substr(0, bytes.find("\n\n")).find(kCharset);
  if (found == bytes.npos) return {};
  const size_t begin = found + kCharset.size();
  const std::string encoding(bytes.substr(begin, bytes.find_first_of("\\\" \n", begin) - begin));
  return encoding == "CHARSET" || lower(encoding) == "ascii" || lower(encoding) == "us-ascii" ? "" : encoding;
}

std::string po_text(const std::string& path, const std::string& name) {
  UnpackedFile file(path, name);
  std::string bytes, block(1 << 16, '\0');
  while (const size_t count = file.read(block.data(), block.size())) bytes.append(block, 0, count);
  const std::string encoding = encoding_of(bytes);
  if (encoding.empty() || is_utf8(encoding)) return replace_invalid_utf8(bytes);
  std::string text;
  if (TextDecoder(encoding).decode(bytes, /*last=*/true, text)) return text;
  throw InputError(name, 0, "is not text in " + encoding + ", which its header names");
}

class PoPairs : public ListedPairs {
 public:
  PoPairs(const CorpusText& corpus, const std::string& path)
      : has_documents_(!corpus.document_field.empty()), name_(data::name_of(path, corpus.files)) {
    if (has_documents_ && corpus.document_field != "msgctxt") {
      throw ConfigError("--document-field", "must be msgctxt for a PO file, but is " + corpus.document_field);
    }
    const std::string text = po_text(path, name_);
    documents::read_po_entries(text, name_, [&](const documents::PoEntry& entry) {
      if (entry.is_header()) return;
      const bool is_fuzzy =
          entry.flags && text.substr(entry.flags->begin, entry.flags->size()).find("fuzzy") != text.npos;
      is_fuzzy ? leave_out(entry, fuzzy_) : add_entry(entry);
    });
    tell(untranslated_, "without a translation");
    tell(fuzzy_, "fuzzy");
  }

 private:
  static int64_t forms_of(const documents::PoEntry& entry) { return entry.plural ? 2 : 1; }
  void leave_out(const documents::PoEntry& entry, int64_t& count) {
    ++count;
    messages_ += forms_of(entry);
  }

  void add_entry(const documents::PoEntry& entry) {
    const auto& translations = entry.translations;
    const bool is_translated = std::ranges::any_of(
        translations, [](const auto& translation) { return !strip(translation.second.text).empty(); });
    if (!is_translated) return leave_out(entry, untranslated_);
    add_form(entry, entry.id->text, translations.begin()->second.text);
    if (entry.plural) add_form(entry, entry.plural->text, translations.rbegin()->second.text);
  }

  void add_form(const documents::PoEntry& entry, const std::string& source, const std::string& target) {
    Pair pair{.line = ++messages_, .source = source, .target = target};
    if (has_documents_ && entry.context) pair.document = entry.context->text;
    pair.ill_formed = source.find(kReplaced) != source.npos || target.find(kReplaced) != target.npos;
    add(std::move(pair));
  }

  void tell(int64_t count, const char* what) const {
    if (count > 0) log_info(fmt::format("{}: {} {} left out", name_, counted(count, "message"), what));
  }

  bool has_documents_;
  std::string name_;
  int64_t messages_ = 0, untranslated_ = 0, fuzzy_ = 0;
};

std::string quoted(const std::string& keyword, const std::string& text) {
  std::string line = keyword + " \"";
  documents::append_po_escaped(line, text);
  return line + "\"\n";
}

class PoForm : public PairForm {
 public:
  explicit PoForm(std::string target) : target_(std::move(target)) {}

  std::string begin() override {
    const std::string language = target_.empty() ? "" : "\"Language: " + target_ + "\\n\"\n";
    return "msgid \"\"\nmsgstr \"\"\n" + language +
           "\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n"
           "\"Content-Transfer-Encoding: 8bit\\n\"\n";
  }
  std::string unit(const Pair& pair) override {
    // The message without text is the header.
    const int64_t times = ++times_[std::hash<std::string>{}(pair.source)] + (pair.source.empty() ? 1 : 0);
    return "\n" + (times > 1 ? quoted("msgctxt", std::to_string(times)) : "") + quoted("msgid", pair.source) +
           quoted("msgstr", pair.target);
  }

 private:
  std::string target_;
  std::unordered_map<size_t, int64_t> times_;  // by the hash of the source
};

}  // namespace

std::unique_ptr<PairInput> open_po(const CorpusText& corpus, const std::string& path) {
  return std::make_unique<PoPairs>(corpus, path);
}

std::unique_ptr<PairForm> po_form(const std::string& target) { return std::make_unique<PoForm>(target); }

}  // namespace heed::curation
