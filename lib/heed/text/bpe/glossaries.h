// Parts of words that byte-pair encoding never splits: subword-nmt's glossaries, which are regular expressions.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heed::text {

class Glossaries {
 public:
  /// `patterns` have Python's syntax; see python_pattern.h. Throws ConfigError (`option`) for a pattern that is not a
  /// regular expression.
  Glossaries(const std::vector<std::string>& patterns, bool bytes, const std::string& option = "glossaries");
  ~Glossaries();
  Glossaries(Glossaries&&) noexcept;
  Glossaries& operator=(Glossaries&&) noexcept;

  bool empty() const { return patterns_.empty(); }
  /// Whether a glossary matches the whole part.
  bool whole(std::string_view part) const;
  /// Splits a word so that its glossaries are separate parts, one pattern after the other. As in Python's re.split,
  /// groups within a pattern become parts as well.
  std::vector<std::string> isolate(std::string_view word) const;

 private:
  struct Pattern;
  std::vector<std::string> isolate_one(const Pattern& pattern, const std::string& part) const;

  bool bytes_;
  std::vector<Pattern> patterns_;
  std::unique_ptr<Pattern> any_;  // ^(p1|p2)$
};

}  // namespace heed::text
