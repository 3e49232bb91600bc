// A request for /translate_file: a document or a text file, and its translation.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "heed/serve/batcher.h"
#include "heed/serve/document_texts.h"
#include "heed/serve/http_exchange.h"
#include "heed/serve/model_set.h"
#include "heed/serve/parameters.h"
#include "heed/serve/text_lines.h"

namespace heed::serve {

/// The endings of the files' names that a server translates, sorted: ".docx", ...
std::vector<std::string> translated_endings();

class FileQuery {
 public:
  /// Reads the document and the parameters `target`, the language, and `terms`. Throws RequestError for names with
  /// other endings and wrong parameters; InputError if the file has not the format of its name.
  FileQuery(const UploadedFile& file, const Parameters& parameters);

  /// The lines to translate, without markup.
  const std::vector<std::string>& lines() const;
  /// What to translate, without a deadline and `done`.
  TranslationJob job(const ModelSet::Entry& entry) const;
  /// The name of the translated file, such as page_de.html: letters of ASCII, digits, `.`, `-` and `_`.
  const std::string& name() const { return name_; }
  /// The translated file.
  std::string translated(const std::vector<translation::Translation>& translations) const;

 private:
  std::variant<TextLines, DocumentTexts> text_;
  std::string name_;
  std::vector<std::pair<std::string, std::string>> terms_;
};

}  // namespace heed::serve
