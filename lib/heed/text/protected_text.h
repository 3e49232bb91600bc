// Text that a translation must repeat unchanged: URLs, mail addresses, placeholders of programs, markup.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::text {

enum class ProtectedKind {
  Url,          ///< https://example.org/page
  Mail,         ///< someone@example.org
  Placeholder,  ///< %s, %1$d, %(name)s, {0}, {name}, ${name}, $name, $(name), {{name}}
  Reference,    ///< &amp;, &#228;
  Tag,          ///< <b>, </b>, <br/>
  Number,       ///< 12, 3.5, 1,000
};
constexpr auto option_names(ProtectedKind) {
  return std::array{std::pair{ProtectedKind::Url, "url"},
                    std::pair{ProtectedKind::Mail, "mail"},
                    std::pair{ProtectedKind::Placeholder, "placeholder"},
                    std::pair{ProtectedKind::Reference, "reference"},
                    std::pair{ProtectedKind::Tag, "tag"},
                    std::pair{ProtectedKind::Number, "number"}};
}

/// What is protected.
struct ProtectedRules {
  std::vector<ProtectedKind> kinds = {};
  std::vector<std::string> patterns = {};  ///< regular expressions of ICU
  bool any() const { return !kinds.empty() || !patterns.empty(); }
  bool operator==(const ProtectedRules&) const = default;
};
/// Reads the names of kinds. The result is in the order of the kinds, each once. option: for messages. Throws
/// ConfigError for another name.
std::vector<ProtectedKind> protected_kinds(std::span<const std::string> names, const std::string& option);
/// All that one of them protects.
ProtectedRules united(const ProtectedRules& one, const ProtectedRules& other);

/// The place of a match, in bytes: [begin, end).
struct ProtectedMatch {
  size_t begin = 0, end = 0;
};

class ProtectedText {
 public:
  /// patterns: further ones, regular expressions of ICU. Throws ConfigError for an invalid
  /// expression, and for one that matches the empty text.
  explicit ProtectedText(const std::vector<ProtectedKind>& kinds, const std::vector<std::string>& patterns = {});
  ~ProtectedText();
  ProtectedText(ProtectedText&&) noexcept;
  ProtectedText& operator=(ProtectedText&&) noexcept;

  /// The matches from left to right, without overlaps. Of matches at the same place, that of the first pattern counts,
  /// and patterns come before kinds. text: well-formed UTF-8. Thread-safe.
  std::vector<ProtectedMatch> find(std::string_view text) const;

 private:
  struct Expressions;
  std::unique_ptr<const Expressions> expressions_;
};

}  // namespace heed::text
