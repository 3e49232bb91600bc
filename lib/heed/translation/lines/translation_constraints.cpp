#include "heed/translation/lines/translation_constraints.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"
#include "heed/text/alignment.h"
#include "heed/text/word_boundary.h"
#include "heed/translation/lines/glossary_file.h"

namespace heed::translation {
namespace {

bool lacks_some(const text::Ids& ids) { return std::ranges::count(ids, text::kUnk) > 0; }

/// The tokens in `span` that spell the term. The whole span if the tokens spell the words differently, for example
/// normalized.
search::SourceSpan within_words(const text::Tokenizer& tokenizer, const text::Ids& ids, search::SourceSpan span,
                                const TermMatch& term) {
  std::string spelled;
  std::vector<size_t> ends;  // of each token
  for (size_t i = span.begin; i < span.end; ++i) ends.push_back((spelled += tokenizer.spelling(ids[i])).size());
  const size_t blank = spelled.size() - std::min(spelled.size(), term.words.size());
  if (spelled.substr(blank) != term.words || !strip(spelled.substr(0, blank)).empty()) return span;
  const auto token_at = [&](size_t byte) {
    return span.begin + static_cast<size_t>(std::ranges::upper_bound(ends, byte) - ends.begin());
  };
  return {.begin = token_at(blank + term.begin), .end = token_at(blank + term.end - 1) + 1};
}

/// The tokens of a line that spell the term. Empty: the tokenizer's words differ from those between white space.
search::SourceSpan tokens_of(const text::Tokenizer& tokenizer, std::string_view line, const TermMatch& term) {
  const text::AlignmentUnits words = text::line_units(tokenizer, line);
  if (words.names.size() != split_whitespace(line).size()) return {};
  const auto in_term = [&](int64_t word) {
    return word >= static_cast<int64_t>(term.first_word) && word < static_cast<int64_t>(term.end_word);
  };
  const auto first = std::ranges::find_if(words.of_token, in_term);
  const auto end = std::find_if_not(first, words.of_token.end(), in_term);
  if (first == end) return {};
  return within_words(tokenizer, tokenizer.encode(line),
                      {.begin = static_cast<size_t>(first - words.of_token.begin()),
                       .end = static_cast<size_t>(end - words.of_token.begin())},
                      term);
}

/// The last tokens of a line, if they spell exactly `text`.
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

const std::shared_ptr<const text::TokenTexts>& TranslationConstraints::token_texts() {
  if (!token_texts_) token_texts_ = std::make_shared<const text::TokenTexts>(*target_);
  return token_texts_;
}

bool TranslationConstraints::can_spell(std::string_view text) const {
  const text::Ids ids = target_->encode(text);
  return !ids.empty() && !lacks_some(ids);
}

void TranslationConstraints::read_terms(const std::string& path, const TermOptions& options) {
  GlossaryFile file(path);
  token_texts();
  terms_ = TermList(options.fold_case);
  int64_t lines = 0, left_out = 0;
  std::string first_left_out;
  for (std::string source, target; file.next(source, target); ++lines) {
    if (can_spell(target)) {
      terms_.add(source, target);
      continue;
    }
    if (options.strict) file.fail(fmt::format("the model's vocabulary cannot spell '{}'", target));
    if (left_out++ == 0) first_left_out = fmt::format("'{}' in line {}", target, file.line());
  }
  file.log_advice();
  if (left_out == 0) return;
  log_warning(fmt::format("{}: {} of {} left out: the model's vocabulary cannot spell the target, such as {}", path,
                          left_out, counted(lines, "term"), first_left_out));
}

bool TranslationConstraints::add_term(std::string_view source, const std::string& target) {
  if (!can_spell(target)) return false;
  token_texts();
  terms_.add(source, target);
  return true;
}

void TranslationConstraints::read_forbidden(const std::string& path) {
  std::vector<std::string> phrases;
  LineReader reader(path);
  for (std::string line; reader.next(line);) {
    if (strip(line).empty()) continue;
    phrases.emplace_back(strip(line));
    // As the model writes it: possibly normalized.
    const text::Ids ids = target_->encode(phrases.back());
    if (!lacks_some(ids)) phrases.push_back(target_->decode(ids));
  }
  if (!phrases.empty())
    forbidden_ = std::make_shared<const search::ForbiddenPhrases>(token_texts(), std::move(phrases));
}

void TranslationConstraints::tag(const std::string& text) {
  tag_ = target_->encode(text);
  if (tag_.empty() || lacks_some(tag_)) {
    throw ConfigError("--target-tag", fmt::format("'{}' cannot be written with the model's vocabulary", text));
  }
}

std::shared_ptr<const search::ForbiddenPhrases> TranslationConstraints::forbidden_in(
    std::span<const std::string_view> parts, std::string_view prefix) const {
  if (!forbidden_) return nullptr;
  std::vector<std::string> needed{std::string(prefix)};
  for (const std::string_view part : parts) {
    for (const TermMatch& match : terms_.matches_in(part)) {
      needed.insert(needed.end(), match.targets.begin(), match.targets.end());
    }
  }
  auto rest = forbidden_->without_those_in(needed);
  return rest ? rest : forbidden_;
}

/// The forms of all targets that the vocabulary can spell. It can spell every listed target, but perhaps not with a
/// capital letter.
search::RequiredPhrase TranslationConstraints::any_of(const std::vector<std::string>& targets) const {
  std::vector<text::Ids> forms;
  for (const std::string& target : targets) {
    if (!can_spell(target)) continue;
    for (text::Ids& form : required_phrase(*target_, target).forms) {
      if (std::ranges::find(forms, form) == forms.end()) forms.push_back(std::move(form));
    }
  }
  return forms;
}

/// A required phrase for each term of the source.
std::vector<search::RequiredPhrase> TranslationConstraints::required_in(std::string_view source,
                                                                        const text::Tokenizer* tokenizer) const {
  std::vector<search::RequiredPhrase> required;
  for (const TermMatch& match : terms_.matches_in(source)) {
    required.push_back(any_of(match.targets));
    if (tokenizer != nullptr) required.back().source = tokens_of(*tokenizer, source, match);
  }
  return required;
}

std::shared_ptr<const search::SentenceConstraints> TranslationConstraints::of_part(
    std::string_view source, std::string_view prefix, std::shared_ptr<const search::ForbiddenPhrases> forbidden,
    const text::Tokenizer* tokenizer) const {
  search::SentenceConstraints constraints{.prefix = tag_, .tag = tag_.size(), .forbidden = std::move(forbidden)};
  const text::Ids begin = strip(prefix).empty() ? text::Ids{} : target_->encode(prefix);
  constraints.prefix.insert(constraints.prefix.end(), begin.begin(), begin.end());
  constraints.required = required_in(source, tokenizer);
  if (!constraints.required.empty()) constraints.token_texts = token_texts_;
  if (constraints.tokens() == 0 && !constraints.forbidden) return nullptr;
  return std::make_shared<const search::SentenceConstraints>(std::move(constraints));
}

}  // namespace heed::translation
