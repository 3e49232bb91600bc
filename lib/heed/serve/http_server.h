// Receives requests of HTTP/1.1 and sends answers, by libmicrohttpd. One thread waits for all connections (epoll). A
// connection whose answer is not ready is suspended and costs no thread. Memory is bounded whatever clients do.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_set>

#include "heed/core/options.h"
#include "heed/serve/http_exchange.h"

struct MHD_Daemon;

namespace heed::serve {

struct HttpOptions {
  std::string host = "127.0.0.1";    ///< name or address to listen on
  int64_t port = 5000;               ///< 0: any free port
  int64_t max_body = 1 << 20;        ///< bytes of a request's body
  int64_t max_bodies = 64 << 20;     ///< bytes of all bodies that are held at the same time
  int64_t max_connections = 2000;    ///< further ones wait until one ends
  int64_t max_connections_each = 0;  ///< of one client's address; 0: no limit
  int64_t idle_seconds = 60;         ///< a connection without traffic is closed after this time
  int64_t receive_seconds = 20;      ///< a request that takes longer to arrive is given up
};
void describe(HttpOptions& o, AnyOptionVisitor auto& visit) {
  visit("host", o.host, "name or address to listen on; 0.0.0.0 or :: for all addresses of this machine");
  visit("port", o.port, "port to listen on; 0: any free port, which the log names", between(0, 65535));
  visit("max-body", o.max_body, "bytes of a request's body; a longer one is refused (413)", between(1024, 1 << 30));
  visit("max-bodies", o.max_bodies, "bytes of all requests' bodies together; further requests are refused (429)",
        between(1024, 1e12));
  visit("max-connections", o.max_connections, "open connections; further ones wait", between(1, 1e6));
  visit("max-connections-each", o.max_connections_each,
        "open connections from one address; further ones are closed; 0: no limit", between(0, 1e6));
  visit("idle-seconds", o.idle_seconds, "close a connection after this time without traffic", between(1, 86400));
  visit("receive-seconds", o.receive_seconds, "close a connection whose request takes longer than this to arrive",
        between(1, 86400));
}

/// What an exchange amounted to, for logs and metrics.
struct ExchangeSummary {
  int status = 0;  ///< 0: the client left before the answer
  uint64_t bytes = 0;
  double seconds = 0;  ///< from the first line of the request to the end of the answer
};

class HttpServer {
 public:
  /// Called in the server's thread for each complete request. It must not wait; it may keep the exchange and answer
  /// later. An exception becomes the answer 500.
  using Handler = std::function<void(const std::shared_ptr<HttpExchange>& exchange)>;
  /// Called in the server's thread when an exchange is over. It must not wait.
  using OnEnd = std::function<void(const HttpExchange& exchange, const ExchangeSummary& summary)>;

  /// Listens. Throws Error if the address cannot be listened on.
  HttpServer(HttpOptions options, Handler handler, OnEnd on_end);
  /// Calls stop() if nobody did.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }
  /// "http://127.0.0.1:5000".
  std::string address() const;
  int64_t connections() const;

  /// Accepts no more connections, and waits until every received request is answered, at most `longest`. Answers the
  /// rest with 503, then closes all connections.
  void stop(std::chrono::milliseconds longest);

 private:
  struct Reception;
  struct Callbacks;  // what libmicrohttpd calls

  void receive_first(Reception& reception, MHD_Connection* connection, const char* url, const char* method);
  void receive_part(Reception& reception, const char* data, size_t size);
  void refuse(Reception& reception, int status, const std::string& message);
  bool hold(Reception& reception, int64_t bytes);
  int process(Reception& reception, MHD_Connection* connection, const char* data, size_t* size);
  void handle_whole(Reception& reception);
  int go_on(Reception& reception, MHD_Connection* connection);
  int send(const std::shared_ptr<HttpExchange>& exchange, MHD_Connection* connection);
  void end(Reception* reception, bool completed);
  void close_slow();

  const HttpOptions options_;
  const Handler handler_;
  const OnEnd on_end_;
  int port_ = 0;
  std::atomic<MHD_Daemon*> daemon_ = nullptr;
  std::atomic<int64_t> held_ = 0;  // bytes of bodies
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_set<Reception*> receptions_;  // requests that are not over
  bool stopping_ = false;
  std::thread watch_;  // closes connections whose requests arrive too slowly
};

/// The answer {"error": MESSAGE}.
HttpResponse error_response(int status, const std::string& message);

}  // namespace heed::serve
