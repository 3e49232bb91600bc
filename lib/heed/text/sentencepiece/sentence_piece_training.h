// Learns SentencePiece models from lines, in this process: the text need not be one file, or a file at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "heed/text/tokenizer.h"
#include "heed/text/tokenizer_options.h"

namespace heed::text {

/// Throws ConfigError when `vocab_size` has no room for the text's characters, Error for a blank text, and what `lines`
/// throws. `model_type` is SentencePiece's name: "unigram" or "bpe". The options' own normalizers do not count.
std::shared_ptr<const Tokenizer> learn_sentence_pieces(std::string_view model_type, const SubwordOptions& options,
                                                       Normalizer normalizer, int64_t vocab_size, LineSource lines);

/// One vocabulary of both sides' text, each side normalized as the options say. Where the normalizers differ, there are
/// two models with the same pieces; else both sides share one tokenizer. Throws the same.
Tokenizers learn_joint_sentence_pieces(std::string_view model_type, const SubwordOptions& options, int64_t vocab_size,
                                       LineSource source, LineSource target);

}  // namespace heed::text
