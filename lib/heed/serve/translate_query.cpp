#include "heed/serve/translate_query.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/documents/formats.h"

namespace heed::serve {
namespace {

using Answer = nlohmann::ordered_json;
using translation::Translation;

std::variant<TextLines, DocumentTexts> texts_of(const Parameters::Texts& given, const std::string& format) {
  if (format.empty() || format == "text") {
    TextLines lines;
    for (const std::string& text : given.texts) lines.add(text);
    return lines;
  }
  if (format != "html") throw RequestError(400, fmt::format("{} is not a format; text and html are", format));
  DocumentTexts html;
  for (const std::string& text : given.texts) {
    const std::string name = given.is_list ? fmt::format("q[{}]", html.texts()) : "q";
    html.add(documents::read_document(documents::DocumentFormat::Html, text, name));
  }
  return html;
}

/// The n-th best translation of a line; the last one, if it has fewer.
const Translation& nth_of(const Translation& best, size_t n) {
  return n == 0 || best.others.empty() ? best : best.others[std::min(n, best.others.size()) - 1];
}

}  // namespace

Answer detected_json(const DetectedLanguage& detected) {
  return {{"confidence", detected.confidence}, {"language", detected.code}};
}

TranslateQuery::TranslateQuery(const Parameters& parameters, int64_t max_alternatives) {
  const Parameters::Texts given = parameters.texts("q");
  is_list_ = given.is_list;
  texts_ = texts_of(given, parameters.text("format"));
  alternatives_ = parameters.whole_number("alternatives", 0);
  if (alternatives_ < 0 || alternatives_ > max_alternatives) {
    throw RequestError(400, fmt::format("`alternatives` must be between 0 and {}", max_alternatives));
  }
}

const std::vector<std::string>& TranslateQuery::lines() const {
  return std::visit([](const auto& texts) -> const auto& { return texts.lines(); }, texts_);
}

size_t TranslateQuery::texts() const {
  return std::visit([](const auto& texts) { return texts.texts(); }, texts_);
}

TranslationJob TranslateQuery::job(const ModelSet::Entry& entry) const {
  TranslationJob job;
  job.model = entry.model;
  job.lines = lines();
  job.settings.n_best = alternatives_ + 1;
  job.settings.target_tag = entry.target_tag;
  job.settings.attention = std::holds_alternative<DocumentTexts>(texts_);
  return job;
}

std::string TranslateQuery::nth_best(size_t text, size_t n, const std::vector<Translation>& translations) const {
  if (const auto* lines = std::get_if<TextLines>(&texts_)) {
    return lines->translated(text, [&](size_t line) { return nth_of(translations[line], n).text; });
  }
  return std::get<DocumentTexts>(texts_).translated(
      text, [&](size_t line) { return segment_translation(nth_of(translations[line], n)); });
}

Answer TranslateQuery::answer(const std::vector<Translation>& translations) const {
  Answer all = Answer::array(), alternatives = Answer::array();
  for (size_t text = 0; text < texts(); ++text) {
    all.push_back(nth_best(text, 0, translations));
    Answer& others = alternatives.emplace_back(Answer::array());
    for (int64_t n = 1; n <= alternatives_; ++n) others.push_back(nth_best(text, static_cast<size_t>(n), translations));
  }
  Answer answer;
  answer["translatedText"] = is_list_ ? all : all.at(0);
  if (detected_) answer["detectedLanguage"] = detected_json(*detected_);
  if (alternatives_ > 0) answer["alternatives"] = is_list_ ? alternatives : alternatives.at(0);
  return answer;
}

}  // namespace heed::serve
