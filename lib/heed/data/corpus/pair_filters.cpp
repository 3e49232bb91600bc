#include "heed/data/corpus/pair_filters.h"

#include <algorithm>

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"

namespace heed::data {
namespace {

/// ICU's number of a script; negative if ICU has no script of that name.
int32_t script_named(const std::string& name) { return u_getPropertyValueEnum(UCHAR_SCRIPT, name.c_str()); }

void validate_scripts(const std::vector<std::string>& scripts, const char* option) {
  for (const std::string& name : scripts) {
    if (script_named(name) < 0) {
      throw ConfigError(option, fmt::format("must be names of scripts, such as Latin or Cyrillic, but has `{}`", name));
    }
  }
}

}  // namespace

void validate(const PairFilters& filters) {
  validate_scripts(filters.source_script, "data.source-script");
  validate_scripts(filters.target_script, "data.target-script");
}

bool is_in_scripts(std::string_view text, const std::vector<std::string>& scripts) {
  std::vector<int32_t> wanted;
  for (const std::string& name : scripts) wanted.push_back(script_named(name));
  int64_t letters = 0, fitting = 0;
  for (const char32_t character : to_code_points(text)) {
    const auto code_point = static_cast<UChar32>(character);
    if (!u_isalpha(code_point)) continue;
    ++letters;
    fitting += std::ranges::any_of(
        wanted, [&](int32_t script) { return uscript_hasScript(code_point, static_cast<UScriptCode>(script)); });
  }
  return 2 * fitting >= letters;
}

}  // namespace heed::data
