#include "heed/core/text/capital.h"

#include <unicode/uchar.h>

#include "heed/core/text/unicode.h"

namespace heed {

bool is_capital(char32_t code_point) {
  const auto code = static_cast<UChar32>(code_point);
  return u_isupper(code) != 0 || u_istitle(code) != 0;
}

std::string with_capital(std::string_view text) {
  std::u32string letters = to_code_points(text);
  if (!letters.empty()) letters.front() = static_cast<char32_t>(u_totitle(static_cast<UChar32>(letters.front())));
  return to_utf8(letters);
}

}  // namespace heed
