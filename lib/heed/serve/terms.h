// The parameter `terms` of a request.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "heed/serve/parameters.h"

namespace heed::serve {

/// {"SOURCE": "TARGET", ...}: where a line has the source term, its translation has the target term. None if the
/// parameter is absent. Throws RequestError.
std::vector<std::pair<std::string, std::string>> read_terms(const Parameters& parameters);

}  // namespace heed::serve
