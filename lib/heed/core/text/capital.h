// Capital letters.
#pragma once

#include <string>
#include <string_view>

namespace heed {

/// Whether a code point is an upper-case or title-case letter.
bool is_capital(char32_t code_point);
/// `text` (well-formed UTF-8) with its first letter in title case, by Unicode's simple mapping.
std::string with_capital(std::string_view text);

}  // namespace heed
