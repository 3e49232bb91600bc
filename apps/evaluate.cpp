#include <fmt/format.h>

#include "commands.h"
#include "heed/core/error.h"
#include "heed/core/line_reader.h"
#include "heed/metrics/bleu.h"

namespace heed::apps {
namespace {

struct EvaluateOptions {
  std::vector<std::string> reference;
  metrics::BleuOptions bleu;
  int64_t decimals = 1;
};
void describe(EvaluateOptions& o, OptionVisitor& visit) {
  visit("reference", o.reference, "file with the true translations; give the option again for each further reference");
  metrics::describe(o.bleu, visit);
  visit("decimals", o.decimals, "digits of the score behind the point", between(0, 15));
}

const config::CommandHelp kHelp{
    .usage = "heed evaluate --reference FILE [--reference FILE]... TRANSLATION_FILE...",
    .summary = R"(Prints the corpus BLEU of each file of translations against the references: the same number as
sacreBLEU 2.6.0, with the signature that says how it was computed. Line N is compared with line N.
Files may be .gz; `-` is standard input.)",
    .examples = R"(  heed evaluate --reference test.de out.de
  heed evaluate --reference a.de --reference b.de out.de    # two references
  heed evaluate --reference test.de old.de new.de           # two systems, one line each
  heed evaluate --reference test.tok.de --tokenize none out.tok.de   # text that is tokenized already)",
};

void check_count(const std::string& path, size_t lines, const std::string& reference, size_t expected) {
  if (lines == expected) return;
  throw InputError(path, 0, fmt::format("has {} lines, but {} has {}", lines, reference, expected));
}

}  // namespace

int run_evaluate(CommandArguments arguments) {
  EvaluateOptions options;
  const auto parsed = read_command_line(kHelp, config::walk_of(options), arguments, config::Positionals::Allowed);
  if (!parsed) return 0;
  const std::vector<std::string>& systems = parsed->positionals;
  require_option(!options.reference.empty(), "reference", "name the file with the true translations");
  if (systems.empty()) throw ConfigError("no translations given: name their file behind the options");

  std::vector<std::vector<std::string>> files;
  for (const std::string& path : options.reference) {
    files.push_back(read_lines(path));
    check_count(path, files.back().size(), options.reference[0], files[0].size());
  }
  const auto references = metrics::References::from_files(std::move(files));
  if (references.size() == 0) throw InputError(options.reference[0], 0, "has no lines");
  const metrics::Bleu bleu(options.bleu);
  const std::string signature = bleu.signature({.references = references.count()}).text();
  std::string results;
  for (const std::string& path : systems) {
    const std::vector<std::string> lines = read_lines(path);
    check_count(path, lines.size(), options.reference[0], references.size());
    const metrics::Score score = bleu.corpus_score(lines, references);
    if (systems.size() > 1) results += path + ": ";
    results += metrics::result_line(score, signature, static_cast<int>(options.decimals)) + '\n';
  }
  print(results);
  return 0;
}

}  // namespace heed::apps
