#include "heed/translation/lines/translation.h"

namespace heed::translation {

text::Alignment word_alignment(const Translation& translation) {
  return {.source = translation.source_words.names,
          .target = translation.target_words.names,
          .weights = text::merged(translation.attention, translation.source_words, translation.target_words),
          .heads = text::merged_heads(translation.heads, translation.source_words, translation.target_words)};
}

text::Alignment token_alignment(const Translation& translation, const text::Tokenizers& tokenizers) {
  return {.source = tokenizers.source ? text::token_units(*tokenizers.source, translation.source).names
                                      : std::vector<std::string>{},
          .target = text::token_units(*tokenizers.target, translation.target).names,
          .weights = translation.attention,
          .heads = translation.heads};
}

text::AlignmentWeights word_item_attention(const Translation& translation) {
  if (translation.item_attention.empty()) return {};
  text::AlignmentUnits places;
  for (size_t place = 0; place < translation.item_attention.front().size(); ++place) {
    places.names.emplace_back();
    places.of_token.push_back(static_cast<int64_t>(place));
  }
  return text::merged(translation.item_attention, places, translation.target_words);
}

}  // namespace heed::translation
