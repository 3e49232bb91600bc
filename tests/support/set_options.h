// Sets described options from stored JSON: {"name": value, ...}.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "heed/core/options.h"

namespace heed::testing {

class OptionSetter : public OptionVisitor {
 public:
  explicit OptionSetter(const nlohmann::json& values) : values_(values) {}

 protected:
  void field(const OptionField& field) override {
    const auto value = values_.find(std::string(field.name));
    if (value == values_.end()) return;
    field.set(std::vector<std::string>{value->is_string() ? value->get<std::string>() : value->dump()});
  }
  void enter(std::string_view, std::string_view) override {}
  void leave() override {}

 private:
  const nlohmann::json& values_;
};

/// The defaults, but for what `values` names.
template <class Options>
Options options_from(const nlohmann::json& values) {
  Options options;
  OptionSetter setter(values);
  describe(options, setter);
  return options;
}

}  // namespace heed::testing
