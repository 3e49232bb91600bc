// A request for /translate, and its answer in LibreTranslate's form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "heed/serve/batcher.h"
#include "heed/serve/document_texts.h"
#include "heed/serve/language_detection.h"
#include "heed/serve/model_set.h"
#include "heed/serve/parameters.h"
#include "heed/serve/text_lines.h"

namespace heed::serve {

/// A detected language in LibreTranslate's form.
nlohmann::ordered_json detected_json(const DetectedLanguage& detected);

class TranslateQuery {
 public:
  /// Reads q, format and alternatives. Throws RequestError; InputError for HTML whose markup does not end.
  TranslateQuery(const Parameters& parameters, int64_t max_alternatives);

  /// Lets the answer name the source language that was detected.
  void set_detected(DetectedLanguage detected) { detected_ = std::move(detected); }
  /// The lines to translate, without markup.
  const std::vector<std::string>& lines() const;
  /// What to translate, without a deadline and `done`.
  TranslationJob job(const ModelSet::Entry& entry) const;
  /// The answer, for the translations of all lines.
  nlohmann::ordered_json answer(const std::vector<translation::Translation>& translations) const;

 private:
  /// A text whose lines have their n-th best translations.
  std::string nth_best(size_t text, size_t n, const std::vector<translation::Translation>& translations) const;
  size_t texts() const;

  std::variant<TextLines, DocumentTexts> texts_;
  bool is_list_ = false;
  int64_t alternatives_ = 0;
  std::optional<DetectedLanguage> detected_;
};

}  // namespace heed::serve
