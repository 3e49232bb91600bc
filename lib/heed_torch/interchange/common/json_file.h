// A file with one JSON object, whose members are what they must be or an error that names them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "heed/core/options.h"

namespace heed::interchange {

/// The value as JSON for messages, cut after 60 bytes.
std::string shown_json(const nlohmann::json& value);

class JsonFile {
 public:
  /// Throws FileError; CheckpointError where it is no JSON object.
  explicit JsonFile(std::string path);
  /// An object without members where there is no such file.
  static JsonFile if_there(const std::string& path);

  const std::string& path() const { return path_; }
  /// Whether the member is there and not null.
  bool has(const std::string& name) const;

  /// The member, which must be there unless it has a default. Throw CheckpointError.
  int64_t whole_number(const std::string& name, Bounds bounds, std::optional<int64_t> standard = {}) const;
  double number(const std::string& name, Bounds bounds, std::optional<double> standard = {}) const;
  bool flag(const std::string& name, std::optional<bool> standard = {}) const;
  std::string text(const std::string& name, std::optional<std::string> standard = {}) const;
  /// The member as it is; null where there is none.
  const nlohmann::json& member(const std::string& name) const;
  const nlohmann::json& object() const { return json_; }

  /// Throws CheckpointError: "`name` must be EXPECTED, but is VALUE".
  [[noreturn]] void refuse(const std::string& name, const std::string& expected) const;

 private:
  JsonFile(std::string path, nlohmann::json json) : path_(std::move(path)), json_(std::move(json)) {}
  /// Whether the member gives the value; else the default must.
  bool gives(const std::string& name, bool has_standard, const char* expected) const;

  std::string path_;
  nlohmann::json json_;
};

}  // namespace heed::interchange
