// A text without a name, such as that of a folder that is another one in each run.
#pragma once

#include <string>

namespace heed::options_test {

inline std::string without(std::string text, const std::string& name) {
  for (size_t place = 0; (place = text.find(name)) != std::string::npos;) text.erase(place, name.size());
  return text;
}

}  // namespace heed::options_test
