// The tokenizers of a training: learned from its text or given, and kept in the model directory.
#pragma once

#include "heed/checkpoint/run_directory.h"
#include "heed/config/run_options.h"
#include "heed/data/corpus/corpus_files.h"
#include "heed/text/tokenizer.h"

namespace heed::config {

/// Whether the model directory has tokenizers.
bool has_tokenizers(const checkpoint::RunDirectory& directory);
void remove_tokenizers(checkpoint::RunDirectory& directory);

/// The tokenizers in the model directory; where there are none, learns or reads them as the options say and puts them
/// there. Throws CheckpointError when those in the directory are damaged, ConfigError when given ones do not suit the
/// options, and what reading text and learning throw.
text::Tokenizers open_tokenizers(checkpoint::RunDirectory& directory, const RunOptions& options,
                                 const data::CorpusFiles& files);

/// The same, drawing segmentations as the options say.
text::Tokenizers sampling_tokenizers(const text::Tokenizers& tokenizers, const TextOptions& options);

}  // namespace heed::config
