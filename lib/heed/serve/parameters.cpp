#include "heed/serve/parameters.h"

#include <utility>

#include <fmt/format.h>

#include "heed/core/parsed_number.h"
#include "heed/core/text/json_nesting.h"
#include "heed/core/text/unicode.h"

namespace heed::serve {
namespace {

RequestError refused(const std::string& message) { return {400, message}; }

[[noreturn]] void fail(const std::string& name, const std::string& expected, const nlohmann::json& found) {
  throw refused(fmt::format("`{}` must be {}, but is a JSON {}", name, expected, found.type_name()));
}

nlohmann::json parse_object(const std::string& body) {
  if (is_nested_deeper(body)) throw refused("the JSON " + nested_too_deep());
  nlohmann::json json = nlohmann::json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw refused("the body is neither JSON nor a form");
  if (!json.is_object())
    throw refused(fmt::format("the body must be a JSON object, but is a JSON {}", json.type_name()));
  return json;
}

}  // namespace

Parameters::Parameters(const HttpRequest& request) : members_(nlohmann::json::object()) {
  for (const auto& [name, value] : request.fields) {
    if (first_invalid_utf8(name) || first_invalid_utf8(value)) throw refused("a field of the form is not UTF-8");
    members_[name] = value;
  }
  if (!request.body.empty()) members_.update(parse_object(request.body));
}

const nlohmann::json* Parameters::find(const std::string& name) const {
  const auto found = members_.find(name);
  return found == members_.end() || found->is_null() ? nullptr : &*found;
}

std::string Parameters::text(const std::string& name) const {
  const nlohmann::json* found = find(name);
  if (found == nullptr) return "";
  if (!found->is_string()) fail(name, "a text", *found);
  return found->get<std::string>();
}

std::string Parameters::required_text(const std::string& name, const std::string& what) const {
  std::string found = text(name);
  if (found.empty()) throw refused(fmt::format("`{}` is missing: {}", name, what));
  return found;
}

int64_t Parameters::whole_number(const std::string& name, int64_t absent) const {
  const nlohmann::json* found = find(name);
  if (found == nullptr) return absent;
  if (found->is_number_integer()) return found->get<int64_t>();
  const auto parsed = found->is_string() ? parsed_number<int64_t>(found->get_ref<const std::string&>()) : std::nullopt;
  if (!parsed) fail(name, "a whole number", *found);
  return *parsed;
}

bool Parameters::flag(const std::string& name) const {
  const nlohmann::json* found = find(name);
  if (found == nullptr) return false;
  if (found->is_boolean()) return found->get<bool>();
  if (*found == "true" || *found == "false") return *found == "true";
  fail(name, "true or false", *found);
}

nlohmann::json Parameters::object(const std::string& name, const std::string& what) const {
  const nlohmann::json* found = find(name);
  if (found == nullptr) return nlohmann::json::object();
  nlohmann::json json = *found;
  if (const auto* text = found->get_ptr<const std::string*>()) {
    if (is_nested_deeper(*text)) throw refused(fmt::format("`{}`: the JSON {}", name, nested_too_deep()));
    json = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  }
  if (!json.is_object()) throw refused(fmt::format("`{}` must be {}", name, what));
  return json;
}

Parameters::Texts Parameters::texts(const std::string& name) const {
  const nlohmann::json* found = find(name);
  if (found == nullptr) throw refused(fmt::format("`{}` is missing: a text, or a list of texts", name));
  if (found->is_string()) return {.texts = {found->get<std::string>()}};
  if (!found->is_array()) fail(name, "a text or a list of texts", *found);
  Texts list{.texts = {}, .is_list = true};
  for (const nlohmann::json& item : *found) {
    if (!item.is_string()) fail(name, "a list of texts", item);
    list.texts.push_back(item.get<std::string>());
  }
  return list;
}

}  // namespace heed::serve
