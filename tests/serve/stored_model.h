// A small model of number words, English to German, for tests.
#pragma once

#include <cstdlib>
#include <string>

namespace heed::serve {

inline std::string stored_model() { return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1"; }

}  // namespace heed::serve
