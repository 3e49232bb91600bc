// `heed distill`: sequence-level knowledge distillation (Kim and Rush 2016, https://aclanthology.org/D16-1139).
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/oracle.h"
#include "output.h"
#include "translate/choice_metric.h"
#include "translate/translate.h"
#include "translate/translate_lines.h"

namespace heed::apps {
namespace {

using translation::Translation;

struct DistillCommand {
  DistillCommand() {
    translate.output.clear();
    translate.input_format = InputFormat::Text;
    translate.continues = true;
  }

  TranslateCommand translate;
  std::string source;
  ChoiceMetric metric;
};

void describe(DistillCommand& o, OptionVisitor& visit) {
  describe(o.translate.use, visit);
  describe_ensemble(o.translate, visit);
  visit("source", o.source, "source text of the training, line by line: a file (.gz too)");
  visit("target", o.translate.target, "its target text: a file (.gz too) whose line N translates line N of the source");
  visit(
      "output", o.translate.output,
      "file for the new target text. It grows while heed translates; after an interruption, the same command continues "
      "it");
  describe_shard(o.translate, visit);
  describe(
      o.metric, visit,
      "with `search.n-best` above 1: of the translations of a line, the one with the highest sentence score against "
      "the target is written");
  describe(o.translate.constraints, visit);
  describe_precision(o.translate.precision, visit);
  visit.section("search", o.translate.search, "search; defaults are those saved with the model");
}

const config::CommandHelp kDistillHelp{
    .usage = "heed distill --model DIR --source FILE --target FILE --output FILE [options]",
    .summary =
        R"(Sequence-level knowledge distillation: a teacher, or an ensemble of teachers, translates the source text of a
training, and a student trains on these translations. Line N of the output is the new target of line N of the
source. With --search.n-best, it is the translation that is most like the target. A line whose translation is
empty or cut short keeps its target. Killed at any moment, the same command continues.
Kim and Rush 2016, https://aclanthology.org/D16-1139)",
    .examples =
        R"(  heed distill --model models/en-de --source train.en --target train.de --output train.distilled.de
  heed train --source train.en --target train.distilled.de --model models/student
  heed distill --model models/1 --ensemble models/2 models/3 --source train.en --target train.de --output out.de
  heed distill --model models/en-de --source train.en --target train.de --output train.chosen.de \
    --search.beam 8 --search.n-best 8 --metric chrf)",
    .common = {"model", "ensemble", "source", "target", "output", "shard", "search.beam", "search.n-best", "metric",
               "tokenize", "target-tag", "mbr", "checkpoint", "precision", "device", "threads"},
    .closing = "docs/guide/train.md#sequence-level-distillation says more.",
};

/// Sets all options except those of the search. Throws ConfigError.
void read_options(DistillCommand& command, const config::VisitOptions& options, const config::Arguments& given) {
  read_before_model(options, given);
  require_model(command.translate.use);
  require_option(!command.source.empty(), "source", "name the source text of the training");
  require_option(!command.translate.target.empty(), "target", "name the target text of the training");
  std::string& output = command.translate.output;
  require_option(!output.empty(), "output", "name the file for the new target text");
  if (output == "-" || output.ends_with(".gz")) {
    throw ConfigError("--output", "must be a file that can be continued, neither compressed nor standard output");
  }
  command.translate.input = {command.source};
  check_options(command.metric, given);
  check_before_model(command.translate, given);
}

/// The texts of the translations that are whole: neither empty nor cut short. all: of the list, or only the best.
std::vector<std::string_view> whole_texts(const Translation& best, bool all) {
  std::vector<std::string_view> texts;
  const auto add = [&](const Translation& one) {
    if (one.complete && !strip(one.text).empty()) texts.push_back(one.text);
  };
  add(best);
  if (all) {
    for (const Translation& other : best.others) add(other);
  }
  return texts;
}

/// Writes the translation that is most like the target. A line without a whole translation keeps its target.
ChooseTranslation most_like_target(const DistillCommand& command) {
  const bool all = !command.translate.chooses_by_risk();
  const auto oracle = std::make_shared<metrics::Oracle>(metric_of(command.metric, /*effective_order=*/true));
  return [oracle, all](TranslatedLine& line) {
    if (line.translation.parts == 0) return;  // a blank line
    const std::vector<std::string_view> texts = whole_texts(line.translation, all);
    line.keeps_target = texts.empty();
    if (!texts.empty()) line.translation.text = std::string(texts[oracle->choose(texts, line.input.target)]);
  };
}

int distill(DistillCommand& command, const config::Arguments& given) {
  const config::VisitOptions options = config::visit_options(command);
  read_options(command, options, given);
  with_model(command.translate, [&](api::TrainedModel& model) {
    if (model.options().arch.vectors.any()) {
      throw ConfigError("--model", command.translate.use.model + " reads images, audio or vectors, not only text");
    }
    const translation::Translator translator = make_translator(command.translate, options, given, model);
    if (given.gives("metric") && command.translate.search.search.n_best < 2) {
      throw ConfigError("--metric", "chooses among several translations: `search.n-best` must be above 1");
    }
    translate_lines(translator, command.translate, model.tokenizers(), most_like_target(command));
  });
  return 0;
}

}  // namespace

config::Command distill_command() {
  return with_options<DistillCommand>(
      {.name = "distill", .help = kDistillHelp, .exclusive = {{"mbr", "metric"}}, .applies_settings = true}, distill);
}

}  // namespace heed::apps
