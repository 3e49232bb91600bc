#include "arguments.h"

#include <algorithm>

#include <fmt/format.h>

#include "heed/command_line/former_names.h"

namespace nb = nanobind;

namespace heed::python {
namespace {

std::string type_of(const nb::handle& value) { return nb::cast<std::string>(nb::str(value.type().attr("__name__"))); }

bool is_text(const nb::handle& value) { return PyUnicode_Check(value.ptr()) != 0; }

std::string utf8(const nb::handle& text) {
  PyObject* bytes = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass");
  if (bytes == nullptr) throw nb::python_error();
  const auto owned = nb::steal<nb::bytes>(bytes);
  return {owned.c_str(), owned.size()};
}

std::string value_of(const std::string& name, const nb::handle& value) {
  if (value.is_none()) return "none";
  if (value.is(Py_True)) return "true";
  if (value.is(Py_False)) return "false";
  if (is_text(value)) return utf8(value);
  const bool is_path = nb::hasattr(value, "__fspath__");
  const bool is_number = PyNumber_Check(value.ptr()) != 0;
  if (is_path || is_number) return utf8(nb::str(value));
  std::string keyword = name;
  std::ranges::replace(keyword, '-', '_');
  throw nb::type_error(
      fmt::format("{} must be a number, a string, None, or a list of them, found {}", keyword, type_of(value)).c_str());
}

std::vector<std::string> values_of(const std::string& name, const nb::handle& value) {
  if (!nb::isinstance<nb::list>(value) && !nb::isinstance<nb::tuple>(value)) return {value_of(name, value)};
  std::vector<std::string> values;
  for (const nb::handle one : value) values.push_back(value_of(name, one));
  return values;
}

}  // namespace

std::vector<std::string> lines_of(const nb::handle& lines, const char* name) {
  if (is_text(lines)) throw nb::type_error(fmt::format("{} must be a list of strings, not one string", name).c_str());
  std::vector<std::string> result;
  for (const nb::handle line : nb::iter(lines)) {
    if (!is_text(line)) {
      throw nb::type_error(
          fmt::format("{} must be strings, but item {} is {}", name, result.size() + 1, type_of(line)).c_str());
    }
    result.push_back(utf8(line));
  }
  return result;
}

config::Layer settings_of(const nb::dict& options, const std::string& prefix) {
  config::Layer settings;
  for (const auto& [key, value] : options) {
    if (!is_text(key)) throw nb::type_error(fmt::format("options have names, found {}", type_of(key)).c_str());
    std::string name = prefix + utf8(key);
    std::ranges::replace(name, '_', '-');
    if (nb::isinstance<nb::dict>(value)) {
      config::Layer section = settings_of(nb::cast<nb::dict>(value), name + ".");
      settings.insert(settings.end(), section.begin(), section.end());
    } else {
      settings.push_back({.name = std::string(config::present_name(name)), .values = values_of(name, value)});
    }
  }
  return settings;
}

}  // namespace heed::python
