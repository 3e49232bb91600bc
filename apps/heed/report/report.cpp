// `heed report`: the page of a training, or of several side by side.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/error.h"
#include "heed/core/files/short_names.h"
#include "heed/core/parallel.h"
#include "heed/report/run_comparison.h"
#include "heed/report/run_page.h"
#include "output.h"

namespace heed::apps {
namespace {

struct ReportCommand {
  std::string output;
  std::vector<std::string> label;
};
void describe(ReportCommand& o, OptionVisitor& visit) {
  visit("output", o.output,
        "`FILE.html`; without it report.html in the model directory, or for several trainings in the current folder; "
        "- for standard output");
  visit("label", o.label,
        "`NAME` of a training on the page, instead of its directory's; give the option once for each, in their order");
}

const config::CommandHelp kReportHelp{
    .usage = "heed report DIR... [--output FILE.html] [--label NAME]...",
    .summary =
        R"(Writes a page about a training: curves, sample translations after each validation, lengths of the text
and pairs that were left out, options, time and machine. With several model directories, the page compares
them and shows the options that differ. If all of them were validated on the same text, it also shows BLEU
and chrF with confidence intervals, and whether the differences to the first are significant. The page is
one file and needs no network. `heed train` renews report.html in its model directory at each validation;
this command also writes it for trainings of earlier versions.)",
    .examples = R"(  heed report models/en-de                  # writes models/en-de/report.html
  heed report models/small models/base --output compared.html
  heed report models/seed-* --label one --label two --label three)",
    .closing = "`heed watch DIR...` shows the same page live. docs/guide/watch.md explains it.",
};

std::vector<std::string> names_of_runs(const ReportCommand& command, const std::vector<std::string>& directories) {
  if (command.label.empty()) return short_names(directories);
  if (command.label.size() == directories.size()) return command.label;
  throw ConfigError("--label", fmt::format("must be given once for each training, {} times, but is given {}",
                                           directories.size(), command.label.size()));
}

/// The output's path. Throws InputError if it is a link in the model directory.
std::string output_of(const ReportCommand& command, const std::vector<std::string>& directories) {
  if (!command.output.empty()) return command.output;
  if (directories.size() > 1) return report::kRunPage;
  const std::string page = directories[0] + "/" + report::kRunPage;
  if (std::filesystem::is_symlink(page)) {  // the directory may come from an untrusted source
    throw InputError(page, 0, "is a link, and heed writes nothing in a model directory through links: give `--output`");
  }
  return page;
}

int write_report(const ReportCommand& command, const config::Arguments& given) {
  const std::vector<std::string>& directories = given.positionals;
  if (directories.empty()) throw ConfigError("no training given: name its model directory");
  const std::vector<std::string> names = names_of_runs(command, directories);
  std::vector<report::Run> runs;
  for (size_t i = 0; i < directories.size(); ++i) runs.push_back(report::read_run(directories[i], names[i]));
  const std::string path = output_of(command, directories);
  Output output(path);
  output.write(report::run_page(runs, runs.size() < 2 ? "" : report::compare_runs(runs, available_cores())));
  output.finish();
  if (path != "-") print(path + "\n");
  return 0;
}

}  // namespace

config::Command report_command() {
  return with_options<ReportCommand>(
      {.name = "report", .help = kReportHelp, .positionals = config::Positionals::Allowed}, write_report);
}

}  // namespace heed::apps
