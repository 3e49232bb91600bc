#include "heed/serve/api_keys.h"

#include "heed/core/error.h"
#include "heed/core/files/checksum.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/text/unicode.h"

namespace heed::serve {

ApiKeys::ApiKeys(const std::string& path) {
  for (const std::string& line : read_lines(path)) {
    const std::string_view key = strip(line);
    if (!key.empty() && !key.starts_with('#')) checksums_.insert(sha256(key));
  }
  if (checksums_.empty()) throw InputError(path, 0, "has no key; each line is one");
}

bool ApiKeys::allow(std::string_view key) const { return !required() || checksums_.contains(sha256(key)); }

}  // namespace heed::serve
