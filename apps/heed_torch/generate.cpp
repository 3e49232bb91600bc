#include <unistd.h>

#include <fmt/format.h>

#include "commands.h"
#include "heed/api/purpose.h"
#include "heed/api/trained_model.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/unicode.h"
#include "heed/translation/generator.h"
#include "heed/translation/lines/line_limits.h"
#include "heed_torch/api/use_torch.h"
#include "input.h"
#include "output.h"
#include "progress.h"
#include "translate/model_use.h"

namespace heed::apps {
namespace {

struct GenerateCommand {
  ModelUse use;
  std::vector<std::string> prompt;
  std::vector<std::string> input;
  std::string output = "-";
  bool scores = false;
  engine::PrecisionChoice precision = engine::PrecisionChoice::Float32;
  translation::GeneratorOptions generator;
};
void describe(GenerateCommand& o, OptionVisitor& visit) {
  describe(o.use, visit);
  visit("prompt", o.prompt, "beginnings of texts to complete, instead of input; '' begins a text from nothing");
  visit("input", o.input,
        "beginnings of texts, line by line: files (.gz too), or "
        "- for standard input; standard input without prompt");
  visit("output", o.output, "file for the texts, or - for standard output");
  visit("scores", o.scores, "print before each text the log-probability of its completion, and a TAB");
  describe_precision(o.precision, visit);
  describe(o.generator, visit);
}

const config::CommandHelp kGenerateHelp{
    .usage = "heed generate --model DIR [--prompt TEXT... | --input FILE...] [options]",
    .summary =
        R"(Completes texts with a language model. Each line of input is a prompt, and line N of the output is prompt N
with its completion. heed samples the tokens; the same seed gives the same text. With --method greedy it takes
the most probable token.)",
    .examples = R"(  heed generate --model models/lm-de --prompt 'Ein Mann' --samples 5
  heed generate --model models/lm-de --prompt '' --samples 100 --seed 7 > made-up.de
  heed generate --model models/lm-de --temperature 0.7 --top-p 0.9 < beginnings.de
  heed generate --model models/lm-de --method greedy --max-length 30 < beginnings.de)",
    .common = {"model", "prompt", "input", "output", "method", "temperature", "top-k", "top-p", "seed", "samples",
               "max-length", "scores", "precision", "checkpoint", "device", "threads"},
};

constexpr size_t kPromptsAtOnce = 1024;

/// Reads the prompts in blocks and completes them.
class Completer {
 public:
  Completer(const translation::Generator& generator, const GenerateCommand& command)
      : generator_(generator), command_(command), output_(command.output), progress_(command.output) {}

  void complete(const std::vector<std::string>& prompts) {
    std::string lines;
    for (const translation::Completion& made : completions(prompts)) {
      if (command_.scores) lines += fmt::format("{:.6f}\t", made.log_probability);
      lines += made.text + '\n';
      ++texts_;
      cut_ += made.complete ? 0 : 1;
    }
    done_ += std::ssize(prompts);
    output_.write(lines);
    progress_.lines("texts", texts_, all_);
  }
  void complete_input(bool answering) {
    Input input(command_.input, command_.use.invalid_text);
    if (const auto prompts = input.check()) all_ = *prompts * command_.generator.samples();  // finds errors first
    std::vector<std::string> prompts;
    for (std::string line; input.next(line);) {
      prompts.push_back(std::move(line));
      places_.push_back(input.place());
      if (!answering && prompts.size() < kPromptsAtOnce) continue;
      complete(prompts);
      if (answering) flush_output();
      prompts.clear();
      places_.clear();
    }
    complete(prompts);
  }
  void finish() {
    output_.finish();
    progress_.end_line();
    if (cut_ == 0) return;
    log_info(fmt::format("texts cut short: {} of {}; `max-length`, or the positions of the model, allow none longer",
                         cut_, texts_));
  }

 private:
  std::vector<translation::Completion> completions(const std::vector<std::string>& prompts) const {
    try {
      return generator_.complete(prompts, done_);
    } catch (const translation::LineTooLong& error) {
      if (!places_.empty()) throw InputError(places_[error.pair()].path, places_[error.pair()].line, error.what());
      throw Error(fmt::format("prompt {}: {}", done_ + static_cast<int64_t>(error.pair()) + 1, error.what()));
    }
  }

  const translation::Generator& generator_;
  const GenerateCommand& command_;
  Output output_;
  Progress progress_;
  std::optional<int64_t> all_;        // total number of texts, if known
  int64_t done_ = 0;                  // prompts
  int64_t texts_ = 0, cut_ = 0;       // generated; of these, truncated by the limit
  std::vector<Input::Place> places_;  // of the prompts in the current block, if they are lines
};

/// Replaces bytes that are not UTF-8 if `invalid` says so. Otherwise throws ConfigError for them, and always for
/// several lines.
void repair_prompt(std::string& prompt, InvalidText invalid) {
  if (const size_t end = prompt.find_first_of("\n\r"); end != std::string::npos) {
    throw ConfigError("--prompt", fmt::format("must be one line each, but has a line break at its byte {}", end + 1));
  }
  const auto offset = first_invalid_utf8(prompt);
  if (!offset) return;
  if (invalid == InvalidText::Fail) {
    throw ConfigError("--prompt", fmt::format("must be UTF-8 text, but has the byte 0x{:02X} at its byte {}",
                                              static_cast<unsigned char>(prompt[*offset]), *offset + 1));
  }
  prompt = replace_invalid_utf8(prompt);
}

int generate(GenerateCommand& command, const config::Arguments&) {
  for (std::string& prompt : command.prompt) repair_prompt(prompt, command.use.invalid_text);
  const bool from_lines = command.prompt.empty();
  if (from_lines && command.input.empty()) command.input = {"-"};
  require_other_than_inputs("--output", command.output, command.input);
  require_model(command.use);
  const auto threads = api::registered_backend()->borrow_threads(command.use.threads);
  api::TrainedModel model(command.use.model,
                          {.checkpoint = command.use.checkpoint,
                           .device = command.use.device,
                           .engine = {.precision = command.precision, .threads = command.use.threads}});
  api::require_purpose(api::Purpose::LanguageModel, command.use.model, model.options().arch);
  const auto running = model.translation_model();  // first: it may read the description once more
  const translation::Generator generator(running, model.tokenizers().target, command.generator);
  Completer completer(generator, command);
  if (from_lines) {
    completer.complete_input(command.input == std::vector<std::string>{"-"} && isatty(STDIN_FILENO) == 1);
  } else {
    completer.complete(command.prompt);
  }
  completer.finish();
  return 0;
}

}  // namespace

config::Command generate_command() {
  use_torch();
  return with_options<GenerateCommand>({.name = "generate", .help = kGenerateHelp, .exclusive = {{"prompt", "input"}}},
                                       generate);
}

}  // namespace heed::apps
