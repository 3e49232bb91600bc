// The form of `heed doctor`'s output. heed prints one part of it, heed-torch the other.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "heed/core/text/printable.h"

namespace heed::apps {

inline std::string report_line(std::string_view name, std::string_view text) {
  return fmt::format("{:<14}{}\n", name, printable(text));
}

/// "GCC 12.2.0"
inline std::string compiler_name() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace heed::apps
