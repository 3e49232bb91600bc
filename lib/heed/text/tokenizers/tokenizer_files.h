// Reads and writes the tokenizers of a model directory.
#pragma once

#include <memory>
#include <string>

#include "heed/text/tokenizer.h"
#include "heed/text/tokenizer_options.h"

namespace heed::text {

/// Reads a tokenizer from a regular file. The file ending determines its kind: Tokenizer::file_ending, or .model for
/// SentencePiece. Throws FileError, InputError.
std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& path);
/// Writes `directory`/source.ENDING and target.ENDING, and placeholders.json if there are placeholders, each
/// atomically. Throws FileError.
void save_tokenizers(const Tokenizers& tokenizers, const std::string& directory);
/// Reads the files of save_tokenizers. If both sides have the same content, they share one tokenizer, as after
/// learning. Without a source file there is no source tokenizer. Throws CheckpointError, FileError, InputError.
Tokenizers load_tokenizers(const std::string& directory);
/// The same tokenizers, with sample() as in the options. Sampling is an option of training, so it is not in the files.
Tokenizers with_sampling(const Tokenizers& tokenizers, const TokenizerOptions& options);
/// The same for tokenizers from any source: `sampling` for unigram models, `dropout` (0: off) for byte-pair encodings.
/// Throws ConfigError if a tokenizer has another kind.
Tokenizers with_sampling(const Tokenizers& tokenizers, const UnigramSampling& sampling, double dropout);

}  // namespace heed::text
