// A translation server: models, the API, batches of lines, HTTP, metrics and the access log together.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "heed/core/options.h"
#include "heed/serve/access_log.h"
#include "heed/serve/api.h"
#include "heed/serve/batcher.h"
#include "heed/serve/http_server.h"
#include "heed/serve/metrics.h"
#include "heed/serve/model_set.h"

namespace heed::serve {

struct ServerOptions {
  HttpOptions http = {};
  ApiOptions api = {};
  BatchOptions batches = {};
  std::string access_log = "-";  ///< file; "-": standard output; "none"
};
void describe(ServerOptions& o, AnyOptionVisitor auto& visit) {
  describe(o.http, visit);
  describe(o.batches, visit);
  describe(o.api, visit);
  visit("access-log", o.access_log,
        "`FILE` for a line per request, without the text of users; -: standard output; none: no log");
}

class Server {
 public:
  /// Starts to serve. threads: batches that are translated at the same time; 1 if a model does not run on the engine.
  /// Throws Error, FileError, InputError.
  Server(const ServerOptions& options, std::shared_ptr<const ModelSet> models, int64_t threads);

  int port() const { return http_.port(); }
  std::string address() const { return http_.address(); }

  /// Further requests use these models; requests under way keep theirs.
  void replace_models(std::shared_ptr<const ModelSet> models) { models_.replace(std::move(models)); }
  /// Reads the file of keys again and reopens the access log. Throws FileError, InputError.
  void reload_files();
  /// Answers the received requests, at most for `longest`, then ends.
  void stop(std::chrono::milliseconds longest);

 private:
  void count(const HttpExchange& exchange, const ExchangeSummary& summary);
  std::string metrics_text() const;

  AccessLog log_;
  Metrics metrics_;
  CurrentModels models_;
  Batcher batcher_;
  Api api_;
  HttpServer http_;  // last: its thread uses the others
};

}  // namespace heed::serve
