// The description of the server's API as an OpenAPI document (https://spec.openapis.org/oas/v3.0.3).
#pragma once

#include <string_view>

namespace heed::serve {

extern const std::string_view kOpenApi;

}  // namespace heed::serve
