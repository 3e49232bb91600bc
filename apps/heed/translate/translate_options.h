// The options of `heed translate`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heed/api/constraint_options.h"
#include "heed/api/torch_backend.h"
#include "heed/command_line/command.h"
#include "heed/engine/common/precision.h"
#include "heed/model_directory/model_options.h"
#include "heed/text/protected_text.h"
#include "translate/alignment_output.h"
#include "translate/input_format.h"
#include "translate/item_files.h"
#include "translate/line_format.h"
#include "translate/model_use.h"

namespace heed::apps {

/// The prefix of the option names for alignments.
inline constexpr const char* kAlignmentPrefix = "alignment-";

struct TranslateCommand {
  ModelUse use;
  std::vector<std::string> input{"-"};
  ItemFiles items;
  std::string output = "-";
  std::optional<InputFormat> input_format;            ///< absent: by the input file's name, else text
  std::optional<documents::DocumentFormat> document;  ///< the format of the document; absent: lines are translated
  documents::DocumentOptions document_options;
  std::vector<std::string> protect;           ///< names of text::ProtectedKind
  std::vector<std::string> protect_patterns;  ///< regular expressions
  text::ProtectedRules protected_rules;       ///< both, later with those of the model
  LineFormat format;
  std::string shard;       ///< "I/N"; empty: the whole input
  bool continues = false;  ///< resume the output
  std::string alignment;
  AlignmentOptions alignment_options;
  translation::SplitRule split = translation::SplitRule::Auto;
  std::string prefix;
  std::string target;  ///< a file with a given translation of each line, for `heed distill`; empty: none
  api::ConstraintOptions constraints;
  api::FurtherModels further;
  bool short_list = false;
  engine::PrecisionChoice precision = engine::PrecisionChoice::Float32;
  config::TranslateOptions search;

  /// Whether to write all translations that the search finds for a line, not only the best one.
  bool writes_list() const { return search.search.n_best > 1 && !chooses_by_risk() && target.empty(); }
  bool chooses_by_risk() const { return constraints.risk.metric != api::RiskMetric::None; }
  /// Whether options select another attention than the search keeps.
  bool chooses_attention() const { return alignment_options.aligner.shown != translation::AttentionSelection{}; }
};
void describe(TranslateCommand& options, OptionVisitor& visit);
/// `shard`, and the options for the models of an ensemble.
void describe_shard(TranslateCommand& options, OptionVisitor& visit);
void describe_ensemble(TranslateCommand& options, OptionVisitor& visit);

extern const config::CommandHelp kTranslateHelp;

/// Sets all options except those of the search. Their defaults come from the model, so they are not checked before it
/// is open.
void read_before_model(const config::VisitOptions& options, const config::Arguments& given);
/// Throws ConfigError for conflicting options.
void check_before_model(TranslateCommand& command, const config::Arguments& given);
/// Sets all options. options: those of the command line, into `command`. search: the model's defaults.
void read_with_model(TranslateCommand& command, const config::VisitOptions& options,
                     const config::TranslateOptions& search, const config::Arguments& given);

}  // namespace heed::apps
