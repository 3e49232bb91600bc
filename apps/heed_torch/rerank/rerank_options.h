// The options of `heed rerank`.
#pragma once

#include <string>
#include <vector>

#include "heed/command_line/command.h"
#include "heed/reranking/feature.h"
#include "heed/reranking/weight_tuning.h"
#include "heed_torch/translation/scorer.h"
#include "translate/choice_metric.h"
#include "translate/model_use.h"

namespace heed::apps {

struct RerankCommand {
  ModelUse use;  ///< shared by all models; its `model` is not used
  std::string input = "-";
  std::string source;
  std::string output = "-";
  bool n_best = false;
  std::vector<std::string> forward, reverse, right_to_left, language_model;
  std::string weights;
  std::string reference;
  bool oracle = false;
  ChoiceMetric metric;
  reranking::TuningOptions tuning;
  translation::ScorerOptions scorer;

  /// Whether weights are tuned (not applied).
  bool tunes() const { return !reference.empty() && !oracle; }
};
void describe(RerankCommand& options, OptionVisitor& visit);

extern const config::CommandHelp kRerankHelp;

/// Throws ConfigError for conflicting options.
void check_options(const RerankCommand& command, const config::Arguments& given);

/// The features that the options select, with weight 0.
std::vector<reranking::Feature> features_of(const RerankCommand& command);

}  // namespace heed::apps
