// Links between words as links between tokens, for guided alignment.
#pragma once

#include <vector>

#include "heed/data/corpus/corpus_files.h"
#include "heed/data/corpus/micro_batch.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// The links between the tokens of a pair. Two tokens are linked if their words are. A target token shares its
/// attention evenly among its links.
///
/// text: a pair with an alignment (TextPair), whose words are separated by white space. source, target: its ids by
/// these tokenizers, perhaps sampled. There are no links if the words of the ids cannot be found: if a sample has
/// unknown tokens in the middle of words, or a normalizer or placeholder joins words or splits them at spaces.
std::vector<TokenLink> token_links(const TextPair& text, const text::Ids& source, const text::Ids& target,
                                   const text::Tokenizers& tokenizers);

}  // namespace heed::data
