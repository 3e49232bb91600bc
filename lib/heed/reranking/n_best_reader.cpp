#include "heed/reranking/n_best_reader.h"

#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "heed/core/parsed_number.h"

namespace heed::reranking {
namespace {

constexpr std::string_view kBar = " ||| ";

/// Removes the features that Moses and Marian write after the translation: " ||| NAME= NUMBER ...".
std::string_view without_features(std::string_view text) {
  const size_t bar = text.rfind(kBar);
  if (bar == std::string_view::npos) return text;
  const std::string_view last = text.substr(bar + kBar.size());
  return last.substr(0, last.find(' ')).ends_with('=') ? text.substr(0, bar) : text;
}

}  // namespace

NBestReader::NBestReader(const std::string& path, InvalidText invalid) : reader_(path, invalid), ahead_(read()) {}

NBestReader::Entry NBestReader::parse(const std::string& text) const {
  const auto refuse = [&] {
    return InputError(reader_.path(), reader_.line_number(),
                      "expected LINE ||| TRANSLATION ||| SCORE, as `heed translate --search.n-best` writes it");
  };
  const size_t first = text.find(kBar), last = text.rfind(kBar);
  // If the translation is empty, both bars share a space.
  if (first == std::string::npos || last < first + kBar.size() - 1) throw refuse();
  const auto line = parsed_number<int64_t>(std::string_view(text).substr(0, first));
  const auto score = parsed_number<double>(std::string_view(text).substr(last + kBar.size()));
  if (!line || *line < 0 || !score || !std::isfinite(*score)) throw refuse();
  const size_t begin = first + kBar.size();
  const std::string_view between =
      last < begin ? std::string_view() : std::string_view(text).substr(begin, last - begin);
  return {.line = *line, .candidate = {.text = std::string(without_features(between)), .score = *score}};
}

std::optional<NBestReader::Entry> NBestReader::read() {
  std::string text;
  if (!reader_.next(text)) return std::nullopt;
  return parse(text);
}

bool NBestReader::next(NBestList& list) {
  if (!ahead_) return false;
  if (ahead_->line != next_line_) {
    throw InputError(reader_.path(), reader_.line_number(),
                     fmt::format("expected translations of line {}, found those of line {}", next_line_, ahead_->line));
  }
  list.line = next_line_++;
  list.candidates.clear();
  while (ahead_ && ahead_->line == list.line) {
    list.candidates.push_back(std::move(ahead_->candidate));
    ahead_ = read();
  }
  return true;
}

}  // namespace heed::reranking
