#include "heed/text/bpe/glossaries.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unicode/regex.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/text/bpe/python/python_pattern.h"

namespace heed::text {
namespace {

/// Code points of a text. With `bytes`, each byte is the code point with its value.
std::u32string points_of(std::string_view text, bool bytes) {
  if (!bytes) return to_code_points(text);
  std::u32string points;
  for (const char c : text) points.push_back(static_cast<unsigned char>(c));
  return points;
}

icu::UnicodeString unicode(std::u32string_view points) {
  return icu::UnicodeString::fromUTF32(reinterpret_cast<const UChar32*>(points.data()),
                                       static_cast<int32_t>(points.size()));
}
icu::UnicodeString unicode(std::string_view text, bool bytes) { return unicode(points_of(text, bytes)); }

std::string text_of(const icu::UnicodeString& unicode, bool bytes) {
  std::string text;
  if (!bytes) return unicode.toUTF8String(text);
  for (int32_t i = 0; i < unicode.length(); ++i) text += static_cast<char>(unicode[i]);
  return text;
}

constexpr int32_t kTimeLimit = 10000;  // in ICU's unit, about milliseconds

using Compiled = std::unique_ptr<icu::RegexPattern>;

std::string_view problem_of(UErrorCode status) {
  switch (status) {
    case U_REGEX_MISMATCHED_PAREN:
      return "a parenthesis lacks its other half";
    case U_REGEX_MISSING_CLOSE_BRACKET:
      return "a set lacks its closing bracket";
    case U_REGEX_INVALID_RANGE:
      return "a range of characters ends before it begins";
    case U_REGEX_INVALID_BACK_REF:
      return "a group that is referred to does not exist";
    case U_REGEX_LOOK_BEHIND_LIMIT:
      return "a look-behind has no limited length";
    default:
      return "the syntax is wrong";
  }
}

ConfigError no_expression(const std::string& option, const std::string& python, std::string_view problem) {
  return {option, fmt::format("must be regular expressions, found '{}' ({})", python, problem)};
}

Compiled compile(const std::string& python, bool bytes, const std::string& option) {
  icu::UnicodeString pattern;
  try {
    pattern = unicode(icu_pattern(points_of(python, bytes), bytes));
  } catch (const std::invalid_argument& error) {
    throw no_expression(option, python, error.what());
  }
  UErrorCode status = U_ZERO_ERROR;
  UParseError place;
  // As in Python, only LF ends a line.
  Compiled compiled(icu::RegexPattern::compile(pattern, UREGEX_UNIX_LINES, place, status));
  if (U_FAILURE(status)) throw no_expression(option, python, problem_of(status));
  return compiled;
}

std::unique_ptr<icu::RegexMatcher> matcher(const Compiled& pattern, const icu::UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<icu::RegexMatcher> made(pattern->matcher(text, status));
  made->setTimeLimit(kTimeLimit, status);
  made->setStackLimit(0, status);  // no limit
  check(U_SUCCESS(status), "ICU could not use a regular expression");
  return made;
}

/// Throws Error if matching did not complete.
void require_success(UErrorCode status, const Compiled& pattern, const icu::UnicodeString& text) {
  if (U_SUCCESS(status)) return;
  const bool slow = status == U_REGEX_TIME_OUT;
  std::string expression;
  throw Error(fmt::format("the glossaries' `{}` cannot be matched with a word of {} characters: {}",
                          pattern->pattern().toUTF8String(expression), text.countChar32(),
                          slow ? "it takes too long" : u_errorName(status)));
}

/// Like Python's re.match.
bool matches_at_start(const Compiled& pattern, const icu::UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  const bool matches = matcher(pattern, text)->lookingAt(status);
  require_success(status, pattern, text);
  return matches;
}

}  // namespace

struct Glossaries::Pattern {
  Compiled anchored;  // ^p$
  Compiled grouped;   // (p)
};

Glossaries::Glossaries(const std::vector<std::string>& patterns, bool bytes, const std::string& option)
    : bytes_(bytes) {
  for (const std::string& pattern : patterns) {
    compile(pattern, bytes, option);
    patterns_.push_back(
        {compile(fmt::format("^{}$", pattern), bytes, option), compile(fmt::format("({})", pattern), bytes, option)});
  }
  if (patterns.empty()) return;
  any_ = std::make_unique<Pattern>();
  any_->anchored = compile(fmt::format("^({})$", fmt::join(patterns, "|")), bytes, option);
}
Glossaries::~Glossaries() = default;
Glossaries::Glossaries(Glossaries&&) noexcept = default;
Glossaries& Glossaries::operator=(Glossaries&&) noexcept = default;

bool Glossaries::whole(std::string_view part) const {
  return any_ && matches_at_start(any_->anchored, unicode(part, bytes_));
}

std::vector<std::string> Glossaries::isolate(std::string_view word) const {
  std::vector<std::string> parts{std::string(word)};
  for (const Pattern& pattern : patterns_) {
    std::vector<std::string> cut;
    for (const std::string& part : parts) std::ranges::move(isolate_one(pattern, part), std::back_inserter(cut));
    parts = std::move(cut);
  }
  return parts;
}

std::vector<std::string> Glossaries::isolate_one(const Pattern& pattern, const std::string& part) const {
  const icu::UnicodeString text = unicode(part, bytes_);
  if (matches_at_start(pattern.anchored, text)) return {part};
  std::vector<std::string> cut;
  const auto add = [&](const icu::UnicodeString& piece) {
    if (!piece.isEmpty()) cut.push_back(text_of(piece, bytes_));
  };
  UErrorCode status = U_ZERO_ERROR;
  const auto search = matcher(pattern.grouped, text);
  int32_t end = 0;
  bool found = false;
  while (search->find(status)) {
    found = true;
    add(text.tempSubStringBetween(end, search->start(status)));
    for (int32_t group = 1; group <= search->groupCount(); ++group) add(search->group(group, status));
    end = search->end(status);
  }
  require_success(status, pattern.grouped, text);
  if (!found) return {part};
  add(text.tempSubString(end));
  return cut;
}

}  // namespace heed::text
