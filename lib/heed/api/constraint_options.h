// The options of constraints on translations, and of the selection by minimum Bayes risk. `heed translate` and
// heed::TranslateRequest share them.
#pragma once

#include <string>

#include "heed/api/minimum_risk.h"
#include "heed/architecture/architecture.h"
#include "heed/core/options.h"
#include "heed/search/search_options.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/translation_constraints.h"
#include "heed/translation/translator.h"

namespace heed::api {

struct ConstraintOptions {
  std::string terminology = {};  ///< file of terms, SOURCE TAB TARGET per line; empty: no terms
  translation::TermOptions terms = {};
  std::string forbid = {};       ///< file of forbidden phrases; empty: none
  std::string target_tag = {};   ///< begins each translation, but is not written
  bool replace_unknown = false;  ///< replace each unknown token by a source word
  std::string dictionary = {};   ///< file of replacements for unknown words, SOURCE TAB TARGET per line; empty: none
  RiskOptions risk = {};
};
void describe(ConstraintOptions& options, OptionVisitor& visit);

/// Throws ConfigError where the constraints do not go together.
void validate(const ConstraintOptions& options);
/// Lets the search give the unknown words that are replaced. Throws ConfigError where the constraints do not go
/// together or with the search.
void prepare_search(const ConstraintOptions& options, search::SearchOptions& search);

/// What a search must keep for the constraints.
search::ReturnOptions kept_for(const ConstraintOptions& options, const models::ArchitectureOptions& arch);

/// Applies the constraints to all further translations. search: the translator's, which keeps what kept_for() returns.
/// Throws InputError, FileError, ConfigError.
void constrain(translation::Translator& translator, const ConstraintOptions& options,
               const search::SearchOptions& search, const text::Tokenizers& tokenizers);

}  // namespace heed::api
