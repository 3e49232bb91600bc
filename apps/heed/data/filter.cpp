#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/corpus_options.h"
#include "data/data_commands.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/curation/files/pair_input.h"
#include "heed/curation/removed_lines.h"
#include "heed/data/overlap/line_set.h"
#include "output.h"
#include "program.h"
#include "progress.h"

namespace heed::apps {
namespace {

using curation::Filter;
using curation::FilterSet;

/// The filters that are not applied by default.
FilterSet not_default() {
  FilterSet filters;
  for (const auto& [filter, name] : option_names(Filter{})) {
    if (!curation::kDefaultFilters.contains(filter)) filters.add(filter);
  }
  return filters;
}

struct FilterCommand {
  CorpusInput input;
  CorpusOutput output;
  std::string log;
  std::vector<std::string> filters, with, without;
  SurveyInput survey;
};
void describe(FilterCommand& o, OptionVisitor& visit) {
  describe(o.input, visit);
  describe_output(o.output, visit);
  visit("log", o.log, "file for the removed pairs: number, reasons and text of each, for `heed data restore`");
  visit("filters", o.filters, "apply these filters instead of the default ones");
  visit("with", o.with,
        "filters to apply besides the default ones: " + fmt::format("{}", fmt::join(not_default().names(), ", ")));
  visit("without", o.without,
        "default filters not to apply: " + fmt::format("{}", fmt::join(curation::kDefaultFilters.names(), ", ")));
  describe(o.survey, visit);
}

const config::CommandHelp kFilterHelp{
    .usage =
        "heed data filter (--source FILE --target FILE | --pairs FILE) (--output-source FILE --output-target FILE | "
        "--output-pairs FILE) [--log FILE] [options]",
    .summary =
        R"(Removes bad pairs from a corpus. The default filters hardly ever remove a good pair. heed learns from the
corpus itself what is usual for it, such as its languages and the lengths of translations. `heed data report`
shows what the filters would remove, and `heed data restore` puts it back.)",
    .examples =
        R"(  heed data filter --source raw.en --target raw.de --output-source train.en --output-target train.de --log removed.jsonl
  heed data filter --pairs raw.tsv --output-pairs train.tsv --with numbers markup near-duplicate
  heed data filter --pairs raw.tmx --output-pairs train.tsv --filters empty duplicate
  heed data restore --source train.en --target train.de --log removed.jsonl --reasons ratio \
    --output-source more.en --output-target more.de)",
    .common = {"source", "target", "pairs", "output-source", "output-target", "output-pairs", "log", "filters", "with",
               "without", "valid-source", "valid-target", "test-source", "test-target", "max-words", "min-alignment",
               "threads"},
    .closing = "docs/guide/data.md explains the filters, and how good they are.",
};

/// The filters that the options choose.
FilterSet chosen_filters(const FilterCommand& command) {
  FilterSet chosen =
      command.filters.empty() ? curation::kDefaultFilters : curation::filters_of(command.filters, "--filters");
  const FilterSet with = curation::filters_of(command.with, "--with");
  const FilterSet without = curation::filters_of(command.without, "--without");
  for (const auto& [filter, name] : option_names(Filter{})) {
    if (with.contains(filter)) chosen.add(filter);
    if (without.contains(filter)) chosen.remove(filter);
  }
  return chosen;
}

/// The reasons for removing pairs, which come in the order of the text. Of nearly equal pairs the first that has no
/// other reason stays.
class RemovalReasons {
 public:
  explicit RemovalReasons(FilterSet chosen) : chosen_(chosen) {}

  FilterSet of(const curation::JudgedPair& pair) {
    const FilterSet reasons = pair.judgement.found & chosen_;
    FilterSet others = reasons;
    others.remove(Filter::NearDuplicate);
    if (!others.empty()) return reasons;
    const bool is_first = !kept_.contains(pair.group);
    kept_.add(pair.group);
    return is_first ? FilterSet() : reasons;
  }

 private:
  FilterSet chosen_;
  data::LineSet kept_;  // the groups that have a pair that stays
};

/// Logs how many pairs were removed, and by which filters.
void log_summary(int64_t pairs, int64_t removed, const std::array<int64_t, curation::kFilters>& counts) {
  log_info(fmt::format("{} of {} pairs removed, {} kept", format_count(removed), format_count(pairs),
                       format_count(pairs - removed)));
  for (const auto& [filter, name] : option_names(Filter{})) {
    const int64_t count = counts[static_cast<size_t>(filter)];
    if (count > 0) log_info(fmt::format("  {:<16}{:>10}  {}", name, format_count(count), description_of(filter)));
  }
}

int filter_pairs(const FilterCommand& command, const config::Arguments&) {
  const FilterSet chosen = chosen_filters(command);
  const curation::CorpusText asked = command.input.corpus();
  curation::validate(asked);
  PairFileWriter writer(command.output, command.input, "output-");
  if (!command.log.empty()) {
    require_other_than_inputs("--log", command.log, paths_of(asked));
    require_other_file(command.output, "--log", command.log);
  }
  const auto log = command.log.empty() ? nullptr : std::make_unique<Output>(command.log);
  const data::SpooledFiles files(asked.files, command.survey.work.scratch());
  curation::CorpusText corpus = asked;
  corpus.files = files.files();
  Progress progress(command.output.pairs);
  curation::CorpusSurvey survey =
      command.survey.start(corpus, command.input, chosen.contains(Filter::NearDuplicate), progress);
  std::array<int64_t, curation::kFilters> counts{};
  int64_t removed = 0;
  RemovalReasons removal(chosen);
  survey.judge([&](const curation::JudgedPair& pair) {
    const FilterSet reasons = removal.of(pair);
    if (reasons.empty()) return writer.write(pair.pair);
    ++removed;
    for (size_t i = 0; i < counts.size(); ++i) counts[i] += reasons.contains(static_cast<Filter>(i));
    if (log) log->write(curation::removed_line(pair, reasons));
  });
  progress.end_line();
  writer.finish(log ? std::vector{log.get()} : std::vector<Output*>{});
  log_summary(survey.pairs(), removed, counts);
  return 0;
}

struct RestoreCommand {
  CorpusInput input;
  CorpusOutput output;
  std::string log;
  std::vector<std::string> reasons;
};
void describe(RestoreCommand& o, OptionVisitor& visit) {
  describe(o.input, visit);
  describe_output(o.output, visit);
  visit("log", o.log, "the log of `heed data filter`");
  visit("reasons", o.reasons,
        "put back only pairs that were removed for these reasons and no others; without: all pairs");
}

const config::CommandHelp kRestoreHelp{
    .usage =
        "heed data restore (--source FILE --target FILE | --pairs FILE) --log FILE (--output-source FILE "
        "--output-target FILE | --output-pairs FILE) [--reasons FILTER...]",
    .summary =
        "Puts pairs that `heed data filter` removed back in their places. The input is the output of the filter.",
    .examples =
        R"(  heed data restore --source train.en --target train.de --log removed.jsonl --output-source raw.en --output-target raw.de
  heed data restore --pairs train.tsv --log removed.jsonl --reasons ratio truncated --output-pairs more.tsv)",
};

/// Whether a pair is put back. Without reasons all are.
bool is_put_back(const curation::RemovedLine& removed, const std::vector<std::string>& names, FilterSet reasons) {
  return names.empty() || (removed.reasons & reasons) == removed.reasons;
}

int restore_pairs(const RestoreCommand& command, const config::Arguments&) {
  require_option(!command.log.empty(), "log", "name the log that `heed data filter` wrote");
  require_other_file(command.output, "--log", command.log);
  const FilterSet reasons = curation::filters_of(command.reasons, "--reasons");
  const auto kept = curation::open_pairs(command.input.corpus());
  PairFileWriter writer(command.output, command.input, "output-");
  curation::RemovedLines log(command.log);
  int64_t number = 1, kept_pairs = 0, restored = 0;
  std::optional<curation::RemovedLine> removed = log.next();
  const auto put_back = [&] {
    for (; removed && removed->number == number; ++number, removed = log.next()) {
      if (!is_put_back(*removed, command.reasons, reasons)) continue;
      writer.write(removed->pair);
      ++restored;
    }
  };
  put_back();
  for (curation::Pair pair; kept->next(pair);) {
    writer.write(pair);
    ++kept_pairs;
    ++number;
    put_back();
  }
  if (removed) {
    throw InputError(fmt::format("{} has the removed pair {}, but the text has only {}: they do not belong together",
                                 command.log, format_count(removed->number), counted(kept_pairs, "pair")));
  }
  writer.finish();
  log_info(fmt::format("{} put back", counted(restored, "pair")));
  return 0;
}

}  // namespace

config::Command data_filter_command() {
  return with_options<FilterCommand>(
      {.name = "filter",
       .summary = "parallel text -> the same without bad pairs; a log of what was removed",
       .help = kFilterHelp},
      filter_pairs);
}

config::Command data_restore_command() {
  return with_options<RestoreCommand>({.name = "restore",
                                       .summary = "filtered text and its log -> the text with removed pairs put back",
                                       .help = kRestoreHelp},
                                      restore_pairs);
}

}  // namespace heed::apps
