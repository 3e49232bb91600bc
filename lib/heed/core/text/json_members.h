// Reads the members of a JSON object one by one. An error names the member, its expected type and what was found.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace heed {

/// Members have dotted names: "schedule.waiting" is the member `waiting` of the object `schedule`. All functions throw
/// Error if a member is missing or has another type: "`schedule.waiting` must be a whole number, but is missing".
class JsonMembers {
 public:
  using Json = nlohmann::ordered_json;

  /// prefix: precedes the names in errors, such as "stream." for an object that is a member itself.
  explicit JsonMembers(const Json& json, std::string prefix = "") : json_(json), prefix_(std::move(prefix)) {}

  /// Whether the member exists and is not null.
  bool has(std::string_view name) const { return !member(name).is_null(); }
  double number(std::string_view name) const;
  int64_t whole_number(std::string_view name) const;
  std::vector<int64_t> whole_numbers(std::string_view name) const;
  uint64_t natural_number(std::string_view name) const;
  bool flag(std::string_view name) const;
  std::string text(std::string_view name) const;
  /// An object. `json` must outlive it.
  JsonMembers members(std::string_view name) const;

 private:
  const Json& member(std::string_view name) const;  // null if it is missing
  [[noreturn]] void refuse(std::string_view name, std::string_view expected) const;

  const Json& json_;
  std::string prefix_;
};

}  // namespace heed
