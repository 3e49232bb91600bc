#include "heed/serve/terms.h"

#include <cstddef>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/text/unicode.h"

namespace heed::serve {
namespace {

constexpr size_t kMostTerms = 1000;  // of a request

}  // namespace

std::vector<std::pair<std::string, std::string>> read_terms(const Parameters& parameters) {
  const nlohmann::json found = parameters.object("terms", "an object of source terms and their translations");
  if (found.size() > kMostTerms) {
    throw RequestError(413, fmt::format("`terms` has {} terms, more than {}", found.size(), kMostTerms));
  }
  std::vector<std::pair<std::string, std::string>> terms;
  for (const auto& [source, target] : found.items()) {
    if (!target.is_string())
      throw RequestError(400, fmt::format("`terms`: the translation of '{}' must be a text", source));
    const auto text = target.get<std::string>();
    if (strip(source).empty() || strip(text).empty()) throw RequestError(400, "`terms` must not have blank terms");
    terms.emplace_back(source, text);
  }
  return terms;
}

}  // namespace heed::serve
