#include "heed/core/exception_text.h"

#include <filesystem>
#include <new>
#include <string_view>

#include <nlohmann/json.hpp>

#include "heed/core/error.h"

namespace heed {
namespace {

/// Removes the part in brackets: "[json.exception.out_of_range.403] key 'x' not found".
std::string_view without_prefix(std::string_view what) {
  const size_t end = what.find("] ");
  return end == std::string_view::npos ? what : what.substr(end + 2);
}

}  // namespace

std::string sentence_of(const std::exception& error) {
  if (dynamic_cast<const Error*>(&error) != nullptr) return error.what();
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
    return FileError(file->path1().string(), "access", file->code().value()).what();
  }
  std::string_view what = error.what();
  // SentencePiece wraps std::bad_alloc in an exception of its own.
  const bool no_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr || what.ends_with("std::bad_alloc");
  if (no_memory) return "out of memory";
  if (dynamic_cast<const nlohmann::json::exception*>(&error) != nullptr) what = without_prefix(what);
  return std::string(what.substr(0, what.find('\n')));
}

}  // namespace heed
