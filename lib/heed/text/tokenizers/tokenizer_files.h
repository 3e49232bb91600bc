// Reads and writes the tokenizers of a model directory.
#pragma once

#include <memory>
#include <string>

#include "heed/text/tokenizer.h"
#include "heed/text/tokenizer_options.h"

namespace heed::text {

/// Reads a tokenizer, from a regular file; the file ending names its kind: Tokenizer::file_ending, or .model for
/// SentencePiece. Throws FileError, InputError.
std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& path);
/// Writes `directory`/source.ENDING and target.ENDING, each atomically. Throws FileError.
void save_tokenizers(const Tokenizers& tokenizers, const std::string& directory);
/// Reads what save_tokenizers wrote. Sides with the same content are one tokenizer, as after learning; without a source
/// file there is no source tokenizer. Throws CheckpointError, FileError, InputError.
Tokenizers load_tokenizers(const std::string& directory);
/// The same tokenizers with sample() as the options say. Sampling belongs to training, so that files do not hold it.
Tokenizers with_sampling(const Tokenizers& tokenizers, const TokenizerOptions& options);
/// The same for tokenizers of any origin: `sampling` of unigram models, `dropout` (0: none) of byte-pair encodings.
/// Throws ConfigError where a tokenizer is of another kind.
Tokenizers with_sampling(const Tokenizers& tokenizers, const UnigramSampling& sampling, double dropout);

}  // namespace heed::text
