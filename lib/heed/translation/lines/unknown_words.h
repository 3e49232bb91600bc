// What is written for a word that the model has no token for: the source word that it looks at most there, or what a
// dictionary has for that (Luong et al. 2015, https://arxiv.org/abs/1410.8206; Jean et al. 2015, section 4.2).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "heed/search/forbidden_phrases.h"
#include "heed/text/alignment.h"
#include "heed/text/tokenizer.h"

namespace heed::translation {

class UnknownWords {
 public:
  /// target: the tokenizer of translations.
  explicit UnknownWords(std::shared_ptr<const text::Tokenizer> target) : target_(std::move(target)) {}

  /// Lines of SOURCE TAB TARGET, a word each; blank ones are left out. Throws InputError with the line that has another
  /// form or a source that another has; FileError.
  void read_dictionary(const std::string& path);

  /// What the dictionary has for a source word, or the word itself.
  std::string instead_of(const std::string& source) const;

  /// The text of ids where every unknown token behind the first `given` ones has been replaced. source: the words of
  /// the source; attention: of each id over the source's tokens (rows and columns behind them are left out). A word
  /// that would make the text contain a phrase of `forbidden`, if that is not null, does not replace anything.
  std::string text_of(const text::Ids& ids, size_t given, const text::AlignmentUnits& source,
                      const text::AlignmentWeights& attention,
                      const search::ForbiddenPhrases* forbidden = nullptr) const;

 private:
  std::shared_ptr<const text::Tokenizer> target_;
  std::unordered_map<std::string, std::string> dictionary_;
};

}  // namespace heed::translation
