#include <memory>
#include <optional>

#include <unistd.h>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/line_reader.h"
#include "heed/core/log.h"
#include "heed/data/rereadable_files.h"
#include "heed/translation/translator.h"
#include "model_command.h"
#include "output.h"

namespace heed::apps {
namespace {

struct TranslateCommand {
  ModelUse use;
  std::vector<std::string> input{"-"};
  std::string output = "-";
  config::TranslateOptions search;
};
void describe(TranslateCommand& o, OptionVisitor& visit) {
  describe(o.use, visit);
  visit("input", o.input, "text to translate, line by line: files (.gz too), or - for standard input");
  visit("output", o.output, "file for the translations, or - for standard output");
  visit.section("search", o.search, "how translations are found; the model's own settings unless given");
}

const config::CommandHelp kHelp{
    .usage = "heed translate --model DIR [--input FILE...] [--output FILE] [options]",
    .summary = R"(Translates text line by line: as many lines out as in, in order, a blank line for a blank line.)",
    .examples = R"(  heed translate --model models/en-de < test.en > out.de
  echo 'The cat sleeps.' | heed translate --model models/en-de
  heed translate --model models/en-de --input a.en b.en.gz --output out.de --search.beam 10
  heed translate --model models/en-de --checkpoint last < test.en)",
    .common = {"model", "input", "output", "checkpoint", "search.beam", "search.length-penalty", "search.n-best",
               "search.batch-sentences", "device", "threads"},
};

/// The lines of several files, one after the other.
class Input {
 public:
  /// Throws FileError when one of them cannot be opened.
  Input(std::vector<std::string> paths, InvalidText invalid) : paths_(std::move(paths)), invalid_(invalid) {
    for (const std::string& path : paths_) {
      if (!data::is_stream(path)) LineReader(path, invalid_);
    }
  }
  bool next(std::string& line) {
    while (next_ < paths_.size() || reader_) {
      if (!reader_) reader_.emplace(paths_[next_++], invalid_);
      if (reader_->next(line)) return true;
      reader_.reset();
    }
    return false;
  }

 private:
  std::vector<std::string> paths_;
  InvalidText invalid_;
  size_t next_ = 0;
  std::optional<LineReader> reader_;
};

/// One line per translation; of an n-best list "LINE ||| TRANSLATION ||| SCORE", lines counted from 0.
std::string output_text(const translation::Translation& best, int64_t line, bool list) {
  if (!list) return best.text + '\n';
  std::string text = fmt::format("{} ||| {} ||| {:.6f}\n", line, best.text, best.score);
  for (const auto& other : best.others) text += fmt::format("{} ||| {} ||| {:.6f}\n", line, other.text, other.score);
  return text;
}

/// Writes progress over the last line of a terminal.
class ProgressLine {
 public:
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
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  double shown_ = 0;
};

void translate_lines(const translation::Translator& translator, const TranslateCommand& command, bool answering) {
  Input input(command.input, command.use.invalid_text);
  Output output(command.output);
  ProgressLine progress;
  int64_t line = 0;
  translator.translate([&](std::string& text) { return input.next(text); },
                       [&](translation::Translation&& translation) {
                         output.write(output_text(translation, line++, command.search.search.n_best > 1));
                         if (translation.parts > 1) {
                           log_warning(fmt::format("line {} has more than {} tokens: translated in {} parts", line,
                                                   translator.max_source_length(), translation.parts));
                         }
                         if (answering) std::fflush(stdout);
                       },
                       [&](const translation::TranslationProgress& now) { progress.show(now); });
  output.finish();
  progress.finish();
}

}  // namespace

int run_translate(CommandArguments arguments) {
  TranslateCommand command;
  const auto parsed = parse_command_line(kHelp, config::walk_of(command), arguments, config::Positionals::Refused);
  if (!parsed) return 0;
  // Search options are those of the model with the given ones on top: nothing is said of them before it is open.
  config::Layer without_search = parsed->settings;
  std::erase_if(without_search, [](const config::Setting& setting) { return setting.name.starts_with("search."); });
  config::apply_layers(config::walk_of(command), {without_search});
  const UsedModel model = open_model(command.use);
  command.search = model.opened.options.search;
  config::apply_layers(config::walk_of(command), {parsed->settings});

  // Someone who types lines waits for each answer.
  const bool answering = command.input == std::vector<std::string>{"-"} && isatty(STDIN_FILENO) == 1;
  if (answering) command.search.translator.window = 1;
  const translation::Translator translator(model.opened.model, model.opened.tokenizers, command.search.search,
                                           command.search.translator, model.device);
  translate_lines(translator, command, answering);
  return 0;
}

}  // namespace heed::apps
