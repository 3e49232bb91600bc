// Opens the socket that a server listens on.
#pragma once

#include <cstdint>
#include <string>

namespace heed::serve {

struct ListeningSocket {
  int descriptor = -1;
  int port = 0;  ///< chosen by the system if 0 was asked for
};

/// Listens on the first address of `host` that works. Throws Error with the reason, such as that another program
/// listens there already.
ListeningSocket listen_on(const std::string& host, int64_t port);

}  // namespace heed::serve
