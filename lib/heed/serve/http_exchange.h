// A request of HTTP and the answer to it. http_server.h receives requests and sends answers.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct MHD_Connection;

namespace heed::serve {

/// A file in a form.
struct UploadedFile {
  std::string name;  ///< as the client says
  std::string bytes;
};

struct HttpRequest {
  std::string method;                              ///< "GET", "POST", ...
  std::string path;                                ///< decoded, without the query
  std::string client;                              ///< the client's address
  std::string content_type;                        ///< of the body; empty: none is named
  std::string authorization;                       ///< the header Authorization
  std::string origin;                              ///< the header Origin
  std::string accept;                              ///< the header Accept
  std::string host;                                ///< the header Host
  std::string forwarded_protocol;                  ///< the header X-Forwarded-Proto, which a proxy adds
  std::string body;                                ///< empty if it is a form
  std::map<std::string, std::string> fields = {};  ///< of the query, and of a body that is a form
  std::optional<UploadedFile> file = {};           ///< of a form, in its field `file`
};

struct HttpResponse {
  int status = 200;
  std::string body;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// A request and its answer. Any thread may answer, at any time, once. An answer is either whole or a stream.
class HttpExchange {
 public:
  HttpExchange(MHD_Connection* connection, HttpRequest request)
      : connection_(connection), request_(std::move(request)) {}
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  const HttpRequest& request() const { return request_; }

  /// Sends the whole answer. Does nothing if there is an answer already, or the client has left.
  void answer(HttpResponse response);

  /// Begins an answer whose body is sent part by part. response: its body is the first part.
  void begin_stream(HttpResponse response);
  void send(std::string_view part);
  void end_stream();

  /// Whether the client has left, so that nobody waits for the answer.
  bool is_abandoned() const;

  /// What the access log tells about the request besides its line; it contains no text of users.
  void set_note(std::string note);
  std::string note() const;

 private:
  friend class HttpServer;

  void resume();

  mutable std::mutex mutex_;
  MHD_Connection* connection_;  // null: the exchange is over
  HttpRequest request_;
  HttpResponse response_ = {};
  std::string note_;
  bool suspended_ = false;
  bool answered_ = false;  // response_ is set
  bool streamed_ = false;  // what follows response_.body comes by send()
  bool ended_ = false;     // of a stream
  size_t read_ = 0;        // bytes of response_.body that were passed on; of a stream
};

}  // namespace heed::serve
