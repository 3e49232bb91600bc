// The command line of sacreBLEU 2.6, with all its flags.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/chrf.h"
#include "heed/metrics/reports/score_report.h"
#include "heed/metrics/tokenizers/ter_tokenizer.h"

namespace heed::apps {

struct SacreBleuArguments {
  // References and systems.
  std::vector<std::string> references;
  std::optional<std::vector<std::string>> systems;  ///< absent: standard input
  int64_t tab_references = 1;
  std::string encoding = "utf-8";
  std::optional<std::string> language_pair;

  // Metrics.
  std::vector<std::string> metrics{"bleu"};
  bool sentence_level = false;
  std::string smoothing = "exp";
  std::optional<double> smoothing_value;
  std::optional<std::string> tokenizer;
  bool force = false;
  metrics::BleuOptions bleu;  ///< without smoothing and tokenizer
  metrics::ChrfOptions chrf;
  metrics::TerOptions ter;

  // Significance.
  bool confidence = false;
  int64_t confidence_samples = 1000;
  bool paired_randomization = false;
  bool paired_bootstrap = false;
  int64_t randomization_trials = 10000;
  int64_t bootstrap_samples = 1000;
  std::optional<int64_t> jobs;

  // Output.
  bool quiet = false;
  bool detail = false;
  bool no_color = false;
  metrics::ReportStyle style;

  // Test sets, which sacreBLEU downloads.
  std::optional<std::string> test_set;
  std::optional<std::string> original_language;
  std::optional<std::string> subset;
  std::optional<std::string> download;
  std::optional<std::vector<std::string>> echo;
  bool list = false;
  bool citation = false;

  /// Requested instead of a score.
  enum class Asked { Score, Help, Version } asked = Asked::Score;

  bool paired() const { return paired_bootstrap || paired_randomization; }
};

/// Throws ConfigError with argparse's messages.
SacreBleuArguments parse_sacrebleu_arguments(std::span<const std::string> arguments);

}  // namespace heed::apps
