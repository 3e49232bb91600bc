// Finds the tags, comments and text of HTML and XML, with their places in the document.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/documents/character_references.h"
#include "heed/documents/document.h"

namespace heed::documents {

struct MarkupAttribute {
  std::string name = {};  ///< HTML: in lower case
  Range value = {};       ///< without quotes
  char quote = 0;         ///< 0: none
};

struct MarkupToken {
  enum class Kind {
    Text,
    CData,
    StartTag,
    EndTag,
    Other,  ///< a comment, a declaration or a processing instruction
  } kind = Kind::Text;
  Range range = {};
  Range content = {};     ///< CData: without its marks
  std::string name = {};  ///< of a tag. HTML: in lower case
  std::vector<MarkupAttribute> attributes = {};
  bool is_empty = false;  ///< a start tag that ends in />

  const MarkupAttribute* attribute(std::string_view attribute_name) const;
};

class MarkupScanner {
 public:
  /// name: of the document, for messages. source must outlive the scanner.
  MarkupScanner(const std::string& source, MarkupLanguage language, std::string name)
      : source_(source), language_(language), name_(std::move(name)) {}

  /// The next token; absent at the end. Throws InputError for markup that does not end, and in XML for what is not
  /// well-formed.
  std::optional<MarkupToken> next();
  /// Moves to the end tag `</tag`, or to the end, and returns the range before it.
  Range skip_to_end_tag(std::string_view tag);
  /// Throws InputError with the line of the byte.
  [[noreturn]] void fail(size_t offset, const std::string& message) const;

 private:
  MarkupToken text_token();
  MarkupToken delimited(std::string_view end, std::string_view what, MarkupToken::Kind kind = MarkupToken::Kind::Other);
  MarkupToken tag();
  void read_attributes(MarkupToken& token, size_t& at) const;
  bool begins_markup(size_t at) const;

  const std::string& source_;
  MarkupLanguage language_;
  std::string name_;
  size_t at_ = 0;
};

}  // namespace heed::documents
