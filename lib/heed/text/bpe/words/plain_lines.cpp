#include "heed/text/bpe/words/plain_lines.h"

#include <bit>

namespace heed::text {
namespace {

constexpr uint64_t kHighBits = 0x8080808080808080U;
constexpr unsigned char kLastBlank = ' ';

/// The highest bit of each of the eight bytes whose value is at most kLastBlank.
constexpr uint64_t blanks(uint64_t eight) {
  constexpr uint64_t kFirstOther = 0x2121212121212121U;
  return ~(((eight | kHighBits) - kFirstOther) | eight) & kHighBits;
}

/// Ones in all bytes before the first blank.
constexpr uint64_t before_blank(uint64_t blanks) { return ((blanks & (0 - blanks)) >> 7U) - 1; }

const char* end_of_word(const char* at, const char* end) {
  while (at<end&& static_cast<unsigned char>(*at)> kLastBlank) ++at;
  return at;
}

/// Sets `word` to the word at `at`. Returns false if the word is not short or fewer than sixteen bytes remain.
bool read_short(const char* at, const char* end, PlainWord& word) {
  if (end - at < 16 || std::endian::native != std::endian::little) return false;
  const auto low = hash_detail::read<uint64_t>(at);
  const auto high = hash_detail::read<uint64_t>(at + 8);
  const uint64_t low_blanks = blanks(low);
  const uint64_t high_blanks = blanks(high);
  if ((low_blanks | high_blanks) == 0) return false;
  const bool within_low = low_blanks != 0;
  const auto bits = static_cast<size_t>(std::countr_zero(within_low ? low_blanks : high_blanks));
  word.text = {at, bits / 8 + (within_low ? 0 : 8)};
  word.key.low = low & before_blank(low_blanks);
  word.key.high = within_low ? 0 : high & before_blank(high_blanks);
  return true;
}

void read_any(const char* at, const char* end, PlainWord& word) {
  word.text = {at, static_cast<size_t>(end_of_word(at, end) - at)};
  word.key = ShortWord::of(word.text);
}

}  // namespace

size_t scan_plain_lines(std::string_view text, std::vector<PlainWord>& words) {
  constexpr size_t kEnough = 128;
  words.clear();
  const char* const end = text.data() + text.size();
  size_t plain_size = 0;   // bytes of whole lines
  size_t plain_words = 0;  // words of those lines
  for (const char* at = text.data(); plain_words < kEnough;) {
    PlainWord& word = words.emplace_back();
    if (!read_short(at, end, word)) read_any(at, end, word);
    at += word.text.size();
    if (word.text.empty() || at == end || (*at != ' ' && *at != '\n')) break;
    if (*at++ == ' ') continue;
    plain_size = static_cast<size_t>(at - text.data());
    plain_words = words.size();
  }
  words.resize(plain_words);
  return plain_size;
}

}  // namespace heed::text
