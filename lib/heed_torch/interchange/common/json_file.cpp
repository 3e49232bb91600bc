#include "heed_torch/interchange/common/json_file.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/text/json_nesting.h"

namespace heed::interchange {
namespace {

constexpr size_t kLongestShown = 60;

std::string range_of(const char* kind, Bounds bounds) {
  return fmt::format("{} from {} to {}", kind, bounds.lowest, bounds.highest);
}

}  // namespace

std::string shown_json(const nlohmann::json& value) {
  std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > kLongestShown) text = text.substr(0, kLongestShown) + "...";
  return text;
}

JsonFile::JsonFile(std::string path) : path_(std::move(path)) {
  const std::string content = read_regular_file(path_);
  if (is_nested_deeper(content)) throw CheckpointError(path_, nested_too_deep());
  json_ = nlohmann::json::parse(content, nullptr, /*allow_exceptions=*/false);
  if (!json_.is_object()) throw CheckpointError(path_, "is not a JSON object, or it is truncated");
}

JsonFile JsonFile::if_there(const std::string& path) {
  return std::filesystem::exists(path) ? JsonFile(path) : JsonFile(path, nlohmann::json::object());
}

bool JsonFile::has(const std::string& name) const { return !member(name).is_null(); }

const nlohmann::json& JsonFile::member(const std::string& name) const {
  static const nlohmann::json kNull;
  const auto found = json_.find(name);
  return found == json_.end() ? kNull : *found;
}

void JsonFile::refuse(const std::string& name, const std::string& expected) const {
  const nlohmann::json& value = member(name);
  throw CheckpointError(path_, fmt::format("`{}` must be {}, but {}", name, expected,
                                           value.is_null() ? "is missing" : "is " + shown_json(value)));
}

bool JsonFile::gives(const std::string& name, bool has_standard, const char* expected) const {
  if (has(name)) return true;
  if (!has_standard) refuse(name, expected);
  return false;
}

int64_t JsonFile::whole_number(const std::string& name, Bounds bounds, std::optional<int64_t> standard) const {
  if (!gives(name, standard.has_value(), "a whole number")) return *standard;
  const nlohmann::json& value = member(name);
  if (!value.is_number_integer() || !bounds.contain(value.get<double>()))
    refuse(name, range_of("a whole number", bounds));
  return value.get<int64_t>();
}

double JsonFile::number(const std::string& name, Bounds bounds, std::optional<double> standard) const {
  if (!gives(name, standard.has_value(), "a number")) return *standard;
  const nlohmann::json& value = member(name);
  if (!value.is_number() || !bounds.contain(value.get<double>())) refuse(name, range_of("a number", bounds));
  return value.get<double>();
}

bool JsonFile::flag(const std::string& name, std::optional<bool> standard) const {
  if (!gives(name, standard.has_value(), "true or false")) return *standard;
  const nlohmann::json& value = member(name);
  if (!value.is_boolean()) refuse(name, "true or false");
  return value.get<bool>();
}

std::string JsonFile::text(const std::string& name, std::optional<std::string> standard) const {
  if (!gives(name, standard.has_value(), "a text")) return *standard;
  const nlohmann::json& value = member(name);
  if (!value.is_string()) refuse(name, "a text");
  return value.get<std::string>();
}

}  // namespace heed::interchange
