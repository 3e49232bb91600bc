// What is demanded of the wording of translations: terms that are translated as a list says, phrases that never come,
// and how each begins.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heed/search/rules/demands.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/term_list.h"

namespace heed::translation {

class Wording {
 public:
  /// target: the tokenizer of translations.
  explicit Wording(std::shared_ptr<const text::Tokenizer> target) : target_(std::move(target)) {}

  /// Lines of SOURCE TAB TARGET; blank ones are left out. Throws InputError with the line where one has no such form,
  /// has a source that another has, or a target with what the vocabulary lacks; FileError.
  void read_terms(const std::string& path);
  /// Lines of a phrase each; blank ones are left out. Throws FileError, InputError.
  void read_forbidden(const std::string& path);

  /// Every translation begins with this, which tells a model of several languages which one to write; it is not part of
  /// the text. Throws ConfigError where the vocabulary cannot spell it.
  void tag(const std::string& text);

  /// Of the translation of a line, or of a part of one, that is to begin with `prefix`; null: nothing is demanded.
  std::shared_ptr<const search::Demands> demands(std::string_view source, std::string_view prefix) const;

 private:
  std::shared_ptr<const text::Tokenizer> target_;
  text::Ids tag_;
  TermList terms_;
  std::vector<text::Spellings> forbidden_;
};

}  // namespace heed::translation
