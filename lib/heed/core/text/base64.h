// Base64 (RFC 4648, section 4), as in `data:` URLs.
#pragma once

#include <string>
#include <string_view>

namespace heed {

/// Without line breaks, padded with "=".
std::string base64(std::string_view bytes);

}  // namespace heed
