#include "heed/core/text/json_members.h"

#include <algorithm>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/printable.h"

namespace heed {
namespace {

constexpr size_t kLongestValue = 60;  // maximum bytes of a value in an error message

/// Whether the value is an integer that fits into int64.
bool is_whole_number(const JsonMembers::Json& value) {
  return value.is_number_integer() && (!value.is_number_unsigned() || value.get<uint64_t>() <= INT64_MAX);
}

}  // namespace

const JsonMembers::Json& JsonMembers::member(std::string_view name) const {
  static const Json kNull;
  const Json* value = &json_;
  while (!name.empty()) {
    const size_t dot = name.find('.');
    const auto found = value->is_object() ? value->find(std::string(name.substr(0, dot))) : value->end();
    if (found == value->end()) return kNull;
    value = &*found;
    name.remove_prefix(dot == std::string_view::npos ? name.size() : dot + 1);
  }
  return *value;
}

void JsonMembers::refuse(std::string_view name, std::string_view expected) const {
  const Json& value = member(name);
  const std::string shown = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  throw Error(fmt::format("`{}{}` must be {}, but is {}", prefix_, name, expected,
                          value.is_null() ? "missing" : shortened(shown, kLongestValue)));
}

double JsonMembers::number(std::string_view name) const {
  if (!member(name).is_number()) refuse(name, "a number");
  return member(name).get<double>();
}

int64_t JsonMembers::whole_number(std::string_view name) const {
  if (!is_whole_number(member(name))) refuse(name, "a whole number");
  return member(name).get<int64_t>();
}

std::vector<int64_t> JsonMembers::whole_numbers(std::string_view name) const {
  const Json& value = member(name);
  if (!value.is_array() || !std::ranges::all_of(value, is_whole_number)) refuse(name, "a list of whole numbers");
  return value.get<std::vector<int64_t>>();
}

uint64_t JsonMembers::natural_number(std::string_view name) const {
  if (!member(name).is_number_unsigned()) refuse(name, "a whole number of at least 0");
  return member(name).get<uint64_t>();
}

bool JsonMembers::flag(std::string_view name) const {
  if (!member(name).is_boolean()) refuse(name, "true or false");
  return member(name).get<bool>();
}

std::string JsonMembers::text(std::string_view name) const {
  if (!member(name).is_string()) refuse(name, "a text");
  return member(name).get<std::string>();
}

JsonMembers JsonMembers::members(std::string_view name) const {
  if (!member(name).is_object()) refuse(name, "an object");
  return JsonMembers(member(name), fmt::format("{}{}.", prefix_, name));
}

}  // namespace heed
