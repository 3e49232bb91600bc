// `heed data dedup`, `sample`, `shuffle` and `convert`: text out of text, pair by pair.
#include <algorithm>
#include <array>
#include <queue>

#include <fmt/format.h>

#include "data/corpus_options.h"
#include "data/data_commands.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"
#include "heed/curation/files/pair_input.h"
#include "heed/curation/random_order.h"
#include "heed/curation/survey/pair_blocks.h"
#include "heed/curation/survey/repeated_pairs.h"
#include "heed/data/overlap/line_set.h"
#include "output.h"
#include "program.h"
#include "progress.h"

namespace heed::apps {
namespace {

using curation::Pair;

/// The input of a command in files that can be read twice.
class RereadableCorpus {
 public:
  RereadableCorpus(const CorpusInput& input, const WorkOptions& work)
      : corpus_(input.corpus()), files_((curation::validate(corpus_), corpus_.files), work.scratch()) {
    corpus_.files = files_.files();
  }
  const curation::CorpusText& text() const { return corpus_; }
  /// Reads all pairs.
  template <class Use>
  int64_t read(Progress& progress, std::optional<int64_t> total, const Use& use) const {
    const auto input = curation::open_pairs(corpus_);
    int64_t count = 0;
    for (Pair pair; input->next(pair);) {
      use(pair);
      progress.lines("pairs", ++count, total);
    }
    return count;
  }

 private:
  curation::CorpusText corpus_;
  data::SpooledFiles files_;
};

struct TransferCommand {
  CorpusInput input;
  CorpusOutput output;
  WorkOptions work;
};
void describe(TransferCommand& o, OptionVisitor& visit) {
  describe(o.input, visit);
  describe_output(o.output, visit);
  describe(o.work, visit);
}

int shuffle_pairs(const TransferCommand& command, const config::Arguments&) {
  PairFileWriter writer(command.output, command.input, "output-");
  const auto input = curation::open_pairs(command.input.corpus());
  Progress progress(command.output.pairs);
  curation::RandomOrder order(command.work.scratch(), static_cast<uint64_t>(command.work.seed));
  int64_t pairs = 0;
  for (Pair pair; input->next(pair);) {
    order.add(pair);
    progress.lines("pairs", ++pairs, std::nullopt);
  }
  order.take([&](const Pair& pair) { writer.write(pair); });
  progress.end_line();
  writer.finish();
  return 0;
}

int convert_pairs(const TransferCommand& command, const config::Arguments&) {
  PairFileWriter writer(command.output, command.input, "output-");
  const auto input = curation::open_pairs(command.input.corpus());
  Progress progress(command.output.pairs);
  int64_t pairs = 0;
  for (Pair pair; input->next(pair);) {
    writer.write(pair);
    progress.lines("pairs", ++pairs, std::nullopt);
  }
  progress.end_line();
  writer.finish();
  log_info(counted(pairs, "pair"));
  return 0;
}

struct SampleCommand {
  TransferCommand transfer;
  int64_t size = 0;
};
void describe(SampleCommand& o, OptionVisitor& visit) {
  visit("size", o.size, "pairs of the sample", at_least(1));
  describe(o.transfer, visit);
}

/// The key below or at which `size` of the pairs 1 to `pairs` are.
uint64_t largest_key(int64_t pairs, int64_t size, uint64_t seed) {
  std::priority_queue<uint64_t> smallest;
  for (int64_t line = 1; line <= pairs; ++line) {
    const uint64_t key = curation::random_key(seed, line);
    if (std::ssize(smallest) < size) {
      smallest.push(key);
    } else if (key < smallest.top()) {
      smallest.pop();
      smallest.push(key);
    }
  }
  return smallest.top();
}

int sample_pairs(const SampleCommand& command, const config::Arguments&) {
  const auto& [input, output, work] = command.transfer;
  require_option(command.size > 0, "size", "give the number of pairs of the sample");
  PairFileWriter writer(output, input, "output-");
  const RereadableCorpus corpus(input, work);
  Progress progress(output.pairs);
  int64_t place = 0;
  const int64_t pairs = corpus.read(progress, std::nullopt, [](const Pair&) {});
  if (pairs < command.size) {
    throw ConfigError("--size", fmt::format("is {}, but the text has only {}", command.size, counted(pairs, "pair")));
  }
  const auto seed = static_cast<uint64_t>(work.seed);
  const uint64_t largest = largest_key(pairs, command.size, seed);
  corpus.read(progress, pairs, [&](const Pair& pair) {
    if (curation::random_key(seed, ++place) <= largest) writer.write(pair);
  });
  progress.end_line();
  writer.finish();
  return 0;
}

enum class SamePart { Pair, Source, Target };
constexpr auto option_names(SamePart) {
  return std::array{std::pair{SamePart::Pair, "pair"}, std::pair{SamePart::Source, "source"},
                    std::pair{SamePart::Target, "target"}};
}

struct DedupCommand {
  TransferCommand transfer;
  SamePart by = SamePart::Pair;
  bool near = false;
  double similarity = 0.8;
};
void describe(DedupCommand& o, OptionVisitor& visit) {
  visit("by", o.by, "what must be equal: both sides (pair), or one of them");
  visit("near", o.near, "remove near-duplicates too");
  visit("similarity", o.similarity,
        "pairs are near-duplicates from this Jaccard similarity of their character 5-grams on", between(0.3, 1));
  describe(o.transfer, visit);
}

curation::PairKeys keys_of(const Pair& pair, const DedupCommand& command) {
  const bool blank = strip(pair.source).empty() && strip(pair.target).empty();
  curation::PairKeys keys{.pair = command.by == SamePart::Source   ? curation::side_key(pair.source)
                                  : command.by == SamePart::Target ? curation::side_key(pair.target)
                                                                   : curation::pair_key(pair.source, pair.target),
                          .blank = blank};
  if (!command.near || blank) return keys;
  curation::SideText source, target;
  source.assign(command.by == SamePart::Target ? std::string_view() : pair.source);
  target.assign(command.by == SamePart::Source ? std::string_view() : pair.target);
  keys.sketch = sketch_of(source, target);
  return keys;
}

int dedup_pairs(const DedupCommand& command, const config::Arguments&) {
  const auto& [input, output, work] = command.transfer;
  PairFileWriter writer(output, input, "output-");
  const RereadableCorpus corpus(input, work);
  Progress progress(output.pairs);
  curation::RepeatedPairs repeated(work.scratch(), command.near ? std::optional(command.similarity) : std::nullopt, 2);
  const int64_t pairs = curation::for_each_pair<curation::PairKeys>(
      *curation::open_pairs(corpus.text()), work.thread_count(),
      [&](int64_t, const Pair& pair) { return keys_of(pair, command); },
      [&](const Pair&, const curation::PairKeys& keys) { repeated.add(keys); });
  repeated.find();
  int64_t place = 0, removed = 0;
  data::LineSet kept_groups;  // of nearly equal pairs
  corpus.read(progress, pairs, [&](const Pair& pair) {
    const int64_t line = place++, group = repeated.group_of(line);
    if (repeated.is_duplicate(line) || kept_groups.contains(group)) {
      ++removed;
      return;
    }
    kept_groups.add(group);
    writer.write(pair);
  });
  progress.end_line();
  writer.finish();
  log_info(fmt::format("{} of {} pairs removed, {} kept", format_count(removed), format_count(pairs),
                       format_count(pairs - removed)));
  return 0;
}

constexpr const char* kFiles =
    "(--source FILE --target FILE | --pairs FILE) (--output-source FILE --output-target FILE | --output-pairs FILE)";

}  // namespace

config::Command data_dedup_command() {
  return with_options<DedupCommand>(
      {.name = "dedup",
       .summary = "parallel text -> the same without pairs that repeat earlier ones",
       .help =
           {.usage = fmt::format("heed data dedup {} [--near] [options]", kFiles),
            .summary = "Removes pairs that repeat an earlier one; the first stays, and the order.",
            .examples =
                R"(  heed data dedup --source raw.en --target raw.de --output-source train.en --output-target train.de
  heed data dedup --pairs raw.tsv --output-pairs train.tsv --near --similarity 0.9
  heed data dedup --pairs raw.tsv --output-pairs train.tsv --by source)"}},
      dedup_pairs);
}

config::Command data_sample_command() {
  return with_options<SampleCommand>(
      {.name = "sample",
       .summary = "parallel text -> a random sample of its pairs",
       .help = {.usage = fmt::format("heed data sample {} --size N [--seed N]", kFiles),
                .summary =
                    "Samples pairs without replacement. They keep their order. The same seed gives the same sample.",
                .examples = "  heed data sample --pairs all.tsv --size 10000 --output-pairs some.tsv"}},
      sample_pairs);
}

config::Command data_shuffle_command() {
  return with_options<TransferCommand>(
      {.name = "shuffle",
       .summary = "parallel text -> the same in random order, both sides in step",
       .help =
           {.usage = fmt::format("heed data shuffle {} [--seed N]", kFiles),
            .summary =
                "Puts pairs in random order. The same seed gives the same order. Memory does not depend on the size "
                "of the text.",
            .examples =
                "  heed data shuffle --source a.en --target a.de --output-source b.en --output-target b.de --seed 7"}},
      shuffle_pairs);
}

config::Command data_convert_command() {
  return with_options<TransferCommand>(
      {.name = "convert",
       .summary = "parallel text -> the same in another format: two text files, TSV, JSON lines, TMX, XLIFF, PO",
       .help =
           {.usage = fmt::format("heed data convert {}", kFiles),
            .summary = "Copies pairs into another format.",
            .examples =
                R"(  heed data convert --pairs memory.tmx --source-field en --target-field de --output-source a.en --output-target a.de
  heed data convert --source a.en --target a.de --output-pairs a.tmx
  heed data convert --pairs de.po --output-pairs messages.tsv
  heed data convert --pairs table.tsv --source-field 3 --target-field 4 --output-pairs pairs.tsv)"}},
      convert_pairs);
}

}  // namespace heed::apps
