// Translates Python's regular expressions to ICU's.
#pragma once

#include <string>
#include <string_view>

namespace heed::text {

/// The ICU form of a pattern for Python's `re`, with the same meaning. It rewrites named groups, \Z, \w, \s, \b,
/// \N{name} and characters that are special in only one of the two. `bytes`: a pattern for bytes; \w and \s match ASCII
/// only. Throws std::invalid_argument for an escape that Python does not have and a name without a character. Also
/// throws for what ICU does not support: conditional groups, (?(1)a|b), and aliases in \N{}, such as NBSP.
std::u32string icu_pattern(std::u32string_view python, bool bytes);

}  // namespace heed::text
