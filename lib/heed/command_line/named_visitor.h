// A visitor of described options that tracks their dotted names.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/options.h"

namespace heed::config {

class NamedVisitor : public OptionVisitor {
 public:
  const std::map<std::string, std::string>& section_help() const { return section_help_; }

 protected:
  void enter(std::string_view section, std::string_view help) override {
    sections_.push_back(name_of(section));
    section_help_[sections_.back()] = help;
  }
  void leave() override { sections_.pop_back(); }

  /// "" at the top level.
  std::string section() const { return sections_.empty() ? std::string() : sections_.back(); }
  std::string name_of(std::string_view field) const {
    return sections_.empty() ? std::string(field) : sections_.back() + '.' + std::string(field);
  }

 private:
  std::vector<std::string> sections_;
  std::map<std::string, std::string> section_help_;
};

}  // namespace heed::config
