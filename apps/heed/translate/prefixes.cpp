#include "translate/prefixes.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::apps {

Prefixes::Prefixes(const std::string& path, InvalidText invalid) : path_(path) {
  if (!path.empty()) input_.emplace(std::vector{path}, invalid);
}

void Prefixes::check(std::optional<int64_t> source_lines) const {
  if (!input_) return;
  const auto lines = input_->check();
  if (!lines || !source_lines || *lines == *source_lines) return;
  throw InputError(path_, 0,
                   fmt::format("has {} prefixes, but there are {} lines to translate", *lines, *source_lines));
}

std::string Prefixes::next() {
  std::string prefix;
  if (!input_) return prefix;
  if (!input_->next(prefix)) {
    throw InputError(path_, 0, fmt::format("has {} prefixes, fewer than there are lines to translate", lines_));
  }
  ++lines_;
  return prefix;
}

void Prefixes::finish() {
  std::string more;
  if (!input_ || !input_->next(more)) return;
  throw InputError(path_, 0, fmt::format("has more prefixes than the {} lines to translate", lines_));
}

}  // namespace heed::apps
