// How deep the keys of a TOML document are nested, found without a parser: parsers nest as deep as the document says.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heed::config {

/// The first line, counted from 1, with a dotted key (`a.b.c`, `[a.b.c]`) of more than `most` parts. Dots in strings
/// and comments do not count. A document that is not TOML may have one or none.
std::optional<int64_t> line_of_deep_key(std::string_view toml, int64_t most);

}  // namespace heed::config
