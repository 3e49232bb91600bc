#include <algorithm>
#include <optional>
#include <string_view>

#include <unistd.h>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/engine/engine.h"
#include "heed/translation/translator.h"
#include "input.h"
#include "model/alignment_output.h"
#include "model/model_command.h"
#include "output.h"

namespace heed::apps {
namespace {

constexpr const char* kAlignmentPrefix = "alignment-";
constexpr int64_t kLinesWithHeads = 256;  // at once: every head of 25 tokens and their translations may be 200 kB

struct TranslateCommand {
  ModelUse use;
  std::vector<std::string> input{"-"};
  std::string output = "-";
  std::string alignment;
  AlignmentOptions alignment_options;
  std::vector<std::string> ensemble;
  std::string language_model;
  double language_model_weight = translation::ShallowFusion{}.weight;
  engine::Precision precision = engine::Precision::Float32;
  config::TranslateOptions search;

  /// Whether another attention than what the search keeps is asked for.
  bool chooses_attention() const { return alignment_options.aligner.shown != translation::ShownAttention{}; }
};
void describe(TranslateCommand& o, OptionVisitor& visit) {
  describe(o.use, visit);
  visit("input", o.input, "text to translate, line by line: files (.gz too), or - for standard input");
  visit("output", o.output, "file for the translations, or - for standard output");
  visit("alignment", o.alignment,
        "`FILE` for the word alignments, one record for each "
        "line of output: which source words each word attends to");
  describe(o.alignment_options, visit, kAlignmentPrefix);
  visit("ensemble", o.ensemble,
        "ensemble: directories of further models with the same vocabularies; "
        "the probabilities of all models are averaged for each token");
  visit("language-model", o.language_model,
        "shallow fusion: directory of a language model of the target language with the same vocabulary");
  visit("language-model-weight", o.language_model_weight,
        "weight in shallow fusion: log p(translation model) + weight * log p(language model)", above(0));
  visit(
      "precision", o.precision,
      "numbers that products multiply, of Transformers on a CPU: float32, bfloat16, or bytes (int8 quantization, made "
      "as the model is loaded); fewer bits are faster and may change a few translations");
  visit.section("search", o.search, "search; defaults are those saved with the model");
}

const config::CommandHelp kTranslateHelp{
    .usage = "heed translate --model DIR [--input FILE...] [--output FILE] [options]",
    .summary = R"(Translates text line by line: as many lines out as in, in order, a blank line for a blank line.)",
    .examples = R"(  heed translate --model models/en-de < test.en > out.de
  echo 'The cat sleeps.' | heed translate --model models/en-de
  heed translate --model models/en-de --input a.en b.en.gz --output out.de --search.beam 10
  heed translate --model models/en-de --checkpoint last < test.en
  heed translate --model models/en-de --alignment out.links < test.en > out.de
  echo 'The cat sleeps.' | heed translate --model models/en-de --alignment heads.html --alignment-all-heads
  heed translate --model models/en-de --ensemble models/en-de-2 models/en-de-3 < test.en
  heed translate --model models/en-de --language-model models/lm-de --language-model-weight 0.2 < test.en)",
    .common = {"model", "input", "output", "alignment", "alignment-format", "checkpoint", "search.beam",
               "search.length-penalty", "search.n-best", "search.batch-sentences", "precision", "ensemble",
               "language-model", "language-model-weight", "device", "threads"},
};

/// One line per translation; of an n-best list "LINE ||| TRANSLATION ||| SCORE", lines counted from 0.
std::string output_text(const translation::Translation& best, int64_t line, bool list) {
  if (!list) return best.text + '\n';
  std::string text = fmt::format("{} ||| {} ||| {:.6f}\n", line, best.text, best.score);
  for (const auto& other : best.others) text += fmt::format("{} ||| {} ||| {:.6f}\n", line, other.text, other.score);
  return text;
}

/// Writes progress over the last line of a terminal, unless the translations go there.
class ProgressLine {
 public:
  explicit ProgressLine(bool to_standard_output)
      : terminal_(isatty(STDERR_FILENO) == 1 && !(to_standard_output && isatty(STDOUT_FILENO) == 1)) {}
  void show(const translation::TranslationProgress& now) {
    if (!terminal_ || now.seconds < shown_ + 0.2) return;
    shown_ = now.seconds;
    write(now, '\r');
  }
  void finish() {
    if (terminal_ && shown_ > 0) std::fputc('\n', stderr);
  }

 private:
  static void write(const translation::TranslationProgress& now, char begin) {
    const double seconds = now.seconds > 0 ? now.seconds : 1;
    std::fputs(fmt::format("{}heed: {} lines, {:.0f} lines/s, {:.0f} source tokens/s ", begin, now.lines,
                           static_cast<double>(now.lines) / seconds, static_cast<double>(now.source_tokens) / seconds)
                   .c_str(),
               stderr);
  }
  bool terminal_;
  double shown_ = 0;
};

/// The alignments of the translations, if they are asked for.
class Alignments {
 public:
  Alignments(const TranslateCommand& command, text::Tokenizers tokenizers)
      : subwords_(command.alignment_options.aligner.subwords), tokenizers_(std::move(tokenizers)) {
    if (command.alignment.empty()) return;
    output_.emplace(command.alignment, command.alignment_options, command.use.model, kAlignmentPrefix);
  }
  /// One record for each line of output: the best translation and, of an n-best list, the others.
  void write(const translation::Translation& best) {
    if (!output_) return;
    write_one(best);
    for (const translation::Translation& other : best.others) write_one(other);
  }
  void finish() {
    if (output_) output_->finish();
  }

 private:
  void write_one(const translation::Translation& translation) {
    output_->add(subwords_ ? token_alignment(translation, tokenizers_) : word_alignment(translation));
  }

  bool subwords_;
  text::Tokenizers tokenizers_;
  std::optional<AlignmentOutput> output_;
};

/// limit: "more than N tokens"
void warn_of_length(const translation::Translation& translation, int64_t line, std::string_view limit) {
  if (translation.parts > 1) {
    log_warning(fmt::format("line {} has {}: translated in {} parts", line, limit, translation.parts));
  }
  if (!translation.source_complete) {
    log_warning(fmt::format("line {} has a character of {}: the rest of them were left out", line, limit));
  }
}

void translate_lines(const translation::Translator& translator, const TranslateCommand& command,
                     const text::Tokenizers& tokenizers) {
  Input input(command.input, command.use.invalid_text);
  input.check();  // nothing is translated in vain
  Alignments alignments(command, tokenizers);
  Output output(command.output);
  ProgressLine progress(command.output == "-");
  int64_t line = 0, cut = 0;
  const bool of_model = translator.max_source_length() < command.search.translator.max_source_length;
  const std::string limit = fmt::format("more than {} tokens{}", translator.max_source_length(),
                                        of_model ? ", more than the model has positions for" : "");
  translator.translate([&](std::string& text) { return input.next(text); },
                       [&](translation::Translation&& translation) {
                         output.write(output_text(translation, line++, command.search.search.n_best > 1));
                         alignments.write(translation);
                         cut += !translation.complete;
                         warn_of_length(translation, line, limit);
                         if (command.output == "-") flush_output();  // a program may wait for it
                       },
                       [&](const translation::TranslationProgress& now) { progress.show(now); });
  alignments.finish();
  output.finish();
  progress.finish();
  if (cut > 0) {
    log_warning(
        fmt::format("translations cut short: {} of {}; `search.max-length-factor` and `search.max-length-constant`, "
                    "or the positions of a model, allow none longer",
                    cut, line));
  }
}

/// Throws ConfigError where an output would take the place of the text or of the other output.
void require_other_files(const TranslateCommand& command) {
  require_other_than_inputs("--output", command.output, command.input);
  if (command.alignment.empty()) return;
  require_other_than_inputs("--alignment", command.alignment, command.input);
  require_two_outputs("--alignment", command.alignment, "--output", command.output);
}

/// Throws ConfigError where it is told how alignments are written, but not that they are.
void require_alignment(const config::Layer& settings, const std::string& file) {
  if (!file.empty()) return;
  for (const config::Setting& setting : settings) {
    if (setting.name.starts_with(kAlignmentPrefix)) {
      throw ConfigError("--" + setting.name, "goes with `--alignment FILE`");
    }
  }
}

/// Throws ConfigError where the layers and heads of several models are asked for.
void require_one_model(const TranslateCommand& command) {
  if (command.ensemble.empty() || !command.chooses_attention()) return;
  throw ConfigError("--ensemble",
                    "does not go with `--alignment-layer`, `--alignment-head` and `--alignment-all-heads`: "
                    "layers and heads are one model's");
}

/// How a model beside the first is used; `checkpoint` is the first one's.
ModelUse beside(ModelUse use, const std::string& directory) {
  use.model = directory;
  use.checkpoint = "";
  return use;
}

void add_ensemble(const TranslateCommand& command, translation::Translator& translator) {
  for (const std::string& directory : command.ensemble) {
    if (directory.empty()) throw ConfigError("--ensemble", "must name directories of models, but one name is empty");
    const ModelUse use = beside(command.use, directory);
    const UsedModel used = open_model(use);
    require_translation_model(use, used, "ensemble");
    translator.add_model(used.opened.model, used.opened.tokenizers, "ensemble " + directory);
  }
}

translation::ShallowFusion open_fusion(const TranslateCommand& command) {
  const ModelUse use = beside(command.use, command.language_model);
  const UsedModel used = open_model(use);
  require_language_model(use, used, "language-model");
  return {
      .model = used.opened.model, .tokenizer = used.opened.tokenizers.target, .weight = command.language_model_weight};
}

/// What keeps the model from computing on the engine; absent: nothing.
std::optional<std::string> no_engine(const TranslateCommand& command, const UsedModel& model) {
  if (!model.device.is_cpu()) return "works on a CPU only";
  if (!command.ensemble.empty()) return "does not go with `--ensemble`";
  if (!command.language_model.empty()) return "does not go with `--language-model`";
  if (const auto part = engine::Engine::refuses(model.opened.options.arch)) return "does not work with " + *part;
  return std::nullopt;
}

/// On a CPU a Transformer computes on the engine, where it is faster; all else does as it was trained.
void choose_engine(const TranslateCommand& command, const UsedModel& model, translation::Translator& translator) {
  if (const auto why = no_engine(command, model)) {
    if (command.precision == engine::Precision::Float32) return;
    throw ConfigError("--precision", "other than fp32 " + *why);
  }
  translator.use_engine(std::make_shared<engine::Engine>(model.opened.options.arch, model.opened.model->sizes(),
                                                         model.opened.parameters, command.precision));
}

int translate(TranslateCommand& command, const config::Arguments& given) {
  // Search options are those of the model with the given ones on top: nothing is said of them before it is open.
  config::Layer without_search = given.settings;
  std::erase_if(without_search, [](const config::Setting& setting) { return setting.name.starts_with("search."); });
  config::apply_layers(config::walk_of(command), {without_search});
  require_alignment(given.settings, command.alignment);
  require_one_model(command);
  require_other_files(command);
  const UsedModel model = open_model(command.use);
  require_translation_model(command.use, model);
  command.search = model.opened.options.search;
  config::apply_layers(config::walk_of(command), {given.settings});

  const translation::ShownAttention& shown = command.alignment_options.aligner.shown;
  // Someone who types lines waits for each answer.
  const bool answering = command.input == std::vector<std::string>{"-"} && isatty(STDIN_FILENO) == 1;
  if (answering) command.search.translator.read_ahead = 1;
  if (shown.all_heads) {
    command.search.translator.read_ahead = std::min(command.search.translator.read_ahead, kLinesWithHeads);
  }
  translation::Translator translator(model.opened.model, model.opened.tokenizers, command.search.search,
                                     command.search.translator, model.device,
                                     {.attention = !command.alignment.empty() && !command.chooses_attention()});
  if (command.chooses_attention()) translator.show(shown, kAlignmentPrefix);
  add_ensemble(command, translator);
  if (!command.language_model.empty()) translator.fuse(open_fusion(command));
  choose_engine(command, model, translator);
  translate_lines(translator, command, model.opened.tokenizers);
  return 0;
}

}  // namespace

config::Command translate_command() {
  return with_options<TranslateCommand>({.name = "translate",
                                         .help = kTranslateHelp,
                                         .needs = {{"language-model-weight", "language-model"}},
                                         .applies_settings = true},
                                        translate);
}

}  // namespace heed::apps
