#include "heed/api/translation_json.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <nlohmann/json.hpp>

#include "heed/translation/lines/flags.h"

namespace heed::api {
namespace {

void add_tokens(nlohmann::ordered_json& object, const translation::Translation& translation,
                const text::Tokenizer& target) {
  auto& tokens = object["tokens"] = nlohmann::ordered_json::array();
  for (const int32_t id : translation.target) tokens.push_back(target.piece(id));
  std::vector<double> scores;
  for (const float value : translation.token_log_probabilities) scores.push_back(rounded_score(value));
  object["token_log_probabilities"] = scores;
}

void add_alignment(nlohmann::ordered_json& object, const translation::Translation& translation) {
  const text::Alignment words = word_alignment(translation);
  object["source_words"] = words.source;
  object["target_words"] = words.target;
  object["alignment"] = words.links();
}

}  // namespace

double rounded_score(double value) { return std::round(value * 1e6) / 1e6; }

void add_translation(nlohmann::ordered_json& object, const translation::Translation& translation,
                     const JsonContents& contents, const text::Tokenizer& target) {
  object["translation"] = translation.text;
  object["score"] = rounded_score(translation.score);
  auto& flags = object["flags"] = nlohmann::ordered_json::array();
  for (const auto flag : flags_of(translation)) flags.push_back(name_of(flag));
  if (contents.tokens) add_tokens(object, translation, target);
  if (contents.alignment) add_alignment(object, translation);
}

}  // namespace heed::api
