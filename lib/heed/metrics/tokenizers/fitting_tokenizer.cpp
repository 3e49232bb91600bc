#include "heed/metrics/tokenizers/fitting_tokenizer.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "heed/core/text/unicode.h"

namespace heed::metrics {
namespace {

struct Range {
  char32_t first, last;
};

bool is_in(std::span<const Range> ranges, char32_t c) {
  return std::ranges::any_of(ranges, [c](const Range& range) { return range.first <= c && c <= range.last; });
}

constexpr std::array kHan{Range{0x2E80, 0x2FDF}, Range{0x3005, 0x3007}, Range{0x3400, 0x4DBF},
                          Range{0x4E00, 0x9FFF}, Range{0xF900, 0xFAFF}, Range{0x20000, 0x3FFFF}};
constexpr std::array kKana{Range{0x3040, 0x30FF}, Range{0x31F0, 0x31FF}, Range{0xFF66, 0xFF9F}};
constexpr std::array kHangul{Range{0x1100, 0x11FF}, Range{0x3130, 0x318F}, Range{0xA960, 0xA97F},
                             Range{0xAC00, 0xD7FF}};

struct Letters {
  int64_t all = 0, han = 0, kana = 0, hangul = 0;
  int64_t east_asian() const { return han + kana + hangul; }
};

void count(std::string_view line, Letters& letters) {
  for (const char32_t c : to_code_points(line)) {
    if (is_space(c) || character_class(c) != CharacterClass::Other) continue;
    ++letters.all;
    letters.han += is_in(kHan, c);
    letters.kana += is_in(kKana, c);
    letters.hangul += is_in(kHangul, c);
  }
}

}  // namespace

std::optional<std::string> advice_against_13a(std::span<const std::string> lines, std::string_view option) {
  constexpr size_t kEnough = 1000;  // lines
  Letters letters;
  for (const std::string& line : lines.first(std::min(lines.size(), kEnough))) count(line, letters);
  if (letters.east_asian() == 0 || letters.east_asian() * 2 < letters.all) return std::nullopt;
  const bool korean = letters.hangul * 2 >= letters.east_asian();
  const bool japanese = letters.kana * 10 >= letters.east_asian();  // Chinese has no kana
  const auto advice = [&](std::string_view language, std::string_view values) {
    return fmt::format("mostly {}, which the tokenizer 13a cuts at spaces and punctuation only: `{}` {} suits it",
                       language, option, values);
  };
  if (korean) return advice("Korean", "ko-mecab or char");
  return japanese ? advice("Japanese", "ja-mecab or char") : advice("Chinese", "zh");
}

}  // namespace heed::metrics
