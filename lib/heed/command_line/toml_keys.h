// Checks the nesting depth of the keys of a TOML document without parsing it, because parsers recurse as deep as the
// keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heed::config {

/// The first line, from 1, with a dotted key (`a.b.c`, `[a.b.c]`) of more than `most` parts. Dots in strings and
/// comments do not count. If the document is not TOML, the result may be wrong.
std::optional<int64_t> line_of_deep_key(std::string_view toml, int64_t most);

}  // namespace heed::config
