// Values that Python scripts made (tests/reference) and tests compare with.
#pragma once

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace heed::testing {

/// Reads tests/`name`.
inline nlohmann::json stored_json(const std::string& name) {
  std::ifstream file(std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/" + name);
  if (!file) throw std::runtime_error("no stored values in tests/" + name);
  return nlohmann::json::parse(file);
}

}  // namespace heed::testing
