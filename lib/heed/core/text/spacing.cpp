#include "heed/core/text/spacing.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include "heed/core/text/unicode.h"

namespace heed {
namespace {

constexpr UChar32 kNone = 0;

bool is_any(UChar32) { return true; }
bool is_letter(UChar32 c) { return u_isUAlphabetic(c) != 0; }
bool is_letter_or_digit(UChar32 c) { return is_letter(c) || u_isdigit(c) != 0; }

/// The last character of `text` for which `wanted` is true, or kNone.
UChar32 last_of(std::string_view text, bool (*wanted)(UChar32)) {
  auto i = static_cast<int32_t>(text.size());
  while (i > 0) {
    UChar32 c = kNone;
    U8_PREV(reinterpret_cast<const uint8_t*>(text.data()), 0, i, c);
    if (wanted(c)) return c;
  }
  return kNone;
}

/// The first character of `text` for which `wanted` is true, or kNone.
UChar32 first_of(std::string_view text, bool (*wanted)(UChar32)) {
  const auto size = static_cast<int32_t>(text.size());
  int32_t i = 0;
  while (i < size) {
    UChar32 c = kNone;
    U8_NEXT(reinterpret_cast<const uint8_t*>(text.data()), i, size, c);
    if (wanted(c)) return c;
  }
  return kNone;
}

UScriptCode script_of(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(c, &status);
}

bool is_wide(UChar32 c) {
  const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  const bool wide = width == U_EA_WIDE || width == U_EA_FULLWIDTH || width == U_EA_HALFWIDTH;
  return wide && script_of(c) != USCRIPT_HANGUL;
}

bool is_wide_punctuation(UChar32 c) { return u_ispunct(c) != 0 && is_wide(c); }

bool has_no_blank_between_words(UChar32 c) { return is_wide(c) || uscript_breaksBetweenLetters(script_of(c)) != 0; }

}  // namespace

bool blank_between(std::string_view left, std::string_view right) {
  if (left.empty() || right.empty()) return false;
  const UChar32 last = last_of(left, is_any), first = first_of(right, is_any);
  if (is_space(last) || is_space(first) || is_wide_punctuation(last) || is_wide_punctuation(first)) return false;
  const UChar32 before = last_of(left, is_letter), after = first_of(right, is_letter);
  if (before == kNone && after == kNone) return true;
  const bool wide_before = before != kNone ? is_wide(before) : is_wide(after);
  const bool wide_after = after != kNone ? is_wide(after) : wide_before;
  return !wide_before || !wide_after;
}

bool word_ends_between(std::string_view left, std::string_view right) {
  return is_wide_punctuation(last_of(left, is_any)) || is_wide_punctuation(first_of(right, is_any)) ||
         has_no_blank_between_words(last_of(left, is_letter_or_digit)) ||
         has_no_blank_between_words(first_of(right, is_letter_or_digit));
}

}  // namespace heed
