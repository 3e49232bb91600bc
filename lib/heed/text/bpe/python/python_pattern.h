// Python's regular expressions, written as ICU reads them.
#pragma once

#include <string>
#include <string_view>

namespace heed::text {

/// The ICU form of a pattern of Python's `re`: named groups, \Z, \w, \s, \b and what only one of the two takes for
/// special are rewritten, so that they mean the same. `bytes`: a pattern for bytes, where \w and \s know ASCII only.
/// Differences that stay: Python's \N{name} and conditional groups are refused, sets like [a-z&&[b]] are ICU's.
std::u32string icu_pattern(std::u32string_view python, bool bytes);

}  // namespace heed::text
