// The commands, one file each. Each gives its exit code and throws what stops it.
#pragma once

#include <array>
#include <string_view>

#include "program.h"

namespace heed::apps {

/// A command as `heed help` lists it.
struct CommandSummary {
  std::string_view name;
  std::string_view summary;  ///< what it makes of what
};
inline constexpr auto kCommandSummaries = std::to_array<CommandSummary>({
    {"train", "text files of two languages -> a model directory"},
    {"translate", "lines of text -> their translations, one per line"},
    {"evaluate", "translations and references -> BLEU, chrF, TER and their significance, as sacreBLEU has them"},
    {"score", "text and given translations, or text under a language model -> log-probabilities, perplexity"},
    {"align", "text and given translations -> which words belong together"},
    {"average", "checkpoints of a training -> a model with the mean of their parameters"},
    {"generate", "beginnings of lines -> lines that a language model completes"},
    {"tokenize", "text -> the tokens that a model sees"},
    {"embeddings", "text -> a vector for each word; words with similar vectors"},
    {"bpe", "text -> subword units, as subword-nmt learns and applies them"},
    {"spm", "text -> pieces of a SentencePiece model, and back"},
});
/// The command of this name; null if there is none.
const CommandSummary* find_summary(std::string_view name);
/// The names, apart by commas.
std::string command_names();

int run_bpe(CommandArguments arguments);
int run_spm(CommandArguments arguments);
int run_embeddings(CommandArguments arguments);
int run_tokenize(CommandArguments arguments);
int run_evaluate(CommandArguments arguments);
int run_train(CommandArguments arguments);
int run_translate(CommandArguments arguments);
int run_score(CommandArguments arguments);
int run_generate(CommandArguments arguments);
int run_align(CommandArguments arguments);
int run_average(CommandArguments arguments);

/// What `heed help` prints: the commands and the first steps.
std::string overview();
/// Replaces this process by `heed-torch COMMAND ARGUMENTS...`, found beside this program or on the PATH. Throws Error
/// when it cannot.
[[noreturn]] void run_with_torch(std::string_view command, CommandArguments arguments);

}  // namespace heed::apps
