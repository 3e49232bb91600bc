// The version of heed.
#pragma once

#include <string_view>

namespace heed::apps {

/// The version in CMakeLists.txt and the commit that was built, if known: "1.0.0 (3f2a1bc)". "-dirty" after the commit
/// means that files differed from it.
extern const std::string_view kVersion;

}  // namespace heed::apps
