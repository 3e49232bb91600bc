// A web server on which one watches trainings: the page of `heed report`, renewed while it is open.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heed/serve/http_server.h"

namespace heed::apps {

class WatchServer {
 public:
  /// Starts to serve, in another thread. directories: of the models; they are read whenever a browser
  /// asks, so they may be still empty. Throws Error if the address cannot be listened on.
  WatchServer(std::vector<std::string> directories, const serve::HttpOptions& http);
  ~WatchServer();

  /// "http://127.0.0.1:8000".
  std::string address() const;

 private:
  struct Pages;
  std::unique_ptr<Pages> pages_;
  serve::HttpServer http_;  // last: its thread uses the pages
};

}  // namespace heed::apps
