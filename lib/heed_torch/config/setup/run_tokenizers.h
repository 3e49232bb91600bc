// The tokenizers of a training: learned from its text or given, and kept in the model directory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "heed/core/error.h"
#include "heed/data/corpus/corpus_files.h"
#include "heed/data/streamed/pair_stream.h"
#include "heed/text/tokenizer.h"
#include "heed/text/tokenizers/learn_tokenizers.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Whether the model directory has tokenizers.
bool has_tokenizers(const checkpoint::RunDirectory& directory);
void remove_tokenizers(checkpoint::RunDirectory& directory);

/// The placeholders for the protected text of a training; null: none. Throws ConfigError.
std::shared_ptr<const text::Placeholders> placeholders_of(const TextOptions& options);

/// The text that tokenizers are learned from.
struct TokenizerText {
  bool has_source = false;
  std::string name;  ///< of its target files, for messages
  /// The lines of one side, from the first.
  std::function<text::LineSource(std::string data::TextPair::* side)> lines;
  /// The error to throw about the target of a line, counted from 0.
  std::function<InputError(int64_t line, const std::string& message)> error_at;
  /// Whether the text may be larger than this.
  std::function<bool(int64_t megabytes)> may_exceed;
};
/// Both sides with the placeholders of the options.
TokenizerText tokenizer_text(const data::CorpusFiles& files, const data::TextFormat& format,
                             const TextOptions& options);
/// The beginning of a stream, as much as the options learn from. It is read when needed, and training still gets it.
TokenizerText tokenizer_text(std::shared_ptr<data::PairStream> stream, const TextOptions& options);

/// Opens the tokenizers in the model directory, and the placeholders. If there are none, learns or reads them as the
/// options say and writes them there. Throws CheckpointError if those in the directory are damaged, ConfigError if
/// given ones do not fit the options, and what reading text and learning throw.
text::Tokenizers open_tokenizers(checkpoint::RunDirectory& directory, const RunOptions& options,
                                 const TokenizerText& text);

/// The same tokenizers, which sample segmentations as the options say.
text::Tokenizers sampling_tokenizers(const text::Tokenizers& tokenizers, const TextOptions& options);

}  // namespace heed::config
