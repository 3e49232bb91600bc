#include "watch_server.h"

#include <chrono>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "heed/core/exception_text.h"
#include "heed/core/files/short_names.h"
#include "heed/report/markup.h"
#include "heed/report/page.h"
#include "heed/report/run_comparison.h"
#include "heed/report/run_page.h"

namespace heed::apps {
namespace {

constexpr const char* kData = "data.json";

/// Size and time of a file; nothing if it is not there.
std::string stamp_of(const std::string& directory, const char* name) {
  std::error_code none;
  const std::filesystem::path path = std::filesystem::path(directory) / name;
  const auto size = std::filesystem::file_size(path, none);
  const auto time = std::filesystem::last_write_time(path, none);
  return none ? "" : std::to_string(size) + " " + std::to_string(time.time_since_epoch().count());
}

serve::HttpResponse page_response(std::string body, std::string type) {
  return {.status = 200,
          .body = std::move(body),
          .content_type = std::move(type),
          .headers = {{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}}};
}

}  // namespace

/// The page and its data. They are made again only when files have changed, and the comparison of trainings only when
/// their translations have: it takes seconds. Used by one thread.
struct WatchServer::Pages {
  explicit Pages(std::vector<std::string> given) : directories(std::move(given)), names(short_names(directories)) {}

  /// Throws what report::read_run throws.
  const std::string& data() {
    const std::string now = stamps({report::kRunHistory, report::kValidTranslations, report::kValidReferences});
    if (json.empty() || now != stamp) {
      std::vector<report::Run> runs;
      for (size_t i = 0; i < directories.size(); ++i) runs.push_back(report::read_run(directories[i], names[i]));
      if (runs.size() > 1) compare(runs);
      json = report::run_page_data(runs, comparison);
      stamp = now;
    }
    return json;
  }

  std::string stamps(std::initializer_list<const char*> names_of_files) const {
    std::string all;
    for (const std::string& directory : directories) {
      for (const char* name : names_of_files) all += stamp_of(directory, name) + '\n';
    }
    return all;
  }

  void compare(const std::vector<report::Run>& runs) {
    std::string now = stamps({report::kValidTranslations, report::kValidReferences});
    for (const report::Run& run : runs) now += std::to_string(run.history.best_step()) + '\n';
    if (!comparison.empty() && now == compared) return;
    comparison = report::compare_runs(runs);
    compared = now;
  }

  serve::HttpResponse answer(const serve::HttpRequest& request) {
    if (request.method != "GET") return serve::error_response(405, "only GET is answered here");
    if (request.path != "/" && request.path != std::string("/") + kData) {
      return serve::error_response(404, "there is only / and /data.json");
    }
    try {
      const std::string& now = data();
      if (request.path != "/") return page_response(now, "application/json");
      // The page asks for data.json as long as it is open.
      const std::string live = now.substr(0, now.size() - 1) + ",\"live\":\"" + kData + "\"}";
      return page_response(report::html_page("run", "heed watch", live), "text/html; charset=utf-8");
    } catch (const std::exception& error) {
      if (request.path != "/") return serve::error_response(503, sentence_of(error));
      return page_response(
          fmt::format("<!DOCTYPE html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"2\">"
                      "<title>heed watch</title><p>Nothing to show yet: {}.</p>",
                      report::escaped(sentence_of(error))),
          "text/html; charset=utf-8");
    }
  }

  std::vector<std::string> directories, names;
  std::string stamp, json;
  std::string compared, comparison;  // the files that the comparison is of, and the comparison
};

WatchServer::WatchServer(std::vector<std::string> directories, const serve::HttpOptions& http)
    : pages_(std::make_unique<Pages>(std::move(directories))),
      http_(
          http,
          [pages = pages_.get()](const std::shared_ptr<serve::HttpExchange>& exchange) {
            exchange->answer(pages->answer(exchange->request()));
          },
          [](const serve::HttpExchange&, const serve::ExchangeSummary&) {}) {}

WatchServer::~WatchServer() { http_.stop(std::chrono::seconds(1)); }

std::string WatchServer::address() const { return http_.address(); }

}  // namespace heed::apps
