// Pages of HTML: one file each, without a network, in light and dark. Their source is in report/pages: the build embeds
// it in the program. A page gets its data as JSON and draws itself.
#pragma once

#include <string>
#include <string_view>

namespace heed::report {

/// `json` in a form that a `<script>` element can hold, whatever text it quotes: `<`, `>`, `&`, and the characters that
/// end a line, control a terminal or hide text (bidirectional overrides) become \uXXXX. It is the same JSON. json:
/// UTF-8.
std::string script_json(std::string_view json);

/// A page whose elements pages/`name`.js makes of `json`.
/// Throws std::logic_error if pages/ has none of this name.
std::string html_page(std::string_view name, std::string_view title, std::string_view json);

}  // namespace heed::report
