#include "heed/api/given_lines.h"

#include <cstdint>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"

namespace heed::api {

void require_utf8(const std::string& name, std::span<const std::string> lines) {
  int64_t number = 0;
  for (const std::string& line : lines) {
    ++number;
    if (const auto offset = first_invalid_utf8(line)) throw invalid_text(name, number, line, *offset);
  }
}

void require_pairs(std::span<const std::string> sources, std::span<const std::string> targets, bool has_sources) {
  const auto count = [](const auto& lines) { return static_cast<int64_t>(lines.size()); };
  if (!has_sources && !sources.empty()) {
    throw InputError(fmt::format("a language model has no sources, but {} given",
                                 count(sources) == 1 ? "1 is" : fmt::format("{} are", count(sources))));
  }
  if (has_sources && sources.size() != targets.size()) {
    throw InputError(fmt::format("there are {}, but {}: one is needed for each", counted(count(sources), "source"),
                                 counted(count(targets), "target")));
  }
  require_utf8(kSources, sources);
  require_utf8(kTargets, targets);
}

}  // namespace heed::api
