// The commands of heed, one file each. If a command throws an exception, the program ends (program.h).
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "program.h"

namespace heed::apps {

config::Command align_command();
config::Command average_command();
config::Command bpe_command();
config::Command completion_command();
config::Command data_command();
config::Command doctor_command();
config::Command embeddings_command();
config::Command evaluate_command();
config::Command export_command();
config::Command generate_command();
config::Command import_command();
config::Command make_command();
config::Command man_pages_command();
config::Command predict_command();
config::Command report_command();
config::Command rerank_command();
config::Command score_command();
config::Command serve_command();
config::Command shortlist_command();
config::Command spm_command();
config::Command tokenize_command();
config::Command torch_doctor_command();
config::Command train_command();
config::Command translate_command();
config::Command watch_command();

/// A command in the list of `heed --help`.
struct ListedCommand {
  std::string_view name;
  std::string_view summary;             ///< its input -> its output
  config::Command (*make)() = nullptr;  ///< null: heed-torch runs it. `heed` has translate.h for translate, and runs
                                        ///< heed-serve for serve and watch
};
/// All commands of heed, in the order of the list.
inline constexpr auto kCommands = std::to_array<ListedCommand>({
    {"make", "your parallel text and a time -> a model, everything chosen and scored", make_command},
    {"train", "text files of two languages -> a model directory"},
    {"translate", "lines of text -> their translations, one per line"},
    {"serve", "a model directory -> a web server that translates, with LibreTranslate's API"},
    {"evaluate", "translations and references -> BLEU, chrF, TER and their significance, as sacreBLEU has them",
     evaluate_command},
    {"report", "model directories -> a page about their trainings, side by side", report_command},
    {"watch", "model directories -> the same page in the browser, live"},
    {"predict", "lines of text -> their labels, labels of their words, or numbers"},
    {"score", "text and given translations, or text under a language model -> log-probabilities, perplexity"},
    {"rerank", "n-best lists and further models -> the best translations; weights of the models"},
    {"align", "text and given translations -> which words belong together"},
    {"average", "checkpoints of a training -> a model with the mean of their parameters"},
    {"import", "a model of another toolkit -> a model directory"},
    {"export", "a model directory -> a model for another toolkit"},
    {"generate", "beginnings of lines -> lines that a language model completes"},
    {"data", "parallel text -> a report on it; the same without bad pairs; training, validation and test text",
     data_command},
    {"tokenize", "text -> the tokens that a model sees", tokenize_command},
    {"embeddings", "text -> a vector for each word; words with similar vectors", embeddings_command},
    {"bpe", "text -> subword units, as subword-nmt learns and applies them", bpe_command},
    {"shortlist", "a model and its corpus -> the likely translations of each token, for faster translation",
     shortlist_command},
    {"spm", "text -> pieces of a SentencePiece model, and back", spm_command},
    {"doctor", "nothing -> versions, devices, limits and speed of this machine, for reports of problems",
     doctor_command},
    {"completion", "a shell's name -> the script by which it completes command lines of heed"},
    {"man-pages", "a folder -> manual pages of heed and its commands"},
});

/// The commands of heed-torch.
std::vector<config::Command> torch_commands();
/// All of kCommands, in its order, with all options that they have in either program.
std::vector<config::Command> documented_commands();

/// Replaces this process by `heed-torch COMMAND ARGUMENTS...`, which must be next to this program or on the PATH.
/// Throws Error if that fails.
[[noreturn]] void run_with_torch(std::string_view command, CommandArguments arguments);
/// The same for `heed-serve COMMAND ARGUMENTS...`.
[[noreturn]] void run_server_program(std::string_view command, CommandArguments arguments);

}  // namespace heed::apps
