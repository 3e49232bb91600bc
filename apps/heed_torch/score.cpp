#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "commands.h"
#include "heed/api/trained_model.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed_torch/translation/scorer.h"
#include "paired_vector_sources.h"

namespace heed::apps {
namespace {

/// The context of a line in a language model: only its sentence, or the text so far.
enum class LineContext { Sentence, Text };
constexpr auto option_names(LineContext) {
  return std::array{std::pair{LineContext::Sentence, "sentence"}, std::pair{LineContext::Text, "text"}};
}

struct ScoreCommand {
  ModelUse use;
  data::CorpusFiles files;
  data::TextFormat format;
  ItemFiles items;
  LineContext context = LineContext::Sentence;
  engine::PrecisionChoice precision = engine::PrecisionChoice::Float32;
  translation::ScorerOptions scorer;
};
void describe(ScoreCommand& o, OptionVisitor& visit) {
  describe(o.use, visit);
  describe_pairs(o.files, o.format, visit);
  describe(o.items, visit);
  visit("context", o.context,
        "context of a language model: none (sentence: each line is scored by itself), or all lines before it (text: a "
        "recurrent model, best one trained with data.context text; a blank line counts nothing)");
  describe_precision(o.precision, visit);
  describe(o.scorer, visit);
}

const config::CommandHelp kScoreHelp{
    .usage =
        "heed score --model DIR --source FILE --target FILE [options]\n"
        "       heed score --model DIR [--target FILE] [options]        (a language model)",
    .summary =
        R"(Prints the log-probability (natural logarithm, with end-of-sentence) of each target line as a translation of
its source line. With a language model, it is that of each line of a text. Standard error shows the perplexity
of the whole text.)",
    .examples = R"(  heed score --model models/en-de --source test.en --target test.de > scores
  heed score --model models/en-de --pairs candidates.tsv
  heed score --model models/captions --source-images test.list --target test.captions > scores
  heed score --model models/en-de --source test.en --target test.de --precision int8 > scores  # what it changes
  heed score --model models/lm-de < test.de > scores
  heed score --model models/lm-de --context text < story.de > scores)",
};

constexpr size_t kLinesAtOnce = 4096;

/// Sums over all lines.
struct Totals {
  int64_t lines = 0;
  int64_t tokens = 0;
  double log_probability = 0;

  std::string text(std::string_view unit) const {
    if (tokens == 0) return fmt::format("{}, no tokens", counted(lines, unit));
    const std::string counts = fmt::format("{}, {}", counted(lines, unit), counted(tokens, "target token"));
    if (!std::isfinite(log_probability)) return counts + ": no finite log-probability, since the model gives none";
    const double mean = log_probability / static_cast<double>(tokens);
    return fmt::format("{}: log-probability {:.4f}, per token {:.4f}, perplexity {:.6g}", counts, log_probability, mean,
                       std::exp(-mean));
  }
};

void print_scores(const std::vector<translation::ScoredTranslation>& translations, Totals& totals) {
  std::string results;
  for (const translation::ScoredTranslation& scored : translations) {
    results += fmt::format("{:.6f}\n", scored.log_probability);
    ++totals.lines;
    totals.tokens += static_cast<int64_t>(scored.token_log_probabilities.size());
    totals.log_probability += scored.log_probability;
  }
  print(results);
}

/// Throws ConfigError for options that have no effect with the other options or this model.
void check_options(const config::Arguments& given, const ScoreCommand& command, const OpenedTorchModel& model) {
  if (given.gives("context") && model.opened.model->encoder) {
    throw ConfigError("--context", "applies to language models only: each pair of lines stands by itself");
  }
  if (command.context == LineContext::Sentence) return;
  translation::require_reading_on(*model.opened.model, "context");
  api::require_trained_precision(command.precision, "does not go with `--context text`");
  for (const std::string option : {"batch-tokens", "workers"}) {
    if (given.gives(option)) {
      throw ConfigError("--" + option,
                        "has no effect with `--context text`, whose lines are scored one after the other");
    }
  }
}

/// Selects the text that a language model scores: `target`, or standard input.
void choose_text(data::CorpusFiles& files) {
  for (const auto& [name, given] : {std::pair{"source", &files.source}, std::pair{"pairs", &files.pairs}}) {
    if (!given->empty()) throw ConfigError(name, "has no effect on a language model: name its text with `target`");
  }
  if (files.target.empty()) files.target = {"-"};
}

int score(ScoreCommand& command, const config::Arguments& given) {
  const OpenedTorchModel model = open_model(command.use);
  if (model.opened.model->head) require_translation_model(command.use, model);
  check_options(given, command, model);
  const bool translates = model.opened.model->encoder != nullptr;
  if (!translates) choose_text(command.files);
  const data::TextFormat format = format_of(command.use, command.format);
  PairedVectorSources items(command.files, format, command.items, command.use, model);
  if (translates && !items.any()) require_source(command.files);
  translation::Scorer scorer(model.opened.model, model.opened.tokenizers, command.scorer, model.device);
  // In float32, computing all positions at once is faster, as in training.
  if (engine::precision_of(command.precision) != engine::Precision::Float32) {
    scorer.use_engine(api::engine_of(model, command.precision));
  }
  Totals totals;
  std::vector<models::CellState> carried;  // state after the text so far
  const PairBlocks blocks{.pairs = kLinesAtOnce, .results = "-"};
  read_pairs(command.files, format, blocks, [&](const auto& sources, const auto& targets) {
    if (command.context == LineContext::Text) return print_scores(scorer.score_text(targets, carried), totals);
    if (items.any()) return print_scores(scorer.score_all(items.next(sources), targets), totals);
    print_scores(scorer.score(translates ? std::span(sources) : std::span<const std::string>(), targets), totals);
  });
  items.finish();
  log_info(totals.text(translates ? "pair" : "line"));
  return 0;
}

}  // namespace

config::Command score_command() { return with_options<ScoreCommand>({.name = "score", .help = kScoreHelp}, score); }

}  // namespace heed::apps
