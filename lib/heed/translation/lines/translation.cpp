#include "heed/translation/lines/translation.h"

namespace heed::translation {

text::Alignment word_alignment(const Translation& translation) {
  return {.source = translation.source_words.names,
          .target = translation.target_words.names,
          .weights = text::merged(translation.attention, translation.source_words, translation.target_words),
          .heads = text::merged_heads(translation.heads, translation.source_words, translation.target_words)};
}

text::Alignment token_alignment(const Translation& translation, const text::Tokenizers& tokenizers) {
  return {.source = text::token_units(*tokenizers.source, translation.source).names,
          .target = text::token_units(*tokenizers.target, translation.target).names,
          .weights = translation.attention,
          .heads = translation.heads};
}

}  // namespace heed::translation
