// Learns a byte-pair encoding and its vocabulary from lines, or reads them from files.
#pragma once

#include <cstddef>
#include <memory>

#include "heed/text/tokenizer.h"
#include "heed/text/tokenizer_options.h"

namespace heed::text {

/// `side` selects the file of options.codes and options.vocabulary if they have several. With dropout every character
/// and every merge has an entry, so that every unit sampled in training is known. Throws Error for a text without words
/// or pairs; FileError, InputError and ConfigError for files; and what `lines` throws.
std::shared_ptr<const Tokenizer> learn_bpe_tokenizer(const BpeOptions& options, size_t side, const LineSource& lines);

}  // namespace heed::text
