// Character references of HTML and XML, such as &amp; and &#228;.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::documents {

enum class MarkupLanguage { Html, Xml };

struct DecodedText {
  std::string text = {};
  /// The characters that were written as references, and these references.
  std::vector<std::pair<char32_t, std::string>> spellings = {};
  bool is_complete = true;  ///< false if a reference of XML is not known
};

/// Replaces the references. HTML: all names of the standard, by gumbo. XML: the five names of XML.
DecodedText decode_references(std::string_view text, MarkupLanguage language);

}  // namespace heed::documents
