#include "heed/translation/lines/sentences.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include "heed/core/text/spacing.h"
#include "heed/core/text/unicode.h"

namespace heed::translation {
namespace {

std::unique_ptr<icu::BreakIterator> sentence_breaks() {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createSentenceInstance(icu::Locale::getRoot(), status));
  if (U_FAILURE(status) != 0) throw std::runtime_error(std::string("ICU has no sentences: ") + u_errorName(status));
  return breaks;
}

/// Whether the ASCII mark before `at` is inside a word, as in http://a.b/c?d: no sentence ends there. Marks of other
/// scripts end a sentence even without white space.
bool is_inside_word(std::string_view line, size_t at) {
  const std::string_view before = line.substr(0, at), after = line.substr(at);
  const bool is_ascii = static_cast<unsigned char>(before.back()) < 0x80;
  if (after.empty() || !is_ascii || is_space(static_cast<char32_t>(before.back()))) return false;
  int32_t i = 0;
  UChar32 next = 0;
  U8_NEXT(reinterpret_cast<const uint8_t*>(after.data()), i, static_cast<int32_t>(after.size()), next);
  return !is_space(static_cast<char32_t>(next)) && !word_ends_between(before, after);
}

/// The ends of ICU's sentences, without those inside a word.
std::vector<size_t> unicode_ends(std::string_view line) {
  static thread_local const std::unique_ptr<icu::BreakIterator> breaks = sentence_breaks();
  UErrorCode status = U_ZERO_ERROR;
  UText text = UTEXT_INITIALIZER;
  utext_openUTF8(&text, line.data(), static_cast<int64_t>(line.size()), &status);
  breaks->setText(&text, status);
  std::vector<size_t> ends;
  if (U_SUCCESS(status) != 0) {
    for (int32_t end = breaks->next(); end != icu::BreakIterator::DONE; end = breaks->next()) {
      if (!is_inside_word(line, static_cast<size_t>(end))) ends.push_back(static_cast<size_t>(end));
    }
  }
  utext_close(&text);
  if (U_FAILURE(status) != 0) throw std::runtime_error(std::string("ICU finds no sentences: ") + u_errorName(status));
  return ends;
}

/// The ends of sentences of tokenized text: after a mark with a space on both sides.
std::vector<size_t> token_ends(std::string_view line) {
  std::vector<size_t> ends;
  for (size_t i = 1; i + 1 < line.size(); ++i) {
    const bool is_mark = line[i] == '.' || line[i] == '!' || line[i] == '?';
    if (is_mark && line[i - 1] == ' ' && line[i + 1] == ' ') ends.push_back(i + 2);
  }
  return ends;
}

}  // namespace

std::vector<std::string_view> sentences(std::string_view line) {
  std::vector<size_t> ends = unicode_ends(line);
  const std::vector<size_t> others = token_ends(line);
  ends.insert(ends.end(), others.begin(), others.end());
  std::ranges::sort(ends);
  std::vector<std::string_view> all;
  size_t begin = 0;
  for (const size_t end : ends) {
    if (end > begin) all.push_back(line.substr(begin, end - begin));
    begin = std::max(begin, end);
  }
  return all;
}

}  // namespace heed::translation
