#include "heed/curation/files/pair_output.h"

#include <nlohmann/json.hpp>

#include "heed/curation/files/po.h"
#include "heed/curation/files/tmx.h"
#include "heed/curation/files/xliff.h"
#include "heed/curation/files/xml_text.h"

namespace heed::curation {
namespace {

class TsvForm : public PairForm {
 public:
  std::string unit(const Pair& pair) override {
    return pair.source + '\t' + pair.target + (pair.document.empty() ? "" : '\t' + pair.document) + '\n';
  }
};

class JsonForm : public PairForm {
 public:
  std::string unit(const Pair& pair) override {
    nlohmann::ordered_json json{{"source", pair.source}, {"target", pair.target}};
    if (!pair.document.empty()) json["document"] = pair.document;
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  }
};

std::unique_ptr<PairForm> form_of(PairFormat format, const std::pair<std::string, std::string>& languages) {
  switch (format) {
    case PairFormat::Tsv:
      return std::make_unique<TsvForm>();
    case PairFormat::JsonLines:
      return std::make_unique<JsonForm>();
    case PairFormat::Tmx:
      return tmx_form(languages);
    case PairFormat::Xliff:
      return xliff_form(languages);
    case PairFormat::Po:
      return po_form(languages.second);
  }
  return nullptr;
}

}  // namespace

PairWriter::PairWriter(PairFormat format, TextSink pairs, const std::pair<std::string, std::string>& languages)
    : pairs_(std::move(pairs)), format_(format), form_(form_of(format, languages)) {
  pairs_(form_->begin());
}

std::string PairWriter::on_one_line(const std::string& text, bool tabs) {
  std::string line = text;
  bool changed = false;
  for (char& c : line) {
    if (c != '\n' && c != '\r' && !(tabs && c == '\t')) continue;
    c = ' ';
    changed = true;
  }
  changed_ += changed;
  return line;
}

/// The pair with texts that the format can hold.
Pair PairWriter::fitting(const Pair& pair) {
  Pair fit = pair;
  for (std::string* text : {&fit.source, &fit.target, &fit.document}) {
    if (format_ == PairFormat::Tsv) *text = on_one_line(*text, /*tabs=*/true);
    if (format_ == PairFormat::Tmx || format_ == PairFormat::Xliff) replaced_ += replace_characters_without_xml(*text);
  }
  return fit;
}

void PairWriter::write(const Pair& pair) {
  if (form_) return pairs_(form_->unit(fitting(pair)));
  source_(on_one_line(pair.source, false) + '\n');
  target_(on_one_line(pair.target, false) + '\n');
}

void PairWriter::finish() {
  if (form_) pairs_(form_->end());
}

}  // namespace heed::curation
