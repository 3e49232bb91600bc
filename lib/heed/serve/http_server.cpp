#include "heed/serve/http_server.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <microhttpd.h>
#include <netdb.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/serve/listening_socket.h"

namespace heed::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostFields = 64;           // of a form
constexpr size_t kFormBuffer = 4096;         // for names of fields
constexpr int64_t kOverflow = 8;             // bodies up to this many times max_body are read before they are refused
constexpr size_t kConnectionMemory = 16384;  // for the headers of a request
constexpr unsigned kStreamBlock = 4096;
constexpr std::chrono::seconds kLastAnswers(2);  // to send the answers of requests that are too late
constexpr const char* kStopping = "the server stops";

std::string header_of(MHD_Connection* connection, const char* name) {
  const char* value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
  return value ? value : "";
}

std::string client_of(MHD_Connection* connection) {
  const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (info == nullptr || info->client_addr == nullptr) return "-";
  const socklen_t size = info->client_addr->sa_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  char name[NI_MAXHOST] = "-";
  getnameinfo(info->client_addr, size, name, sizeof name, nullptr, 0, NI_NUMERICHOST);
  return name;
}

int socket_of(MHD_Connection* connection) {
  const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

bool is_form(const std::string& content_type) {
  return content_type.starts_with("application/x-www-form-urlencoded") ||
         content_type.starts_with("multipart/form-data");
}

MHD_Result result_of(int result) { return result == 0 ? MHD_NO : MHD_YES; }

/// Each connection needs a file descriptor.
void allow_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

HttpResponse error_response(int status, const std::string& message) {
  const nlohmann::json error{{"error", message}};
  return {.status = status, .body = error.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"};
}

/// A request that arrives, or whose answer is under way.
struct HttpServer::Reception {
  Clock::time_point begin = Clock::now();
  int socket = -1;
  std::shared_ptr<HttpExchange> exchange = {};  // null until the headers are there
  MHD_PostProcessor* form = nullptr;            // reads a form
  int64_t received = 0;                         // bytes of the body
  int64_t held = 0;                             // bytes of it that count in held_
  bool refused = false;                         // it has an answer before its end
  bool whole = false;                           // it has arrived
};

struct HttpServer::Callbacks {
  static HttpServer& server(void* self) { return *static_cast<HttpServer*>(self); }

  /// The first line of a request has arrived.
  static void* begin(void* self, const char*, MHD_Connection* connection) {
    auto reception = std::make_unique<Reception>();
    reception->socket = socket_of(connection);
    const std::lock_guard lock(server(self).mutex_);
    server(self).receptions_.insert(reception.get());
    return reception.release();
  }

  static MHD_Result handle(void* self, MHD_Connection* connection, const char* url, const char* method, const char*,
                           const char* data, size_t* size, void** state) {
    auto& reception = *static_cast<Reception*>(*state);
    try {
      if (!reception.exchange) {
        server(self).receive_first(reception, connection, url, method);
        return MHD_YES;
      }
      return result_of(server(self).process(reception, connection, data, size));
    } catch (const std::exception&) {  // no memory
      return MHD_NO;
    }
  }

  static void end(void* self, MHD_Connection*, void** state, MHD_RequestTerminationCode code) {
    server(self).end(static_cast<Reception*>(*state), code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
    *state = nullptr;
  }

  static MHD_Result take_query(void* state, MHD_ValueKind, const char* key, size_t key_size, const char* value,
                               size_t size) {
    return add_field(*static_cast<Reception*>(state), {key, key_size}, {value ? value : "", value ? size : 0}, 0);
  }
  static MHD_Result take_field(void* state, MHD_ValueKind, const char* key, const char* file_name, const char*,
                               const char*, const char* data, uint64_t offset, size_t size) {
    auto& reception = *static_cast<Reception*>(state);
    const std::string_view name = key ? key : "", part{data ? data : "", data ? size : 0};
    if (name == "file" && file_name != nullptr) return add_to_file(reception, file_name, part, offset);
    return add_field(reception, std::string(name), part, offset);
  }
  /// Adds a part of a file. Of several files the first counts.
  static MHD_Result add_to_file(Reception& reception, const char* name, std::string_view part, uint64_t offset) {
    auto& file = reception.exchange->request_.file;
    if (!file) file = UploadedFile{.name = name, .bytes = {}};
    if (offset == file->bytes.size()) file->bytes += part;
    return MHD_YES;
  }
  /// Adds a part of a field's value. Of fields with the same name the first counts.
  static MHD_Result add_field(Reception& reception, const std::string& key, std::string_view value, uint64_t offset) {
    auto& fields = reception.exchange->request_.fields;
    if (!fields.contains(key) && fields.size() >= kMostFields) return MHD_NO;
    std::string& field = fields[key];
    if (offset == field.size()) field += value;
    return MHD_YES;
  }

  /// Passes on a part of a streamed body, or suspends the connection until there is one.
  static ssize_t read_stream(void* state, uint64_t, char* buffer, size_t most) {
    HttpExchange& exchange = **static_cast<std::shared_ptr<HttpExchange>*>(state);
    const std::lock_guard lock(exchange.mutex_);
    std::string& body = exchange.response_.body;
    const size_t size = std::min(most, body.size() - exchange.read_);
    if (size > 0) {
      std::copy_n(body.data() + exchange.read_, size, buffer);
      exchange.read_ += size;
      if (exchange.read_ == body.size()) {
        body.clear();
        exchange.read_ = 0;
      }
      return static_cast<ssize_t>(size);
    }
    if (exchange.ended_ || exchange.connection_ == nullptr) return MHD_CONTENT_READER_END_OF_STREAM;
    exchange.suspended_ = true;
    MHD_suspend_connection(exchange.connection_);
    return 0;
  }
  static void free_stream(void* state) { delete static_cast<std::shared_ptr<HttpExchange>*>(state); }
};

HttpServer::HttpServer(HttpOptions options, Handler handler, OnEnd on_end)
    : options_(std::move(options)), handler_(std::move(handler)), on_end_(std::move(on_end)) {
  allow_descriptors();
  const ListeningSocket listening = listen_on(options_.host, options_.port);
  port_ = listening.port;
  daemon_ = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, nullptr, nullptr,
                             &Callbacks::handle, this, MHD_OPTION_LISTEN_SOCKET, listening.descriptor,
                             MHD_OPTION_URI_LOG_CALLBACK, &Callbacks::begin, this, MHD_OPTION_NOTIFY_COMPLETED,
                             &Callbacks::end, this, MHD_OPTION_CONNECTION_LIMIT,
                             static_cast<unsigned>(options_.max_connections), MHD_OPTION_PER_IP_CONNECTION_LIMIT,
                             static_cast<unsigned>(options_.max_connections_each), MHD_OPTION_CONNECTION_TIMEOUT,
                             static_cast<unsigned>(options_.idle_seconds), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                             kConnectionMemory, MHD_OPTION_END);
  if (daemon_ == nullptr) {
    close(listening.descriptor);
    throw Error("libmicrohttpd cannot start its thread");
  }
  watch_ = std::thread([this] { close_slow(); });
}

HttpServer::~HttpServer() { stop({}); }  // NOLINT(bugprone-exception-escape): only if memory runs out

std::string HttpServer::address() const {
  const std::string host = options_.host.find(':') == std::string::npos ? options_.host : "[" + options_.host + "]";
  return fmt::format("http://{}:{}", host, port_);
}

int64_t HttpServer::connections() const {
  MHD_Daemon* daemon = daemon_;  // null while it starts
  const auto* info = daemon ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS) : nullptr;
  return info ? info->num_connections : 0;
}

void HttpServer::stop(std::chrono::milliseconds longest) {
  if (daemon_ == nullptr) return;
  const int listening = MHD_quiesce_daemon(daemon_);
  if (listening >= 0) close(listening);
  const auto all_answered = [this] { return std::ranges::none_of(receptions_, &Reception::whole); };
  std::vector<std::shared_ptr<HttpExchange>> late;
  {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
    changed_.wait_for(lock, longest, all_answered);
    for (const Reception* reception : receptions_) {
      if (reception->exchange) late.push_back(reception->exchange);
    }
  }
  for (const auto& exchange : late) {
    exchange->answer(error_response(503, kStopping));
    exchange->end_stream();
  }
  late.clear();
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kLastAnswers, all_answered);
  }
  watch_.join();
  MHD_stop_daemon(daemon_);
  daemon_ = nullptr;
}

/// Reads the headers of a request.
void HttpServer::receive_first(Reception& reception, MHD_Connection* connection, const char* url, const char* method) {
  HttpRequest request{.method = method,
                      .path = url,
                      .client = client_of(connection),
                      .content_type = header_of(connection, MHD_HTTP_HEADER_CONTENT_TYPE),
                      .authorization = header_of(connection, MHD_HTTP_HEADER_AUTHORIZATION),
                      .origin = header_of(connection, MHD_HTTP_HEADER_ORIGIN),
                      .accept = header_of(connection, MHD_HTTP_HEADER_ACCEPT),
                      .host = header_of(connection, MHD_HTTP_HEADER_HOST),
                      .forwarded_protocol = header_of(connection, "X-Forwarded-Proto"),
                      .body = {}};
  if (request.method == MHD_HTTP_METHOD_HEAD) request.method = MHD_HTTP_METHOD_GET;
  const bool form = is_form(request.content_type);
  {
    const std::lock_guard lock(mutex_);
    reception.exchange = std::make_shared<HttpExchange>(connection, std::move(request));
  }
  MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, &Callbacks::take_query, &reception);
  if (form) {
    reception.form = MHD_create_post_processor(connection, kFormBuffer, &Callbacks::take_field, &reception);
    if (reception.form == nullptr) refuse(reception, 400, "the form cannot be read");
  }
  const std::string length = header_of(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
  int64_t bytes = 0;
  std::from_chars(length.data(), length.data() + length.size(), bytes);
  if (bytes > options_.max_body) {
    refuse(reception, 413,
           fmt::format("the body has {} bytes, more than {}", format_count(bytes), format_count(options_.max_body)));
    // The client reads no answer before it has sent everything: a body that is not too long is read to its end.
    if (bytes > kOverflow * options_.max_body) send(reception.exchange, connection);
  } else {
    hold(reception, bytes);
  }
}

void HttpServer::refuse(Reception& reception, int status, const std::string& message) {
  reception.refused = true;
  reception.exchange->answer(error_response(status, message));
  std::string().swap(reception.exchange->request_.body);
  reception.exchange->request_.fields.clear();
  reception.exchange->request_.file.reset();
}

/// Counts bytes of a body; false: refused, because too many are held.
bool HttpServer::hold(Reception& reception, int64_t bytes) {
  const int64_t more = std::max<int64_t>(bytes - reception.held, 0);
  if (held_ + more > options_.max_bodies) {
    refuse(reception, 429, "too many requests at the same time; try again later");
    return false;
  }
  held_ += more;
  reception.held += more;
  return true;
}

void HttpServer::receive_part(Reception& reception, const char* data, size_t size) {
  if (reception.refused) return;
  if (reception.received > options_.max_body) {
    return refuse(reception, 413, fmt::format("the body has more than {} bytes", format_count(options_.max_body)));
  }
  if (!hold(reception, reception.received)) return;
  if (reception.form == nullptr) {
    reception.exchange->request_.body.append(data, size);
  } else if (MHD_post_process(reception.form, data, size) == MHD_NO) {
    refuse(reception, 400, "the form cannot be read");
  }
}

int HttpServer::process(Reception& reception, MHD_Connection* connection, const char* data, size_t* size) {
  if (*size == 0) return go_on(reception, connection);
  reception.received += static_cast<int64_t>(*size);
  receive_part(reception, data, *size);
  *size = 0;
  return reception.received <= kOverflow * options_.max_body ? 1 : 0;  // 0: closes the connection
}

/// Passes on a request that has arrived.
void HttpServer::handle_whole(Reception& reception) {
  bool stopping = false;
  {
    const std::lock_guard lock(mutex_);
    reception.whole = true;
    stopping = stopping_;
  }
  if (reception.form != nullptr) {
    MHD_destroy_post_processor(reception.form);
    reception.form = nullptr;
  }
  if (reception.refused) return;
  if (stopping) return reception.exchange->answer(error_response(503, kStopping));
  try {
    handler_(reception.exchange);
  } catch (const std::exception& error) {
    log_warning(fmt::format("a request failed: {}", error.what()));
    reception.exchange->answer(error_response(500, "the request failed"));
  }
}

/// Passes on a request that has arrived, then sends its answer or waits for it.
int HttpServer::go_on(Reception& reception, MHD_Connection* connection) {
  const std::shared_ptr<HttpExchange> exchange = reception.exchange;
  if (!reception.whole) handle_whole(reception);
  {
    const std::lock_guard lock(exchange->mutex_);
    if (!exchange->answered_) {
      exchange->suspended_ = true;
      MHD_suspend_connection(connection);
      return 1;
    }
  }
  return send(exchange, connection);
}

int HttpServer::send(const std::shared_ptr<HttpExchange>& exchange, MHD_Connection* connection) {
  const HttpResponse& response = exchange->response_;
  MHD_Response* made = exchange->streamed_
                           ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, kStreamBlock, &Callbacks::read_stream,
                                                               new std::shared_ptr(exchange), &Callbacks::free_stream)
                           : MHD_create_response_from_buffer(
                                 response.body.size(), const_cast<char*>(response.body.data()), MHD_RESPMEM_MUST_COPY);
  if (made == nullptr) return 0;
  MHD_add_response_header(made, MHD_HTTP_HEADER_CONTENT_TYPE, response.content_type.c_str());
  for (const auto& [name, value] : response.headers) MHD_add_response_header(made, name.c_str(), value.c_str());
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) MHD_add_response_header(made, MHD_HTTP_HEADER_CONNECTION, "close");
  }
  const auto queued = MHD_queue_response(connection, static_cast<unsigned>(response.status), made);
  MHD_destroy_response(made);
  return queued == MHD_YES ? 1 : 0;
}

/// Forgets an exchange. completed: whether the client has its answer.
void HttpServer::end(Reception* reception, bool completed) {
  if (reception == nullptr) return;
  const std::unique_ptr<Reception> owned(reception);
  if (owned->form != nullptr) MHD_destroy_post_processor(owned->form);
  held_ -= owned->held;
  {
    const std::lock_guard lock(mutex_);
    receptions_.erase(reception);
    changed_.notify_all();
  }
  if (!owned->exchange) return;
  ExchangeSummary summary{.seconds = std::chrono::duration<double>(Clock::now() - owned->begin).count()};
  {
    const std::lock_guard lock(owned->exchange->mutex_);
    owned->exchange->connection_ = nullptr;
    if (completed && owned->exchange->answered_) summary.status = owned->exchange->response_.status;
    summary.bytes = owned->exchange->response_.body.size();
  }
  on_end_(*owned->exchange, summary);
}

/// Closes connections whose requests take too long to arrive. libmicrohttpd's own limit counts from the last byte.
void HttpServer::close_slow() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, std::chrono::seconds(1), [this] { return stopping_; })) {
    const auto oldest = Clock::now() - std::chrono::seconds(options_.receive_seconds);
    for (Reception* reception : receptions_) {
      if (!reception->whole && reception->begin < oldest) shutdown(reception->socket, SHUT_RDWR);
    }
  }
}

}  // namespace heed::serve
