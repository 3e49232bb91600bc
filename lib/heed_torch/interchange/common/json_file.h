// A file with one JSON object. Its members have the expected types, or an error names them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "heed/core/options.h"

namespace heed::interchange {

/// The value as JSON for messages, truncated after 60 bytes.
std::string shown_json(const nlohmann::json& value);

class JsonFile {
 public:
  /// Throws FileError; CheckpointError if it is not a JSON object.
  explicit JsonFile(std::string path);
  /// An object without members if the file does not exist.
  static JsonFile if_there(const std::string& path);

  const std::string& path() const { return path_; }
  /// Whether the member exists and is not null.
  bool has(const std::string& name) const;

  /// The value of a member, which must exist unless it has a default. Each throws CheckpointError.
  int64_t whole_number(const std::string& name, Bounds bounds, std::optional<int64_t> standard = {}) const;
  double number(const std::string& name, Bounds bounds, std::optional<double> standard = {}) const;
  bool flag(const std::string& name, std::optional<bool> standard = {}) const;
  std::string text(const std::string& name, std::optional<std::string> standard = {}) const;
  /// The member as JSON; null if it does not exist.
  const nlohmann::json& member(const std::string& name) const;
  const nlohmann::json& object() const { return json_; }

  /// Throws CheckpointError: "`name` must be EXPECTED, but is VALUE".
  [[noreturn]] void refuse(const std::string& name, const std::string& expected) const;

 private:
  JsonFile(std::string path, nlohmann::json json) : path_(std::move(path)), json_(std::move(json)) {}
  /// Whether the member gives the value. Otherwise there must be a default.
  bool gives(const std::string& name, bool has_standard, const char* expected) const;

  std::string path_;
  nlohmann::json json_;
};

}  // namespace heed::interchange
