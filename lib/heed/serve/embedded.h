// Files that are part of the program: cmake/embed.cmake makes the definitions from them.
#pragma once

#include <string_view>

namespace heed::serve {

/// openapi.json: the description of the API (https://spec.openapis.org/oas/v3.0.3).
extern const std::string_view kOpenApi;
/// The web page at /: page/page.html with its style sheet and script.
extern const std::string_view kPage;

}  // namespace heed::serve
