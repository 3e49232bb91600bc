#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "commands.h"
#include "dry_run.h"
#include "heed/core/error.h"
#include "heed/core/exception_text.h"
#include "heed/core/log.h"
#include "heed/core/text/printable.h"
#include "heed/core/wall_clock.h"
#include "heed/report/terminal_observer.h"
#include "heed_torch/config/device.h"
#include "heed_torch/config/presets.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/join_ranks.h"
#include "heed_torch/config/setup/training_run.h"
#include "next_steps.h"
#include "stop_signals.h"
#include "training_options.h"
#include "version.h"
#include "watch_server.h"

namespace heed::apps {
namespace {

/// Options of this process, not of the training: they are not saved.
struct ProcessOptions {
  std::optional<int64_t> watch;  ///< port
  bool dry_run = false;
};
void describe(ProcessOptions& o, OptionVisitor& visit) {
  visit("watch", o.watch,
        "port of this machine at which a browser shows the training while it runs: its report.html, renewed; 0: any "
        "free port, which the log names; none: no web server",
        between(0, 65535));
  visit("dry-run", o.dry_run,
        "try everything and keep nothing: read all text, make a few training steps, one with the longest sentences, a "
        "validation and a checkpoint, in a temporary directory next to the model's; print the parameters, memory, disk "
        "and speed, and how long the training will take");
}

struct TrainCommand {
  std::vector<std::string> config;
  ProcessOptions process;
  config::RunOptions run;
};
void describe(TrainCommand& o, OptionVisitor& visit) {
  visit("config", o.config,
        "configuration files in TOML; a later file overwrites an earlier one, the command line overwrites all");
  describe(o.process, visit);
  describe(o.run, visit);
}

/// Sets the options of the process, and returns all others.
config::Layer apply_process_options(ProcessOptions& options, const config::Layer& given) {
  const config::OptionList known = config::list_options(config::visit_options(options));
  config::Layer here, others;
  for (const config::Setting& setting : given) (known.find(setting.name) ? here : others).push_back(setting);
  config::apply_layers(config::visit_options(options), {here});
  return others;
}

const config::CommandHelp kTrainHelp{
    .usage =
        "heed train --source FILE --target FILE [--valid-source FILE --valid-target FILE] --model DIR [options]\n"
        "       heed train --task language-model --target FILE [--valid-target FILE] --model DIR [options]\n"
        "       heed train --task classification|labelling|regression --source FILE --target FILE ... [options]",
    .summary =
        R"(Trains a translation model on pairs of sentences. --task trains other models: a language model on text of
one language, for `heed score` and `heed generate`, or a model for `heed predict`. The target file then has
the label of each source line (classification), a label for each of its words (labelling) or numbers
(regression).

The model directory contains everything that other commands need, also the tokenizers. Validation text decides
which checkpoint is best and when to stop early. Without it, heed averages the last checkpoints. Ctrl-C saves
a checkpoint and stops. The same command resumes the training. You may change options when you resume, except
those that decide the network, the vocabulary or the encoded text. --from starts from the weights, tokenizers
and architecture of a trained model (fine-tuning).

With --preset, --task and other options, --help shows the defaults that go with them.)",
    .examples = R"(  heed train --source train.en --target train.de --valid-source valid.en --valid-target valid.de \
    --model models/en-de
  heed train --preset transformer-base --pairs corpus.tsv.gz --valid-pairs dev.tsv --model models/big
  heed train --source train.en --target train.de --model models/en-de --dry-run     # does it fit, how long will it take?
  heed train --config run.toml --arch.d-model 256 --train.max-steps 5000 --model models/wide
  heed train --preset lm-lstm --target train.de --valid-target valid.de --model models/lm-de
  heed train --task classification --source train.txt --target train.labels --valid-source dev.txt \
    --valid-target dev.labels --model models/language
  zcat corpus.tsv.gz | heed train --pairs - --data.shuffle-buffer 100000 --model models/en-de    # read once, not stored
  heed train --from models/en-de --source new.en --target new.de --model models/new --train.max-steps 500 \
    --train.schedule.warmup 50
  heed train --model models/en-de                  # resumes this training
  heed train --model models/en-de --watch 8000     # and shows it in a browser, at http://127.0.0.1:8000
  heed train --model models/en-de --train.max-steps 30000 --arch.dropout 0.2     # resumes it with other options)",
    // clang-format off
    .common = {"source", "target", "pairs", "valid-source", "valid-target", "model", "preset", "task", "config",
               "device", "threads", "seed", "text.type", "text.vocab-size", "text.joint", "arch.d-model",
               "arch.encoder.layers", "arch.decoder.layers", "arch.dropout", "data.batch-tokens",
               "train.schedule.learning-rate", "train.schedule.warmup", "train.max-steps", "train.max-epochs",
               "train.max-minutes", "watch", "dry-run", "from", "train.freeze", "train.adapter.type", "valid.every", "valid.metric", "valid.patience", "log.every"},
    // clang-format on
    .closing = R"(The options are saved as config.toml in the model directory. In such a file `--arch.d-model 256` reads
  [arch]
  d-model = 256)",
};

constexpr int kInterrupted = 130;  // as shells report a program that SIGINT ended

/// Sets the options for --help. If no text is given, they are those with validation text. The model directory is
/// ignored.
void show_options(TrainCommand& command, const config::Layer& given) {
  config::Layer settings = apply_process_options(command.process, given);
  std::erase_if(settings, [](const config::Setting& setting) { return setting.name == "config"; });
  for (const config::Setting& setting : given) {
    if (setting.name == "config") command.config = setting.values;
  }
  const bool names_text = std::ranges::any_of(settings, [](const config::Setting& setting) {
    return setting.name == "target" || setting.name == "pairs" || setting.name.starts_with("valid-");
  });
  if (!names_text) settings.push_back({.name = "valid-target", .values = {"-"}});
  command.run = config::read_run_options(command.config, settings);
  if (!names_text) command.run.valid_corpus = {};
}

/// Ends the program when a rank is lost, since waiting for it would never end. Written files are complete, because they
/// are renamed only when complete.
void end_without_rank(const std::string& reason) {
  std::cerr << fmt::format("heed: {}; training ends, and the newest checkpoint is kept\n", printable_message(reason))
            << std::flush;
  std::_Exit(1);
}

/// Only the first rank prints all messages; the others print warnings.
void report_as_rank(int64_t rank) {
  set_log_sink([rank](LogLevel level, std::string_view message) {
    if (level != LogLevel::Warning) return;
    std::cerr << fmt::format("heed: warning (rank {}): {}\n", rank, printable_message(message));
  });
}

/// Returns whether the training was completed.
bool train_on(const std::shared_ptr<distributed::RankGroup>& ranks, const config::RunOptions& options,
              const ProcessOptions& process) {
  std::optional<WatchServer> watch;
  if (process.watch && ranks->leads()) {
    watch.emplace(std::vector{options.model}, serve::HttpOptions{.port = *process.watch});
    log_info(fmt::format("a browser shows this training at {}", watch->address()));
  }
  config::PreparedRun run = config::prepare_run(options, ranks);
  report::TerminalObserver terminal(std::cerr, system_clock());
  std::vector<training::Observer*> observers;
  if (ranks->leads()) {
    observers.push_back(&terminal);
  }
  const auto outcome = config::run_training(run, options, observers, stop_request_for_training());
  outcome.finished ? show_next_steps(options, outcome) : show_resumption(options, outcome);
  return outcome.finished;
}

int train(TrainCommand& command, const config::Arguments& given) {
  receive_stop_signals();  // first, because checking the options makes a model, whose tensors start threads
  config::use_threads(0);  // sets the number of those threads: LibTorch's default ignores the CPU quota
  const config::Layer settings = apply_process_options(command.process, given.settings);
  command.run = training_options(settings);
  const auto ranks = config::join_ranks(command.run, end_without_rank);
  if (!ranks->leads()) report_as_rank(ranks->rank());
  try {
    config::require_same(*ranks, "the version of heed", std::string(kVersion));
    settle_training_options(command.run, settings, *ranks);
    if (command.process.dry_run) {
      if (!ranks->alone()) throw ConfigError("dry-run", "goes with one rank");
      print(dry_run(command.run));
      return 0;
    }
    const bool finished = train_on(ranks, command.run, command.process);
    ranks->leave();
    return finished ? 0 : kInterrupted;
  } catch (const std::exception& error) {
    ranks->give_up(sentence_of(error));
    throw;
  }
}

}  // namespace

config::Command train_command() {
  const auto options = std::make_shared<TrainCommand>();
  return {.name = "train",
          .help = kTrainHelp,
          .options = config::visit_options(*options),
          .run = [options](const config::Arguments& given) { return train(*options, given); },
          .applies_settings = true,
          .prepare_help = [options](const config::Layer& given) { show_options(*options, given); }};
}

}  // namespace heed::apps
