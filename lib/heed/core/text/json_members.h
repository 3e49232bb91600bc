// Reads the members of a JSON object one by one. An error names the member, its expected type and what was found.
//
// A struct is written as a JSON object and read from it by one description below the struct, which names each member
// once:
//
//   void describe_members(StreamPosition& position, auto& visit) {
//     visit("epoch", position.epoch);          // in every file; a missing optional value is null
//     visit.added("window", position.window);  // older files lack it: the member then keeps its value
//     visit.if_set("lines", position.lines);   // only written if it is not the type's default value
//   }
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

/// The visitors of a description.
class JsonWriter {
 public:
  using Json = JsonMembers::Json;

  /// `json` must outlive the writer.
  explicit JsonWriter(Json& json) : json_(json) {}

  void operator()(const char* name, auto& value) { json_[name] = written(value); }
  void added(const char* name, auto& value) { json_[name] = written(value); }
  template <class T>
  void if_set(const char* name, T& value) {
    if (value != T{}) json_[name] = written(value);
  }

 private:
  template <class T>
  Json written(T& value) const {
    if constexpr (requires(JsonWriter& visit) { describe_members(value, visit); }) {
      Json json = Json::object();
      JsonWriter writer(json);
      describe_members(value, writer);
      return json;
    } else {
      return value;
    }
  }
  template <class T>
  Json written(std::optional<T>& value) const {
    return value ? written(*value) : Json();
  }

  Json& json_;
};

class JsonReader {
 public:
  explicit JsonReader(JsonMembers members) : members_(std::move(members)) {}

  void operator()(const char* name, auto& value) const { read(name, value); }
  void added(const char* name, auto& value) const {
    if (members_.has(name)) read(name, value);
  }
  void if_set(const char* name, auto& value) const { added(name, value); }

 private:
  void read(const char* name, double& value) const { value = members_.number(name); }
  void read(const char* name, int64_t& value) const { value = members_.whole_number(name); }
  void read(const char* name, uint64_t& value) const { value = members_.natural_number(name); }
  void read(const char* name, bool& value) const { value = members_.flag(name); }
  void read(const char* name, std::string& value) const { value = members_.text(name); }
  void read(const char* name, std::vector<int64_t>& value) const { value = members_.whole_numbers(name); }
  template <class T>
  void read(const char* name, std::optional<T>& value) const {
    value.reset();
    if (members_.has(name)) read(name, value.emplace());
  }
  template <class T>
  void read(const char* name, T& value) const {
    JsonReader reader(members_.members(name));
    describe_members(value, reader);
  }

  JsonMembers members_;
};

/// The JSON of a described struct.
template <class T>
JsonMembers::Json json_of(T value) {
  JsonMembers::Json json = JsonMembers::Json::object();
  JsonWriter writer(json);
  describe_members(value, writer);
  return json;
}

/// The described struct in a JSON object. Throws Error that names the member which is missing or has the wrong type.
template <class T>
T read_json(const JsonMembers& json) {
  T value;
  JsonReader reader(json);
  describe_members(value, reader);
  return value;
}

}  // namespace heed
