#include "heed/translation/lines/wording.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/text/unicode.h"
#include "heed/text/word_boundary.h"
#include "heed/translation/lines/term_file.h"

namespace heed::translation {
namespace {

bool lacks_some(const text::Ids& ids) { return std::ranges::count(ids, text::kUnk) > 0; }

/// The last tokens of a line if they spell `text` and nothing else.
std::optional<text::Ids> last_tokens(const text::Tokenizer& tokenizer, const std::string& line,
                                     const std::string& text) {
  const text::Ids ids = tokenizer.encode(line);
  std::string spelled;
  for (size_t i = ids.size(); i-- > 0 && spelled.size() < text.size();) {
    spelled.insert(0, tokenizer.spelling(ids[i]));
    if (spelled == text) return text::Ids(ids.begin() + static_cast<std::ptrdiff_t>(i), ids.end());
  }
  return std::nullopt;
}

}  // namespace

search::RequiredPhrase required_phrase(const text::Tokenizer& tokenizer, std::string_view phrase) {
  std::vector<text::Ids> forms{tokenizer.encode(phrase)};
  const std::string decoded = tokenizer.decode(forms.front()), text(strip(decoded));
  const auto add = [&](const std::string& spelled) {
    auto form = last_tokens(tokenizer, "." + spelled, spelled);
    if (form && std::ranges::find(forms, *form) == forms.end()) forms.push_back(std::move(*form));
  };
  add(" " + text);
  const auto characters = text::text_characters(text);
  if (!characters.empty() && characters.front().word_class == text::WordClass::Unspaced) add(text);
  return forms;
}

const std::shared_ptr<const text::TokenTexts>& Wording::token_texts() {
  if (!token_texts_) token_texts_ = std::make_shared<const text::TokenTexts>(*target_);
  return token_texts_;
}

void Wording::read_terms(const std::string& path) {
  TermFile file(path);
  token_texts();
  for (std::string source, target; file.next(source, target);) {
    search::RequiredPhrase phrase = required_phrase(*target_, target);
    if (phrase.longest() == 0 || lacks_some(phrase.forms.front())) {
      file.fail(fmt::format("the model's vocabulary cannot spell '{}'", target));
    }
    if (!terms_.add(source, target)) file.fail(fmt::format("'{}' has a translation in an earlier line", source));
    tokens_of_.insert_or_assign(target, std::move(phrase));
  }
}

void Wording::read_forbidden(const std::string& path) {
  std::vector<std::string> phrases;
  LineReader reader(path);
  for (std::string line; reader.next(line);) {
    if (strip(line).empty()) continue;
    phrases.emplace_back(strip(line));
    // As the model writes it, which may be normalized.
    const text::Ids ids = target_->encode(phrases.back());
    if (!lacks_some(ids)) phrases.push_back(target_->decode(ids));
  }
  if (!phrases.empty())
    forbidden_ = std::make_shared<const search::ForbiddenPhrases>(token_texts(), std::move(phrases));
}

void Wording::tag(const std::string& text) {
  tag_ = target_->encode(text);
  if (tag_.empty() || lacks_some(tag_)) {
    throw ConfigError("--target-tag", fmt::format("'{}' is none that the model's vocabulary can spell", text));
  }
}

std::shared_ptr<const search::ForbiddenPhrases> Wording::forbidden_in(std::string_view line,
                                                                      std::string_view prefix) const {
  if (!forbidden_) return nullptr;
  std::vector<std::string> demanded = terms_.targets_in(line);
  demanded.emplace_back(prefix);
  auto rest = forbidden_->without_those_in(demanded);
  return rest ? rest : forbidden_;
}

std::shared_ptr<const search::Demands> Wording::demands_of_part(
    std::string_view source, std::string_view prefix, std::shared_ptr<const search::ForbiddenPhrases> forbidden) const {
  search::Demands demands{.prefix = tag_, .tag = tag_.size(), .forbidden = std::move(forbidden)};
  const text::Ids begin = strip(prefix).empty() ? text::Ids{} : target_->encode(prefix);
  demands.prefix.insert(demands.prefix.end(), begin.begin(), begin.end());
  for (const std::string& target : terms_.targets_in(source)) demands.required.push_back(tokens_of_.at(target));
  if (!demands.required.empty()) demands.token_texts = token_texts_;
  if (demands.tokens() == 0 && !demands.forbidden) return nullptr;
  return std::make_shared<const search::Demands>(std::move(demands));
}

}  // namespace heed::translation
