// Learns SentencePiece models in this process, from lines of any source.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "heed/text/tokenizer.h"
#include "heed/text/tokenizer_options.h"

namespace heed::text {

/// `model_type` is SentencePiece's name: "unigram" or "bpe". `normalizer` replaces the normalizers in the options.
/// Throws ConfigError if `vocab_size` is too small for the text's characters, Error for a blank text, and what `lines`
/// throws.
std::shared_ptr<const Tokenizer> learn_sentence_pieces(std::string_view model_type, const SubwordOptions& options,
                                                       Normalizer normalizer, int64_t vocab_size, LineSource lines);

/// Learns one vocabulary from the text of both sides, each normalized by its own option. If the normalizers differ, the
/// result is two models with the same pieces; else both sides share one tokenizer. Throws the same.
Tokenizers learn_joint_sentence_pieces(std::string_view model_type, const SubwordOptions& options, int64_t vocab_size,
                                       LineSource source, LineSource target);

}  // namespace heed::text
