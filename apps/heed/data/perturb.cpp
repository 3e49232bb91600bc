// `heed data perturb`: text with changes as people make them, to measure how robust a system is.
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "data/corpus_options.h"
#include "data/data_commands.h"
#include "heed/core/log.h"
#include "heed/core/random.h"
#include "heed/core/text/counted.h"
#include "heed/curation/files/pair_input.h"
#include "heed/text/perturbation.h"
#include "output.h"
#include "program.h"
#include "progress.h"

namespace heed::apps {
namespace {

using curation::Pair;

struct PerturbCommand {
  CorpusInput input;
  CorpusOutput output;
  std::vector<std::string> kinds;
  WorkOptions work;
};
void describe(PerturbCommand& o, OptionVisitor& visit) {
  visit("kinds", o.kinds,
        "changes, KIND or KIND=RATE: the share of the pairs that are changed so (without a rate: all); join, "
        "upper-case, title-case, no-punctuation, double-punctuation, typos, no-accents, emoji, url");
  describe(o.input, visit);
  describe_output(o.output, visit);
  describe(o.work, visit);
}

const config::CommandHelp kPerturbHelp{
    .usage =
        "heed data perturb --kinds KIND... (--source FILE --target FILE | --pairs FILE) (--output-source FILE "
        "--output-target FILE | --output-pairs FILE) [--seed N]",
    .summary =
        R"(Changes test text as people do who write it. A system that translates the changed source is scored with the
changed target: its loss shows how robust it is. The changes are those of `heed train --data.augment`.

  join                the next pair follows on the same line
  upper-case          all letters of both sides
  title-case          the first letter of each word, both sides
  no-punctuation      without the punctuation at the end of both sides
  double-punctuation  with more of it
  typos               one word in ten of the source, at least one: a key next to the right one, letters swapped,
                      left out or doubled
  no-accents          the source without accents of Latin and Greek letters
  emoji, url          one at the end or start of both sides

URLs, mail addresses, placeholders and tags in the text stay as they are.)",
    .examples =
        R"(  heed data perturb --kinds typos --source test.en --target test.de --output-source typos.en --output-target typos.de
  heed data perturb --kinds upper-case=0.1 emoji=0.1 --pairs test.tsv --output-pairs mixed.tsv --seed 7)",
    .common = {"kinds", "source", "target", "pairs", "output-source", "output-target", "output-pairs", "seed"},
    .closing = "recipes/robustness.sh prints the loss of a model for each kind.",
};

text::PairText text_of(const Pair& pair) { return {.source = pair.source, .target = pair.target}; }

int perturb_pairs(const PerturbCommand& command, const config::Arguments&) {
  require_option(!command.kinds.empty(), "kinds", "name the changes, such as typos");
  const auto rates = text::perturbation_rates(command.kinds, "--kinds", /*usual=*/1);
  PairFileWriter writer(command.output, command.input, "output-");
  const auto input = curation::open_pairs(command.input.corpus());
  Progress progress(command.output.pairs);
  int64_t pairs = 0, changed = 0;
  const auto write = [&](const Pair& pair, const Pair& next) {
    RandomStream random(static_cast<uint64_t>(command.work.seed), Purpose::Augmentation, 0,
                        static_cast<uint64_t>(pairs));
    const auto text = text::perturbed(rates, [&] { return text_of(pair); }, [&] { return text_of(next); }, random);
    Pair written = pair;
    if (text) std::tie(written.source, written.target) = std::tie(text->source, text->target);
    writer.write(written);
    changed += text.has_value();
    progress.lines("pairs", ++pairs, std::nullopt);
  };
  std::optional<Pair> first, before;
  for (Pair pair; input->next(pair);) {
    if (before) write(*before, pair);
    if (!first) first = pair;
    before = pair;
  }
  if (before) write(*before, *first);
  progress.end_line();
  writer.finish();
  log_info(fmt::format("{} of {} changed", format_count(changed), counted(pairs, "pair")));
  return 0;
}

}  // namespace

config::Command data_perturb_command() {
  return with_options<PerturbCommand>(
      {.name = "perturb",
       .summary = "test text -> the same with typing errors, in capitals, with emoji, ...",
       .help = kPerturbHelp},
      perturb_pairs);
}

}  // namespace heed::apps
