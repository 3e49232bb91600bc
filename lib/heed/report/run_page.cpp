#include "heed/report/run_page.h"

#include <cerrno>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/wall_clock.h"
#include "heed/report/page.h"
#include "heed/report/run_facts.h"

namespace heed::report {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Members, followed by a comma unless there are none.
std::string continued(const std::string& members) { return members.empty() ? "" : members + ","; }

}  // namespace

Run read_run(const std::string& directory, const std::string& name) {
  const std::string history = directory + "/" + kRunHistory;
  if (!std::filesystem::exists(directory)) throw FileError(directory, "open", ENOENT);
  if (!path_exists(history)) {
    throw InputError(directory, 0, fmt::format("has no training: it has no {}", kRunHistory));
  }
  Run run{.name = name, .directory = directory, .history = {}, .facts = {}};
  run.history.add_all(read_regular_file(history));
  if (run.history.empty()) throw InputError(history, 0, "has no events of a training");
  run.facts = run_facts(directory);
  return run;
}

std::string run_page_data(std::span<const Run> runs, const std::string& comparison) {
  std::string json = fmt::format("{{\"written\":{},\"runs\":[", quoted(iso_time(std::time(nullptr))));
  for (const Run& run : runs) {
    if (json.back() == '}') json += ',';
    json += fmt::format("{{\"name\":{},\"directory\":{},{}{}{}}}", quoted(run.name), quoted(run.directory),
                        continued(run.facts), continued(disk_facts(run.directory)), run.history.members());
  }
  return json + "]" + (comparison.empty() ? "" : ",\"comparison\":" + comparison) + "}";
}

std::string run_page(std::span<const Run> runs, const std::string& comparison) {
  const std::string title = runs.size() == 1 ? runs[0].name : fmt::format("{} trainings", runs.size());
  return html_page("run", title + " · heed", run_page_data(runs, comparison));
}

}  // namespace heed::report
