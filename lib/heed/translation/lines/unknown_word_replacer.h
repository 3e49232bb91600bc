// Replaces unknown tokens of a translation: by the source word with the most attention, or by its translation in a
// dictionary (Luong et al. 2015, https://arxiv.org/abs/1410.8206; Jean et al. 2015, section 4.2).
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

class UnknownWordReplacer {
 public:
  /// target: the tokenizer of translations.
  explicit UnknownWordReplacer(std::shared_ptr<const text::Tokenizer> target) : target_(std::move(target)) {}

  /// Reads lines SOURCE TAB TARGET with one word on each side; skips blank lines. Throws InputError with the line
  /// number if a line has another form or repeats a source; FileError.
  void read_dictionary(const std::string& path);

  /// The dictionary's translation of a source word, or the word itself.
  std::string instead_of(const std::string& source) const;

  /// The text of ids with the unknown tokens replaced. The first `given` ids are kept.
  /// source: the words of the source. attention: of each id over the source's tokens; further rows and columns are
  /// ignored. forbidden: a word that would make the text contain such a phrase is not used; null: none.
  std::string text_of(const text::Ids& ids, size_t given, const text::AlignmentUnits& source,
                      const text::AlignmentWeights& attention,
                      const search::ForbiddenPhrases* forbidden = nullptr) const;

 private:
  std::shared_ptr<const text::Tokenizer> target_;
  std::unordered_map<std::string, std::string> dictionary_;
};

}  // namespace heed::translation
