// A port of this machine that nobody listens at.
#pragma once

#include <cstdint>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace heed::testing {

inline int64_t free_port() {
  const int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  auto* any = reinterpret_cast<sockaddr*>(&address);
  const bool found = bind(socket_, any, length) == 0 && getsockname(socket_, any, &length) == 0;
  close(socket_);
  return found ? ntohs(address.sin_port) : -1;
}

}  // namespace heed::testing
