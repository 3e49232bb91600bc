#include "heed/text/protected_text.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include <unicode/regex.h>
#include <unicode/utext.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"

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

std::vector<ProtectedKind> protected_kinds(std::span<const std::string> names, const std::string& option) {
  std::vector<std::string> known;
  std::vector<ProtectedKind> kinds;
  for (const auto& [kind, name] : option_names(ProtectedKind{})) {
    known.emplace_back(name);
    if (std::ranges::find(names, name) != names.end()) kinds.push_back(kind);
  }
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    throw ConfigError(option, "must be " + listed(known, "or") + ", but is `" + name + "`");
  }
  return kinds;
}

ProtectedRules united(const ProtectedRules& one, const ProtectedRules& other) {
  ProtectedRules both = one;
  for (const ProtectedKind kind : other.kinds) {
    if (std::ranges::find(both.kinds, kind) == both.kinds.end()) both.kinds.push_back(kind);
  }
  both.patterns.insert(both.patterns.end(), other.patterns.begin(), other.patterns.end());
  return both;
}

struct ProtectedText::Expressions {
  /// The patterns, then all kinds as one. A pattern has its own expression: its groups are numbered from 1.
  std::vector<std::unique_ptr<icu::RegexPattern>> all;
  bool needs_sign = true;  // whether every match has one of kSigns
};

ProtectedText::ProtectedText(const std::vector<ProtectedKind>& kinds, const std::vector<std::string>& patterns) {
  auto expressions = std::make_unique<Expressions>();
  for (const std::string& pattern : patterns) {
    auto expression = compiled(pattern);
    if (!expression) throw ConfigError("`" + pattern + "` is not a regular expression of ICU");
    if (matches_nothing(*expression)) {
      throw ConfigError("the pattern `" + pattern + "` matches the empty text: it must match at least one character");
    }
    expressions->all.push_back(std::move(expression));
    expressions->needs_sign = false;
  }
  std::string of_kinds;
  for (const ProtectedKind kind : kinds) {
    of_kinds += (of_kinds.empty() ? "(?:" : "|(?:") + std::string(pattern_of(kind)) + ")";
    expressions->needs_sign &= kind != ProtectedKind::Number;
  }
  if (!of_kinds.empty()) {
    expressions->all.push_back(compiled(of_kinds));
    if (!expressions->all.back()) throw std::logic_error("ICU does not accept the patterns of protected text");
  }
  expressions_ = std::move(expressions);
}
ProtectedText::~ProtectedText() = default;
ProtectedText::ProtectedText(ProtectedText&&) noexcept = default;
ProtectedText& ProtectedText::operator=(ProtectedText&&) noexcept = default;

namespace {

/// The matches of one expression in a text, one after the other.
class Matches {
 public:
  /// Begins at the first match. Afterwards, and after each call, `status` says whether it failed.
  Matches(const icu::RegexPattern& pattern, UText& input, UErrorCode& status) : matcher_(pattern.matcher(status)) {
    if (U_FAILURE(status) != 0) return;
    matcher_->reset(&input);
    take(matcher_->find(status), status);
  }

  bool ended() const { return ended_; }
  const ProtectedMatch& match() const { return match_; }
  /// Moves to the first match that begins at `from` or after it.
  void skip_to(size_t from, UErrorCode& status) {
    if (!ended_ && match_.begin < from) take(matcher_->find(static_cast<int64_t>(from), status), status);
  }

 private:
  void take(UBool found, UErrorCode& status) {
    for (; found != 0 && U_SUCCESS(status) != 0; found = matcher_->find(status)) {
      match_ = {.begin = static_cast<size_t>(matcher_->start64(status)),
                .end = static_cast<size_t>(matcher_->end64(status))};
      if (match_.begin < match_.end) return;
    }
    ended_ = true;
  }

  std::unique_ptr<icu::RegexMatcher> matcher_;
  ProtectedMatch match_;
  bool ended_ = false;
};

/// The leftmost match, of the first expression that has one there; null: none is left.
const ProtectedMatch* leftmost(const std::vector<Matches>& all) {
  const ProtectedMatch* first = nullptr;
  for (const Matches& matches : all) {
    if (!matches.ended() && (first == nullptr || matches.match().begin < first->begin)) first = &matches.match();
  }
  return first;
}

}  // namespace

std::vector<ProtectedMatch> ProtectedText::find(std::string_view text) const {
  constexpr std::string_view kSigns = "%{$@/&<";
  std::vector<ProtectedMatch> found;
  if (expressions_->all.empty()) return found;
  if (expressions_->needs_sign && text.find_first_of(kSigns) == text.npos) return found;
  UErrorCode status = U_ZERO_ERROR;
  UText input = UTEXT_INITIALIZER;
  utext_openUTF8(&input, text.data(), static_cast<int64_t>(text.size()), &status);
  std::vector<Matches> all;
  for (const auto& expression : expressions_->all) all.emplace_back(*expression, input, status);
  while (const ProtectedMatch* match = U_SUCCESS(status) != 0 ? leftmost(all) : nullptr) {
    found.push_back(*match);
    for (Matches& matches : all) matches.skip_to(found.back().end, status);
  }
  utext_close(&input);
  if (U_FAILURE(status) != 0) {  // such as an expression that backtracks without end
    throw Error("a pattern of protected text cannot be matched: " + std::string(u_errorName(status)));
  }
  return found;
}

}  // namespace heed::text
