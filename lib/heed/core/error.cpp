#include "heed/core/error.h"

#include <cstring>

#include <fmt/format.h>

namespace heed {

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

namespace {
std::string located(const std::string& path, int64_t line, const std::string& message) {
  return line > 0 ? fmt::format("{}:{}: {}", path, line, message) : fmt::format("{}: {}", path, message);
}
}  // namespace

InputError::InputError(const std::string& path, int64_t line, const std::string& message)
    : Error(located(input_name(path), line, message)) {}

ConfigError::ConfigError(const std::string& key, const std::string& message)
    : Error(fmt::format("`{}` {}", key, message)) {}

CheckpointError::CheckpointError(const std::string& path, const std::string& message)
    : Error(fmt::format("{}: {}", path, message)) {}

FileError::FileError(const std::string& path, std::string_view verb, int error_number)
    : Error(fmt::format("{}: cannot {}: {}", path.empty() ? "\"\"" : path, verb, std::strerror(error_number))) {}

void check(bool condition, std::string_view message, std::source_location place) {
  if (!condition) {
    throw std::logic_error(fmt::format("{}:{}: {}", place.file_name(), place.line(), message));
  }
}

}  // namespace heed
