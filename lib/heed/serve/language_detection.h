// The language of a text, by CLD2 (https://github.com/CLD2Owners/cld2), if heed is built with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::serve {

/// Whether heed is built with CLD2.
bool can_detect_languages();

struct DetectedLanguage {
  std::string code;       ///< such as "de" or "zh-Hant"
  double confidence = 0;  ///< the percentage of the text that is in this language
};
/// The languages of a text, at most three, most of the text first; none if it is too short, or without CLD2. text:
/// well-formed UTF-8; only its beginning is read.
std::vector<DetectedLanguage> detect_languages(std::string_view text);

}  // namespace heed::serve
