// The members of a JSON object, read one by one: an error names the member, what it must be and what it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace heed {

/// Members have dotted names: "schedule.waiting" is the member `waiting` of the object that is the member `schedule`.
/// All throw Error where a member is missing or of another type: "`schedule.waiting` must be a whole number, but is
/// missing".
class JsonMembers {
 public:
  using Json = nlohmann::ordered_json;

  /// prefix: what errors put before the names, such as "stream." for an object that is a member itself.
  explicit JsonMembers(const Json& json, std::string prefix = "") : json_(json), prefix_(std::move(prefix)) {}

  /// Whether it is there, and not null.
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
  const Json& member(std::string_view name) const;  // null where it is missing
  [[noreturn]] void refuse(std::string_view name, std::string_view expected) const;

  const Json& json_;
  std::string prefix_;
};

}  // namespace heed
