#include "translate/line_warning.h"

#include <fmt/format.h>

#include "heed/core/log.h"
#include "heed/core/text/counted.h"

namespace heed::apps {

void LineWarning::add(std::string_view message) {
  if (count_++ == 0) log_warning(fmt::format("{}; heed counts further lines like it", message));
}

void LineWarning::finish(int64_t lines) const {
  if (count_ < 2) return;
  log_warning(fmt::format("{} of {} lines {}", format_count(count_), format_count(lines), kind_));
}

}  // namespace heed::apps
