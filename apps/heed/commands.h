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
config::Command distill_command();
config::Command doctor_command();
config::Command embeddings_command();
config::Command evaluate_command();
config::Command export_command();
config::Command generate_command();
config::Command import_command();
config::Command make_command();
config::Command man_pages_command();
config::Command pack_command();
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
    {"translate", "lines of text, or documents -> their translations"},
    {"serve", "a model directory -> a web server that translates, with LibreTranslate's API"},
    {"evaluate", "translations and references -> BLEU, chrF and TER as in sacreBLEU, and tests of significance",
     evaluate_command},
    {"report", "model directories -> a page about their trainings, side by side", report_command},
    {"watch", "model directories -> the same page in the browser, live"},
    {"predict", "lines of text -> a label for each line or each word, or numbers"},
    {"score", "text and given translations, or text under a language model -> log-probabilities, perplexity"},
    {"rerank", "n-best lists and more models -> the best translation of each list; weights of the models"},
    {"distill", "a training text and teachers -> the teachers' translations, for a student to train on",
     distill_command},
    {"align", "text and its translations -> which words translate each other"},
    {"average", "checkpoints of a training -> a model with the mean of their parameters"},
    {"pack", "a model directory -> one file, which every command takes as the model", pack_command},
    {"import", "a model of another toolkit -> a model directory"},
    {"export", "a model directory -> a model for another toolkit"},
    {"generate", "beginnings of lines -> the lines that a language model makes of them"},
    {"data", "parallel text -> a report on it, clean text, or training, validation and test text", data_command},
    {"tokenize", "text -> the tokens that a model sees", tokenize_command},
    {"embeddings", "text -> a vector for each word; words with similar vectors", embeddings_command},
    {"bpe", "text -> subword units, identical to those of subword-nmt", bpe_command},
    {"shortlist", "a model and its corpus -> the likely translations of each token, for faster translation",
     shortlist_command},
    {"spm", "text -> pieces of a SentencePiece model, and back", spm_command},
    {"doctor", "nothing -> versions, devices, limits and speed of this machine, to report a problem", doctor_command},
    {"completion", "a shell's name -> the script that completes heed's commands and options in this shell"},
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
