#include "heed/api/constraint_options.h"

#include <memory>
#include <variant>

#include "heed/core/error.h"
#include "heed/translation/lines/unknown_word_replacer.h"

namespace heed::api {
namespace {

std::shared_ptr<const translation::TranslationConstraints> constraints_of(const ConstraintOptions& options,
                                                                          const text::Tokenizers& tokenizers) {
  auto constraints = std::make_shared<translation::TranslationConstraints>(tokenizers.target);
  if (!options.terminology.empty()) constraints->read_terms(options.terminology, options.terms);
  if (!options.forbid.empty()) constraints->read_forbidden(options.forbid);
  if (!options.target_tag.empty()) constraints->tag(options.target_tag);
  return constraints;
}

/// Null if the unknown token itself is written.
std::shared_ptr<const translation::UnknownWordReplacer> unknown_words_of(const ConstraintOptions& options,
                                                                         const text::Tokenizers& tokenizers) {
  if (!options.replace_unknown) return nullptr;
  auto unknown = std::make_shared<translation::UnknownWordReplacer>(tokenizers.target);
  if (!options.dictionary.empty()) unknown->read_dictionary(options.dictionary);
  return unknown;
}

}  // namespace

void describe(ConstraintOptions& o, OptionVisitor& visit) {
  visit(
      "terminology", o.terminology,
      "`FILE` of terms, SOURCE TAB TARGET, CSV or TBX: if a line contains a source term, its translation contains the "
      "target; several lines with the same source offer a choice");
  visit("terminology-fold-case", o.terms.fold_case, "ignore case when looking for terms");
  visit("terminology-strict", o.terms.strict,
        "refuse a term that the model's vocabulary cannot spell, instead of leaving it out");
  visit("forbid", o.forbid, "`FILE` of words and phrases, one per line, that no translation may contain");
  visit(
      "target-tag", o.target_tag,
      "for a model with several target languages: the tag of one, such as <2de>. Every translation begins with it, but "
      "heed does not write it");
  visit("replace-unknown", o.replace_unknown,
        "replace each unknown word by the source word with the most attention; sets `search.unknown`");
  visit(
      "dictionary", o.dictionary,
      "`FILE` of lines SOURCE TAB TARGET, one word each: `replace-unknown` writes the target instead of the source word");
  describe(o.risk, visit);
}

void validate(const ConstraintOptions& options) {
  if (!options.dictionary.empty() && !options.replace_unknown) {
    throw ConfigError("--dictionary", "has no effect without `--replace-unknown`");
  }
  if (options.terminology.empty() && (options.terms.fold_case || options.terms.strict)) {
    throw ConfigError(options.terms.strict ? "--terminology-strict" : "--terminology-fold-case",
                      "has no effect without `--terminology`");
  }
}

void prepare_search(const ConstraintOptions& options, search::SearchOptions& search) {
  validate(options);
  if (!options.terminology.empty() && !std::holds_alternative<search::BeamMethod>(search.method)) {
    throw ConfigError("--terminology",
                      "needs beam search, which finds the place for a term; `search.method` is sample");
  }
  if (options.replace_unknown) search.unknown = true;
}

search::ReturnOptions kept_for(const ConstraintOptions& options, const models::ArchitectureOptions& arch) {
  return {.attention = options.replace_unknown,
          .places = !options.terminology.empty() && models::has_source_attention(arch)};
}

void constrain(translation::Translator& translator, const ConstraintOptions& options,
               const search::SearchOptions& search, const text::Tokenizers& tokenizers) {
  translator.constrain(constraints_of(options, tokenizers));
  translator.replace_unknown(unknown_words_of(options, tokenizers));
  translator.rank_with(rank_by_risk(options.risk, search));
}

}  // namespace heed::api
