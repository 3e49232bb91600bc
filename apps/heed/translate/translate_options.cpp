#include "translate/translate_options.h"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "heed/api/trained_model.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "output.h"
#include "translate/continuation.h"
#include "translate/source_reader.h"
#include "translate/translate_document.h"

namespace heed::apps {
namespace {

constexpr int64_t kLinesWithHeads = 256;  // at once: all heads for 25 tokens and their translation can take 200 kB

/// Throws ConfigError if an output would replace an input or the other output.
void require_other_files(const TranslateCommand& command) {
  std::vector<std::string> inputs = command.input;
  const api::ConstraintOptions& constraints = command.constraints;
  for (const std::string& file :
       {command.prefix, command.target, constraints.terminology, constraints.forbid, constraints.dictionary}) {
    if (!file.empty()) inputs.push_back(file);
  }
  require_one_standard_input(inputs);
  require_other_than_inputs("--output", command.output, inputs);
  if (command.alignment.empty()) return;
  require_other_than_inputs("--alignment", command.alignment, inputs);
  require_two_outputs("--alignment", command.alignment, "--output", command.output);
}

/// Throws ConfigError if alignment options are given without an alignment file.
void require_alignment(const config::Layer& settings, const std::string& file) {
  if (!file.empty()) return;
  for (const config::Setting& setting : settings) {
    if (setting.name.starts_with(kAlignmentPrefix)) {
      throw ConfigError("--" + setting.name, "goes with `--alignment FILE`");
    }
  }
}

/// Throws ConfigError if layers and heads are selected for an ensemble.
void require_one_model(const TranslateCommand& command) {
  if (command.further.ensemble.empty() || !command.chooses_attention()) return;
  throw ConfigError("--ensemble",
                    "does not go with `--alignment-layer`, `--alignment-head` and `--alignment-all-heads`: "
                    "layers and heads are one model's");
}

/// Throws ConfigError unless an ensemble has one weight per model.
void require_weight_for_each(const TranslateCommand& command) {
  const size_t weights = command.further.ensemble_weights.size(), models = command.further.ensemble.size() + 1;
  if (weights == 0 || (weights == models && models > 1)) return;
  if (models == 1) throw ConfigError("--ensemble-weights", "goes with `--ensemble`");
  throw ConfigError("--ensemble-weights",
                    fmt::format("has {} weights for {} models; `--model` counts as the first", weights, models));
}

/// Describes the options for input and output.
void describe_lines(TranslateCommand& o, OptionVisitor& visit) {
  visit("input", o.input, "text to translate, line by line: files (.gz too), or - for standard input");
  describe(o.items, visit);
  visit("output", o.output, "file for the translations (.gz: compressed), or - for standard output");
  describe_shard(o, visit);
  visit(
      "continue", o.continues,
      "write lines to `output` as they are translated; after an interruption, the same command resumes after the last "
      "complete line");
  visit("format", o.input_format,
        "format of the input. Lines: text; tsv (translates the first column, writes all columns again, then the "
        "translation, its score and flags); json (the same for objects; translates `source`). Documents, whose markup "
        "stays: html, xml, xliff, po, tmx, srt, vtt, markdown, docx. none: by the ending of the input file's name, "
        "such as page.html; text for other endings");
  visit("target-language", o.document_options.target_language,
        "code of the target language, such as de, which TMX documents name");
  describe(o.format, visit);
  visit(
      "protect", o.protect,
      "kinds of text that must come back unchanged: url, mail, placeholder (%s, {0}, ${name}), reference (&amp;), tag "
      "(<b>), number. If the model loses such text, heed inserts it where the alignment says. In documents, url, mail "
      "and placeholder are always protected. A model that was trained with `text.protect` protects the same kinds without "
      "this option");
  visit("protect-pattern", o.protect_patterns, "further such text: `REGEX`, regular expressions of ICU");
}

/// Decides between lines and a document.
void choose_format(TranslateCommand& command) {
  if (command.input_format) {
    command.format.form = line_form(*command.input_format);
    command.document = document_format(*command.input_format);
  } else {
    command.document = format_of_input(command.input);
  }
}

/// Describes the options for constraints on translations and for selecting the best one.
void describe_constraints(TranslateCommand& o, OptionVisitor& visit) {
  visit("prefix", o.prefix, "`FILE` whose line N is the beginning of translation N; a blank line means no prefix");
  describe(o.constraints, visit);
}

/// Describes the options for further models.
void describe_models(TranslateCommand& o, OptionVisitor& visit) {
  describe_ensemble(o, visit);
  visit("language-model", o.further.language_model,
        "shallow fusion: directory of a language model of the target language with the same vocabulary");
  visit("language-model-weight", o.further.language_model_weight,
        "weight in shallow fusion: log p(translation model) + weight * log p(language model)", above(0));
}

}  // namespace

void describe(TranslateCommand& o, OptionVisitor& visit) {
  describe(o.use, visit);
  describe_lines(o, visit);
  visit("alignment", o.alignment,
        "`FILE` for the word alignments, one record for each "
        "line of output: which source words each word attends to");
  describe(o.alignment_options, visit, kAlignmentPrefix);
  visit(
      "split", o.split,
      "which lines are split into sentences, which are translated one by one and joined: sentences: all lines; auto: "
      "lines that are longer than 99.9% of the model's training lines (a sentence that is still longer is split after "
      "a clause); none: only lines of more than `search.max-source-length` tokens");
  describe_constraints(o, visit);
  describe_models(o, visit);
  describe_precision(o.precision, visit);
  visit(
      "shortlist", o.short_list,
      "search only among the likely translations of the source's tokens, which `heed shortlist` has learned: faster on a "
      "CPU, but changes some translations");
  visit.section("search", o.search, "search; defaults are those saved with the model");
}

void describe_shard(TranslateCommand& o, OptionVisitor& visit) {
  visit("shard", o.shard,
        "`I/N`: translate the I-th of N equal parts of the input, such as 3/8; join the outputs in this order");
}

void describe_ensemble(TranslateCommand& o, OptionVisitor& visit) {
  visit("ensemble", o.further.ensemble,
        "ensemble: directories of further models with the same vocabularies; "
        "the probabilities of all models are averaged for each token");
  visit("ensemble-weights", o.further.ensemble_weights,
        "weight of each model of an ensemble, that of `--model` first; only their ratios matter", above(0));
}

const config::CommandHelp kTranslateHelp{
    .usage = "heed translate --model DIR [--input FILE...] [--output FILE] [options]",
    .summary =
        R"(Translates text line by line, or documents. Line N of the output translates line N of the input, and a blank
line stays blank. A document is HTML, XML, XLIFF, PO, TMX, SRT, WebVTT, Markdown or Word: heed translates its
text and keeps the markup. The file's name says which, or --format for standard input.)",
    .examples = R"(  heed translate --model models/en-de < test.en > out.de
  echo 'The cat sleeps.' | heed translate --model models/en-de
  heed translate --model models/en-de --input a.en b.en.gz --output out.de --search.beam 10
  heed translate --model models/en-de --checkpoint last < test.en
  heed translate --model models/en-de --input page.html --output seite.html      # documents
  heed translate --model models/en-de --format po < messages.po > de.po
  echo '{"id": 7, "source": "The cat sleeps."}' | heed translate --model models/en-de --format json
  heed translate --model models/en-de --alignment out.links < test.en > out.de
  echo 'The cat sleeps.' | heed translate --model models/en-de --alignment heads.html --alignment-all-heads
  heed translate --model models/en-de --search.method sample --search.epsilon 0.02 --search.n-best 20 < test.en > samples
  heed translate --model models/en-de --search.method sample --search.n-best 100 --mbr chrf < test.en > out.de
  heed translate --model models/en-de --terminology terms.tsv --forbid never.txt < test.en > out.de
  heed translate --model models/en-de --ensemble models/en-de-2 models/en-de-3 < test.en
  heed translate --model models/en-de --language-model models/lm-de --language-model-weight 0.2 < test.en)",
    .common = {"model",
               "input",
               "output",
               "format",
               "protect",
               "shard",
               "continue",
               "alignment",
               "alignment-format",
               "checkpoint",
               "search.beam",
               "search.length-penalty",
               "search.n-best",
               "search.batch-sentences",
               "split",
               "prefix",
               "terminology",
               "forbid",
               "target-tag",
               "replace-unknown",
               "mbr",
               "precision",
               "shortlist",
               "ensemble",
               "ensemble-weights",
               "language-model",
               "language-model-weight",
               "device",
               "threads"},
};

void read_before_model(const config::VisitOptions& options, const config::Arguments& given) {
  config::Layer without_search = given.settings;
  std::erase_if(without_search, [](const config::Setting& setting) { return setting.name.starts_with("search."); });
  config::apply_layers(options, {without_search});
}

void check_before_model(TranslateCommand& command, const config::Arguments& given) {
  require_alignment(given.settings, command.alignment);
  choose_format(command);
  check_format(command.format);
  check_document_options(command);
  command.protected_rules = {.kinds = text::protected_kinds(command.protect, "--protect"),
                             .patterns = command.protect_patterns};
  [[maybe_unused]] const text::ProtectedText checked({}, command.protect_patterns);  // for its error
  check_continuation(command);
  api::validate(command.constraints);
  shard_of(command.shard);  // for its error
  require_one_model(command);
  require_weight_for_each(command);
  require_other_files(command);
  require_model(command.use);
}

void read_with_model(TranslateCommand& command, const config::VisitOptions& options,
                     const config::TranslateOptions& search, const config::Arguments& given) {
  command.search = search;
  config::apply_layers(options, {given.settings});
  api::require_whole_vocabulary(api::EngineOptions{.short_list = command.short_list}, command.search.search);
  api::prepare_search(command.constraints, command.search.search);
  int64_t& read_ahead = command.search.translator.read_ahead;
  // A user who types lines expects an answer after each line.
  const bool answering = command.input == std::vector<std::string>{"-"} && isatty(STDIN_FILENO) == 1;
  if (answering) read_ahead = 1;
  if (command.alignment_options.aligner.shown.all_heads) read_ahead = std::min(read_ahead, kLinesWithHeads);
}

}  // namespace heed::apps
