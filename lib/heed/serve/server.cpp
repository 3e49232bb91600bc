#include "heed/serve/server.h"

#include <array>
#include <ctime>
#include <utility>

#include <fmt/format.h>

#include "heed/core/wall_clock.h"

namespace heed::serve {
namespace {

/// Only what is known: a client may write anything as method.
std::string_view known_method(const std::string& method) {
  for (const std::string_view known : {"GET", "POST", "OPTIONS"}) {
    if (method == known) return known;
  }
  return "-";
}

}  // namespace

Server::Server(const ServerOptions& options, std::shared_ptr<const ModelSet> models, int64_t threads)
    : log_(options.access_log),
      models_(std::move(models)),
      batcher_(options.batches, threads, [this](const TranslatedLines& lines) { metrics_.add_lines(lines); }),
      api_(options.api, options.http.max_body, models_, batcher_, [this] { return metrics_text(); }),
      http_(
          options.http, [this](const std::shared_ptr<HttpExchange>& exchange) { api_.handle(exchange); },
          [this](const HttpExchange& exchange, const ExchangeSummary& summary) { count(exchange, summary); }) {}

void Server::reload_files() {
  api_.reload_keys();
  log_.reopen();
}

void Server::stop(std::chrono::milliseconds longest) {
  http_.stop(longest);
  batcher_.stop();
}

void Server::count(const HttpExchange& exchange, const ExchangeSummary& summary) {
  const HttpRequest& request = exchange.request();
  const std::string endpoint = Api::endpoint_of(request.path);
  metrics_.add_request(endpoint, summary.status, summary.seconds);
  const std::string note = exchange.note();
  log_.add(fmt::format("{} {} {} {} {} {} B {:.1f} ms{}", iso_time(std::time(nullptr)), request.client,
                       known_method(request.method), endpoint, summary.status, summary.bytes, 1e3 * summary.seconds,
                       note.empty() ? "" : " " + note));
}

std::string Server::metrics_text() const {
  return metrics_.text(std::array{
      Metrics::Gauge{"heed_waiting_lines", "Lines that wait.", static_cast<double>(batcher_.waiting_lines())},
      Metrics::Gauge{"heed_connections", "Open connections.", static_cast<double>(http_.connections())},
      Metrics::Gauge{"heed_file_bytes", "Translated files that wait to be downloaded.",
                     static_cast<double>(api_.file_bytes())},
      Metrics::Gauge{"heed_log_lines_left_out", "Lines missing in the access log, which was written too slowly.",
                     static_cast<double>(log_.left_out())},
      Metrics::Gauge{"process_resident_memory_bytes", "Memory of the process.",
                     static_cast<double>(resident_memory())}});
}

}  // namespace heed::serve
