// Text of a few words that leaves something to every option: upper case, ligatures, rare words and letters, long lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/core/files/atomic_file.h"
#include "heed/core/random.h"

namespace heed::options_test {

/// Lines of number words and the same in German, in reverse order, written as NAME.en and NAME.de into `folder`.
inline void write_text(const std::string& folder, const std::string& name, int64_t lines, uint64_t seed) {
  const std::vector<std::string> english{"one", "two", "three", "four", "ﬁve", "Six", "seven", "eight@@", "nine"};
  const std::vector<std::string> german{"eins", "zwei", "drei", "vier", "fünf", "Sechs", "sieben", "acht@@", "neun"};
  RandomStream random(seed, Purpose::Test);
  std::string source, target;
  for (int64_t line = 0; line < lines; ++line) {
    std::string left, right;
    for (uint64_t count = 1 + random.below(6); count > 0; --count) {
      const size_t word = random.below(english.size());
      left += (left.empty() ? "" : " ") + english[word];
      right = german[word] + (right.empty() ? "" : " ") + right;
    }
    if (line == 5) left += " qu\u200bartz", right += " \u00e6on";  // once each
    source += left + '\n';
    target += right + '\n';
  }
  write_file(folder + "/" + name + ".en", source);
  write_file(folder + "/" + name + ".de", target);
}

}  // namespace heed::options_test
