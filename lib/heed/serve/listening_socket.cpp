#include "heed/serve/listening_socket.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "heed/core/error.h"

namespace heed::serve {
namespace {

std::string reason_of(int error, int64_t port) {
  if (error == EADDRINUSE) return "another program listens there already; `--port` names another port";
  if (error == EACCES && port < 1024) return "ports below 1024 need a privilege; `--port` names another port";
  return std::strerror(error);
}

/// The port of a socket.
int port_of(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  char service[NI_MAXSERV] = "0";
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
  getnameinfo(reinterpret_cast<sockaddr*>(&address), size, nullptr, 0, service, sizeof service, NI_NUMERICSERV);
  int port = 0;
  std::from_chars(service, service + std::strlen(service), port);
  return port;
}

/// The descriptor, or -1 with errno.
int open_socket(const addrinfo& address) {
  const int descriptor = socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  const int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);  // a server may start again at once
  if (bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 && listen(descriptor, SOMAXCONN) == 0) {
    return descriptor;
  }
  const int error = errno;
  close(descriptor);
  errno = error;
  return -1;
}

}  // namespace

ListeningSocket listen_on(const std::string& host, int64_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string place = fmt::format("cannot listen on {} port {}", host, port);
  if (const int code = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found); code != 0) {
    throw Error(fmt::format("{}: {}", place, gai_strerror(code)));
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, freeaddrinfo);
  int error = 0;
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    if (const int descriptor = open_socket(*address); descriptor >= 0) return {descriptor, port_of(descriptor)};
    error = errno;
  }
  throw Error(fmt::format("{}: {}", place, reason_of(error, port)));
}

}  // namespace heed::serve
