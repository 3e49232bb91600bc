// `heed data`: see, clean and split parallel text.
#include "commands.h"
#include "data/data_commands.h"

namespace heed::apps {
namespace {

const config::CommandHelp kDataHelp{
    .usage = "heed data COMMAND [options]",
    .summary =
        R"(Sees, cleans and splits parallel text before a training. Text is two files whose N-th lines belong together
(--source, --target) or a file of pairs (--pairs): TSV, JSON lines, TMX, XLIFF or PO.)",
    .closing = R"(heed data COMMAND --help explains a command; docs/guide/data.md shows them on real text.

First steps:
  heed data report --source raw.en --target raw.de --output report.html
  heed data filter --source raw.en --target raw.de --output-source clean.en --output-target clean.de --log removed.jsonl
  heed data split --source clean.en --target clean.de --valid 1000 --test 1000 --output data)"};

}  // namespace

config::Command data_command() {
  return {.name = "data",
          .help = kDataHelp,
          .parts = {data_report_command(), data_filter_command(), data_restore_command(), data_dedup_command(),
                    data_split_command(), data_sample_command(), data_shuffle_command(), data_convert_command(),
                    data_perturb_command()}};
}

}  // namespace heed::apps
