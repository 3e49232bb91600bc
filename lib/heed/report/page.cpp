#include "heed/report/page.h"

#include <fmt/format.h>

#include "heed/core/files/embedded_file.h"
#include "heed/core/text/unicode.h"
#include "heed/report/markup.h"

namespace heed::report {
namespace {

std::string_view page_file(std::string_view name) { return embedded_file(fmt::format("report/pages/{}", name)); }

/// Characters that an HTML or JavaScript parser, a terminal or an editor may take for something else than text.
bool is_escaped(char32_t c) {
  if (c == '<' || c == '>' || c == '&' || c < 0x20 || (0x7F <= c && c <= 0x9F)) return true;
  return c == 0x061C || c == 0x200E || c == 0x200F || (0x2028 <= c && c <= 0x202E) || (0x2066 <= c && c <= 0x2069) ||
         c == 0xFEFF;
}

}  // namespace

std::string script_json(std::string_view json) {
  std::string safe;
  safe.reserve(json.size() + json.size() / 16);
  size_t kept = 0;  // of `json`, so that plain text is copied at once
  for (size_t i = 0; i < json.size();) {
    const auto byte = static_cast<unsigned char>(json[i]);
    const size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    const std::string_view character = json.substr(i, length);
    const bool may_be = byte == '<' || byte == '>' || byte == '&' || byte < 0x20 || byte == 0x7F || byte == 0xC2 ||
                        byte == 0xD8 || byte == 0xE2 || byte == 0xEF;
    if (const char32_t c = may_be ? to_code_points(character)[0] : U'a'; is_escaped(c)) {
      safe.append(json.substr(kept, i - kept)).append(fmt::format("\\u{:04x}", static_cast<uint32_t>(c)));
      kept = i + length;
    }
    i += length;
  }
  return safe.append(json.substr(kept));
}

std::string html_page(std::string_view name, std::string_view title, std::string_view json) {
  const std::string script = fmt::format("{}.js", name);
  std::string page;
  for (std::string_view rest = page_file("page.html"); !rest.empty();) {
    const size_t open = rest.find('{');
    page += rest.substr(0, open);
    if (open == rest.npos) break;
    const size_t close = rest.find('}', open);
    const std::string_view mark = rest.substr(open + 1, close - open - 1);
    page += mark == "title"   ? escaped(title)
            : mark == "data"  ? script_json(json)
            : mark == "style" ? std::string(page_file("style.css"))
                              : std::string(page_file(mark == "shared" ? "shared.js" : script));
    rest.remove_prefix(close + 1);
  }
  return page;
}

}  // namespace heed::report
