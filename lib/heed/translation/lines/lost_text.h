// Whether a translation lacks numbers or placeholders of its source.
#pragma once

#include <string_view>

namespace heed::translation {

/// Whether a URL, mail address or placeholder (text::ProtectedText) of the source is less often in the translation.
bool loses_placeholder(std::string_view source, std::string_view translation);

/// Whether a number of the source, a run of digits that points, commas and spaces may group, is less often in the
/// translation. 1,000.5 equals 1.000,5 and 1 000,5.
bool loses_number(std::string_view source, std::string_view translation);

}  // namespace heed::translation
