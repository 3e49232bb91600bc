// What the walk over the options of `heed train` cannot find out by itself.
#pragma once

#include <string>

#include "options/option_walk.h"

namespace heed::options_test {

/// folder: with the files of write_training_files().
Tables train_tables(const std::string& folder);

/// Text for training and validation, other text, and tokenizers and word vectors that fit it.
void write_training_files(const std::string& folder);

}  // namespace heed::options_test
