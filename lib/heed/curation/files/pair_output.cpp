#include "heed/curation/files/pair_output.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "heed/curation/files/tmx.h"

namespace heed::curation {
namespace {

std::string json_line(const Pair& pair) {
  nlohmann::ordered_json json{{"source", pair.source}, {"target", pair.target}};
  if (!pair.document.empty()) json["document"] = pair.document;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace

PairWriter::PairWriter(PairFormat format, TextSink pairs, std::pair<std::string, std::string> languages)
    : pairs_(std::move(pairs)), format_(format), languages_(std::move(languages)) {
  if (format_ == PairFormat::Tmx) pairs_(tmx_begin(languages_.first));
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

void PairWriter::write(const Pair& pair) {
  if (!pairs_) {
    source_(on_one_line(pair.source, false) + '\n');
    target_(on_one_line(pair.target, false) + '\n');
  } else if (format_ == PairFormat::Tsv) {
    std::string row = on_one_line(pair.source, true) + '\t' + on_one_line(pair.target, true);
    if (!pair.document.empty()) row += '\t' + on_one_line(pair.document, true);
    pairs_(row + '\n');
  } else if (format_ == PairFormat::JsonLines) {
    pairs_(json_line(pair));
  } else {
    pairs_(tmx_unit(pair, languages_));
  }
}

void PairWriter::finish() {
  if (format_ == PairFormat::Tmx) pairs_(tmx_end());
}

}  // namespace heed::curation
