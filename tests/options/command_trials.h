// What the walk over the options of the commands beside `heed train` cannot find out by itself.
#pragma once

#include <map>
#include <string>

#include "options/option_walk.h"

namespace heed::options_test {

/// Writes text, and trains what the commands use, into `folder`: `model` and `other`, two translation models with the
/// same vocabularies, `lm` and `lm2`, language models with that of their target, `untied`, with two tables of
/// embeddings, and `unknowing`, with few words.
void make_models(const std::string& folder);
/// With which `model` was trained.
Settings model_settings(const std::string& folder);

/// By command, as it is called: "bpe learn". folder: of make_models().
std::map<std::string, Tables> command_tables(const std::string& folder);

/// Commands that are not walked, and why.
std::map<std::string, std::string> commands_not_walked();

}  // namespace heed::options_test
