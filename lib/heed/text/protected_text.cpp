#include "heed/text/protected_text.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include <unicode/regex.h>
#include <unicode/utext.h>

#include "heed/core/error.h"

namespace heed::text {
namespace {

std::string_view pattern_of(ProtectedKind kind) {
  switch (kind) {
    case ProtectedKind::Url:
      return R"((?:https?|ftp|file)://[^\s<>"'\p{Pi}\p{Pf}]*[^\s<>"'\p{Pi}\p{Pf}.,;:!?)\]}])";
    case ProtectedKind::Mail:
      return R"([A-Za-z0-9][A-Za-z0-9._%+\-]{0,63}@[A-Za-z0-9\-]{1,63}(?:\.[A-Za-z0-9\-]{1,63}){0,9}\.[A-Za-z]{2,63})";
    case ProtectedKind::Placeholder:
      return R"(%\([A-Za-z0-9_.]+\)[#0\-+]?[0-9]*(?:\.[0-9]+)?[diouxXeEfFgGcrsa])"
             R"(|(?<![0-9])%(?:[0-9]+\$)?[#0\-+']*(?:[0-9]+|\*)?(?:\.(?:[0-9]+|\*))?(?:hh|h|ll|l|j|z|t|L)?)"
             R"([diouxXeEfFgGcsmpn@](?![A-Za-z]{3}))"
             R"(|%[0-9]{1,2}(?![0-9.,]|\s?%)|%[A-Z][A-Z_0-9]{2,}%?)"
             R"(|\{\{[^{}\s][^{}]*\}\}|\$\{[^{}\s]+\}|\$\([A-Za-z0-9_.]+\)|\$\[[A-Za-z0-9_.]+\])"
             R"(|\{[A-Za-z0-9_.]*(?:[:!,][^{}\s]*)?\}|\$[A-Za-z_][A-Za-z0-9_]*(?:[.|][A-Za-z_][A-Za-z0-9_]*){0,20})";
    case ProtectedKind::Reference:
      return R"(&(?:[A-Za-z][A-Za-z0-9]*|#[0-9]+|#[xX][0-9A-Fa-f]+);)";
    case ProtectedKind::Tag:
      return R"(</?[A-Za-z][^<>]*>)";
    case ProtectedKind::Number:
      return R"([0-9]+(?:[.,:][0-9]+){0,20})";
  }
  return "";
}

icu::UnicodeString unicode_of(std::string_view text) {
  return icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
}

std::unique_ptr<icu::RegexPattern> compiled(const std::string& pattern) {
  UErrorCode status = U_ZERO_ERROR;
  UParseError place;
  std::unique_ptr<icu::RegexPattern> compiled_pattern(
      icu::RegexPattern::compile(unicode_of(pattern), 0, place, status));
  if (U_FAILURE(status) != 0) return nullptr;
  return compiled_pattern;
}

bool matches_nothing(const icu::RegexPattern& pattern) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeString empty;
  const std::unique_ptr<icu::RegexMatcher> matcher(pattern.matcher(empty, status));
  return U_SUCCESS(status) != 0 && matcher->find() != 0;
}

}  // namespace

struct ProtectedText::Pattern {
  std::unique_ptr<icu::RegexPattern> expression;  // null: nothing is protected
  bool needs_sign = true;                         // whether every match has one of kSigns
};

ProtectedText::ProtectedText(const std::vector<ProtectedKind>& kinds, const std::vector<std::string>& patterns) {
  auto pattern = std::make_unique<Pattern>();
  std::string all;
  const auto add = [&](std::string_view one) {
    if (!all.empty()) all += '|';
    all += "(?:" + std::string(one) + ")";
  };
  for (const std::string& own : patterns) {
    const auto expression = compiled(own);
    if (!expression) {
      throw ConfigError("`" + own + "` is not a regular expression of ICU");
    }
    if (matches_nothing(*expression)) {
      throw ConfigError("the pattern `" + own + "` matches the empty text: it must match at least one character");
    }
    add(own);
    pattern->needs_sign = false;
  }
  for (const ProtectedKind kind : kinds) {
    add(pattern_of(kind));
    pattern->needs_sign &= kind != ProtectedKind::Number;
  }
  if (!all.empty()) {
    pattern->expression = compiled(all);
    if (!pattern->expression) throw std::logic_error("ICU does not accept the patterns of protected text");
  }
  pattern_ = std::move(pattern);
}
ProtectedText::~ProtectedText() = default;
ProtectedText::ProtectedText(ProtectedText&&) noexcept = default;
ProtectedText& ProtectedText::operator=(ProtectedText&&) noexcept = default;

std::vector<ProtectedMatch> ProtectedText::find(std::string_view text) const {
  constexpr std::string_view kSigns = "%{$@/&<";
  std::vector<ProtectedMatch> matches;
  if (!pattern_->expression) return matches;
  if (pattern_->needs_sign && text.find_first_of(kSigns) == text.npos) return matches;
  UErrorCode status = U_ZERO_ERROR;
  UText input = UTEXT_INITIALIZER;
  utext_openUTF8(&input, text.data(), static_cast<int64_t>(text.size()), &status);
  const std::unique_ptr<icu::RegexMatcher> matcher(pattern_->expression->matcher(status));
  if (U_SUCCESS(status) != 0) {
    matcher->reset(&input);
    while (U_SUCCESS(status) != 0 && matcher->find(status) != 0) {
      const auto begin = static_cast<size_t>(matcher->start64(status)),
                 end = static_cast<size_t>(matcher->end64(status));
      if (begin < end) matches.push_back({begin, end});
    }
  }
  utext_close(&input);
  if (U_FAILURE(status) != 0) {  // such as an expression that backtracks without end
    throw Error("a pattern of protected text cannot be matched: " + std::string(u_errorName(status)));
  }
  return matches;
}

}  // namespace heed::text
