#include <array>

#include <fmt/format.h>

#include "data/corpus_options.h"
#include "data/data_commands.h"
#include "heed/core/error.h"
#include "heed/curation/report/data_report.h"
#include "output.h"
#include "program.h"
#include "progress.h"

namespace heed::apps {
namespace {

enum class DataReportFormat { Auto, Text, Json, Html };
constexpr auto option_names(DataReportFormat) {
  return std::array{std::pair{DataReportFormat::Auto, "auto"}, std::pair{DataReportFormat::Text, "text"},
                    std::pair{DataReportFormat::Json, "json"}, std::pair{DataReportFormat::Html, "html"}};
}

struct ReportCommand {
  CorpusInput input;
  std::string output = "-";
  DataReportFormat format = DataReportFormat::Auto;
  int64_t examples = 3;
  SurveyInput survey;
};
void describe(ReportCommand& o, OptionVisitor& visit) {
  describe(o.input, visit);
  visit("output", o.output, "file for the report, or - for standard output");
  visit("format", o.format,
        "text, json, or html: a page with charts; auto: html or json if the file's name ends so, else text");
  visit("examples", o.examples, "most examples of each filter", between(0, 10000));
  describe(o.survey, visit);
}

const config::CommandHelp kReportHelp{
    .usage = "heed data report (--source FILE --target FILE | --pairs FILE) [--output FILE] [options]",
    .summary =
        R"(Shows what a corpus is like, and what is wrong with it: lengths, duplicates, pairs that are also in the
validation or test text, copied and misaligned pairs, other languages, broken encodings, markup and numbers
that differ. For each filter of `heed data filter`, it shows how many pairs the filter finds, how many no
other filter finds, and examples with line numbers. It does not change the files.)",
    .examples = R"(  heed data report --source train.en --target train.de
  heed data report --pairs train.tsv --valid-pairs dev.tsv --output report.html     # a page with charts
  heed data report --pairs web.jsonl --source-field translation.en --target-field translation.de --format json)",
    .common = {"source", "target", "pairs", "valid-source", "valid-target", "test-source", "test-target", "output",
               "format", "examples", "source-field", "target-field", "document-field", "threads"},
    .closing = "docs/guide/data.md explains the filters.",
};

DataReportFormat format_of(const ReportCommand& command) {
  if (command.format != DataReportFormat::Auto) return command.format;
  if (command.output.ends_with(".html")) return DataReportFormat::Html;
  return command.output.ends_with(".json") ? DataReportFormat::Json : DataReportFormat::Text;
}

std::string text_of(const curation::DataReport& report, DataReportFormat format) {
  if (format == DataReportFormat::Html) return html_report(report);
  return format == DataReportFormat::Json ? json_report(report) : text_report(report);
}

int print_report(const ReportCommand& command, const config::Arguments&) {
  const curation::CorpusText asked = command.input.corpus();
  curation::validate(asked);
  require_other_than_inputs("--output", command.output, paths_of(asked));
  Output output(command.output);
  const data::SpooledFiles files(asked.files, command.survey.work.scratch());
  curation::CorpusText corpus = asked;
  corpus.files = files.files();
  Progress progress(command.output);
  curation::CorpusSurvey survey = command.survey.start(corpus, command.input, true, progress);
  curation::DataReport report(data::names_of(corpus.files), survey, static_cast<size_t>(command.examples),
                              static_cast<uint64_t>(command.survey.work.seed));
  survey.judge([&](const curation::JudgedPair& pair) { report.add(pair); });
  report.finish(survey);
  progress.end_line();
  output.write(text_of(report, format_of(command)));
  output.finish();
  return 0;
}

}  // namespace

config::Command data_report_command() {
  return with_options<ReportCommand>(
      {.name = "report", .summary = "parallel text -> what it is like, and what is wrong with it", .help = kReportHelp},
      print_report);
}

}  // namespace heed::apps
