// Python's regular expressions, written as ICU reads them.
#pragma once

#include <string>
#include <string_view>

namespace heed::text {

/// The ICU form of a pattern of Python's `re`: named groups, \Z, \w, \s, \b, \N{name} and what only one of the two
/// takes for special are rewritten, so that they mean the same. `bytes`: a pattern for bytes, where \w and \s know
/// ASCII only. Throws std::invalid_argument with what is wrong: an escape that Python does not know, a name that no
/// character has, or a conditional group, (?(1)a|b), which ICU has not. Aliases in \N{}, such as NBSP, are no names
/// here.
std::u32string icu_pattern(std::u32string_view python, bool bytes);

}  // namespace heed::text
