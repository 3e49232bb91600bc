#include "heed/serve/http_exchange.h"

#include <microhttpd.h>

namespace heed::serve {

void HttpExchange::answer(HttpResponse response) {
  const std::lock_guard lock(mutex_);
  if (answered_ || connection_ == nullptr) return;
  response_ = std::move(response);
  answered_ = true;
  resume();
}

void HttpExchange::begin_stream(HttpResponse response) {
  const std::lock_guard lock(mutex_);
  if (answered_ || connection_ == nullptr) return;
  response_ = std::move(response);
  answered_ = streamed_ = true;
  resume();
}

void HttpExchange::send(std::string_view part) {
  const std::lock_guard lock(mutex_);
  if (!streamed_ || ended_ || connection_ == nullptr) return;
  response_.body += part;
  resume();
}

void HttpExchange::end_stream() {
  const std::lock_guard lock(mutex_);
  if (!streamed_ || connection_ == nullptr) return;
  ended_ = true;
  resume();
}

bool HttpExchange::is_abandoned() const {
  const std::lock_guard lock(mutex_);
  return connection_ == nullptr;
}

void HttpExchange::set_note(std::string note) {
  const std::lock_guard lock(mutex_);
  note_ = std::move(note);
}

std::string HttpExchange::note() const {
  const std::lock_guard lock(mutex_);
  return note_;
}

/// Lets the server's thread continue with the connection, if it waits. The caller holds the mutex.
void HttpExchange::resume() {
  if (!suspended_) return;
  suspended_ = false;
  MHD_resume_connection(connection_);
}

}  // namespace heed::serve
