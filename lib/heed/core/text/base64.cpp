#include "heed/core/text/base64.h"

#include <algorithm>
#include <cstdint>

namespace heed {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t begin = 0; begin < bytes.size(); begin += 3) {
    const size_t taken = std::min<size_t>(3, bytes.size() - begin);
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < taken ? static_cast<uint8_t>(bytes[begin + i]) : 0);
    }
    for (size_t i = 0; i < 4; ++i) text += i <= taken ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

}  // namespace heed
