#include "heed/serve/detailed_query.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/serve/search_tree.h"
#include "heed/serve/terms.h"

namespace heed::serve {
namespace {

using Detail = nlohmann::ordered_json;

TextLines::Unit unit_of(const std::string& split) {
  if (split.empty() || split == "lines") return TextLines::Unit::Line;
  if (split == "sentences") return TextLines::Unit::Sentence;
  throw RequestError(400, fmt::format("`split` must be lines or sentences, but is {}", split));
}

/// The weights [target][source] with three digits, and the words of the tokens; attention to end-of-sentence is left
/// out.
void add_attention(Detail& object, const translation::Translation& translation, const text::Tokenizer& source) {
  Detail& tokens = object["source_tokens"] = Detail::array();
  for (const int32_t id : translation.source) tokens.push_back(source.piece(id));
  Detail& rows = object["attention"] = Detail::array();
  for (const std::vector<float>& weights : translation.attention) {
    Detail& row = rows.emplace_back(Detail::array());
    for (const float weight : weights) row.push_back(std::round(1e3 * static_cast<double>(weight)) / 1e3);
  }
  object["source_token_words"] = translation.source_words.of_token;
  object["target_token_words"] = translation.target_words.of_token;
}

}  // namespace

DetailedQuery::DetailedQuery(const Parameters& parameters, int64_t max_n_best, std::shared_ptr<const ServedModel> model,
                             const std::string& target_tag)
    : model_(std::move(model)), streams_(parameters.flag("stream")), search_(parameters.flag("search")) {
  const auto [texts, is_list] = parameters.texts("text");
  is_list_ = is_list;
  const TextLines::Unit unit = unit_of(parameters.text("split"));
  for (const std::string& text : texts) texts_.add(text, unit);
  contents_ = {.tokens = parameters.flag("tokens"), .alignment = parameters.flag("alignment")};
  settings_.n_best = parameters.whole_number("n_best", 1);
  if (settings_.n_best < 1 || settings_.n_best > max_n_best) {
    throw RequestError(400, fmt::format("`n_best` must be between 1 and {}", max_n_best));
  }
  read_attention(parameters);
  if (search_) require_one_line();
  settings_.token_scores = contents_.tokens;
  settings_.attention = contents_.alignment || attention_ || layers_;
  settings_.terms = read_terms(parameters);
  settings_.target_tag = target_tag;
  if (parameters.has("prefix")) prefixes_ = prefixes_of_lines(parameters.texts("prefix"));
}

/// `attention` is a flag, or names layers and heads.
void DetailedQuery::read_attention(const Parameters& parameters) {
  const nlohmann::json* found = parameters.find("attention");
  if (found == nullptr || !found->is_object()) {
    attention_ = parameters.flag("attention");
    return;
  }
  require_one_line();
  layers_ = read_layer_selection(*found, *model_);
}

/// What would be long for many lines.
void DetailedQuery::require_one_line() const {
  if (streams_) throw RequestError(400, "a stream has neither `search` nor the attention of layers");
  if (texts_.lines().size() <= 1) return;
  throw RequestError(400, fmt::format("`search` and the attention of layers are of one line, but `text` has {}",
                                      texts_.lines().size()));
}

/// A text's prefix is that of its first line.
std::vector<std::string> DetailedQuery::prefixes_of_lines(const Parameters::Texts& prefixes) const {
  if (prefixes.texts.size() != texts_.texts()) {
    throw RequestError(400, fmt::format("`prefix` must have one text for each of `text`, {}, but has {}",
                                        texts_.texts(), prefixes.texts.size()));
  }
  std::vector<std::string> of_lines(texts_.lines().size());
  for (size_t text = 0; text < texts_.texts(); ++text) {
    if (texts_.line_count(text) > 0) of_lines[texts_.first_line(text)] = prefixes.texts[text];
  }
  return of_lines;
}

TranslationJob DetailedQuery::job() const {
  TranslationJob job;
  job.model = model_;
  job.settings = settings_;
  job.lines = texts_.lines();
  job.prefixes = prefixes_;
  job.alone = search_ || layers_;
  return job;
}

Detail DetailedQuery::line_json(size_t line, const translation::Translation& translation) const {
  const text::Tokenizers& tokenizers = model_->tokenizers();
  const auto add = [&](Detail& object, const translation::Translation& one) {
    api::add_translation(object, one, contents_, *tokenizers.target);
    if (attention_) add_attention(object, one, *tokenizers.source);
    if (layers_ && one.parts == 1) {
      object["attention"] = layer_attention(*layers_, *model_, model_->tag_of(settings_), one);
    }
  };
  Detail object{{"source", texts_.lines()[line]}};
  add(object, translation);
  if (search_) {
    object["search"] = search_tree(*model_, settings_,
                                   {.text = texts_.lines()[line], .prefix = prefixes_.empty() ? "" : prefixes_[line]});
  }
  if (settings_.n_best == 1) return object;
  Detail& list = object["n_best"] = Detail::array();
  add(list.emplace_back(Detail::object()), translation);
  for (const translation::Translation& other : translation.others) add(list.emplace_back(Detail::object()), other);
  return object;
}

Detail DetailedQuery::answer(const std::vector<translation::Translation>& translations) const {
  Detail all = Detail::array();
  for (size_t text = 0; text < texts_.texts(); ++text) {
    Detail& object = all.emplace_back(Detail::object());
    object["translation"] = texts_.translated(text, [&](size_t line) { return translations[line].text; });
    Detail& lines = object["lines"] = Detail::array();
    for (size_t i = 0; i < texts_.line_count(text); ++i) {
      const size_t line = texts_.first_line(text) + i;
      lines.push_back(line_json(line, translations[line]));
    }
  }
  Detail answer = is_list_ ? Detail{{"translations", std::move(all)}} : Detail(std::move(all.at(0)));
  if (!detected_.empty()) answer["detected_language"] = detected_;
  return answer;
}

Detail DetailedQuery::line_event(size_t line, const translation::Translation& translation) const {
  size_t text = 0;
  while (line >= texts_.first_line(text) + texts_.line_count(text)) ++text;
  Detail object{{"text", text}, {"line", line - texts_.first_line(text)}};
  object.update(line_json(line, translation));
  return object;
}

}  // namespace heed::serve
