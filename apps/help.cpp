#include "commands.h"
#include "heed/core/error.h"

namespace heed::apps {
namespace {

constexpr std::string_view kOverview =
    R"(heed trains translation models on pairs of text files, translates with them and scores the result. It also trains
language models on text of one language.

Commands:
  heed train        text files of two languages -> a model directory
  heed translate    lines of text -> their translations, one per line
  heed evaluate     translations and references -> BLEU, chrF, TER and their significance, as sacreBLEU has them
  heed score        text and given translations, or text under a language model -> log-probabilities, perplexity
  heed align        text and given translations -> which words belong together
  heed generate     beginnings of lines -> lines that a language model completes
  heed tokenize     text -> the tokens that a model sees
  heed embeddings   text -> a vector for each word; words with similar vectors
  heed bpe          text -> subword units, as subword-nmt learns and applies them
  heed spm          text -> pieces of a SentencePiece model, and back
  heed help COMMAND (or heed COMMAND --help) explains a command; --help-all lists all its options

First steps with your own files (line N of one file translates line N of the other):
  heed train --source train.en --target train.de --valid-source dev.en --valid-target dev.de --model models/en-de
  heed translate --model models/en-de < test.en > out.de
  heed evaluate --reference test.de out.de

heed --version prints the version.
)";

}  // namespace

int run_help(CommandArguments arguments) {
  if (arguments.empty()) {
    print(kOverview);
    return 0;
  }
  const std::vector<std::string> help_only{"--help"};
  const auto of_part = [&] { return arguments.size() > 1 ? std::vector{arguments[1], help_only[0]} : help_only; };
  if (arguments[0] == "bpe") return run_bpe(of_part());
  if (arguments[0] == "spm") return run_spm(of_part());
  if (arguments[0] == "embeddings") return run_embeddings(of_part());
  if (arguments[0] == "tokenize") return run_tokenize(help_only);
  if (arguments[0] == "evaluate") return run_evaluate(help_only);
  if (needs_torch(arguments[0])) run_with_torch(arguments[0], help_only);
  throw ConfigError("there is no help on `" + arguments[0] + "`; `heed help` lists the commands");
}

}  // namespace heed::apps
