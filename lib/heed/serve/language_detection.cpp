#include "heed/serve/language_detection.h"

#include <algorithm>
#include <array>

#ifdef HEED_CLD2
#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>
#endif

namespace heed::serve {

#ifdef HEED_CLD2
namespace {

constexpr size_t kMostBytes = 8192;  // of a text that are read

/// The beginning of a text, in whole characters.
std::string_view beginning(std::string_view text) {
  size_t end = std::min(text.size(), kMostBytes);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

/// CLD2 has some codes of before 1989.
std::string current_code(const std::string& code) {
  if (code == "iw") return "he";
  if (code == "jw") return "jv";
  return code;
}

}  // namespace

bool can_detect_languages() { return true; }

std::vector<DetectedLanguage> detect_languages(std::string_view text) {
  const std::string_view read = beginning(text);
  std::array<CLD2::Language, 3> languages{};
  std::array<int, 3> percents{};
  int bytes = 0;
  bool reliable = false;
  CLD2::DetectLanguageSummary(read.data(), static_cast<int>(read.size()), /*is_plain_text=*/true, languages.data(),
                              percents.data(), &bytes, &reliable);
  std::vector<DetectedLanguage> found;
  for (size_t i = 0; i < languages.size(); ++i) {
    if (languages[i] == CLD2::UNKNOWN_LANGUAGE || percents[i] <= 0) continue;
    found.push_back({current_code(CLD2::LanguageCode(languages[i])), static_cast<double>(percents[i])});
  }
  return found;
}
#else
bool can_detect_languages() { return false; }
std::vector<DetectedLanguage> detect_languages(std::string_view /*text*/) { return {}; }
#endif

}  // namespace heed::serve
