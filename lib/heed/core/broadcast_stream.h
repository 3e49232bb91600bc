// Sends blocks of bytes from one process to others, in order.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace heed {

/// One process sends and the others receive. In each process only one thread at a time may use it.
class BroadcastStream {
 public:
  virtual ~BroadcastStream() = default;
  /// Does not wait for the receivers.
  virtual void send(const std::string& block) = 0;
  /// Waits for the next block. Polls gives_up many times per second, and returns nullopt if it is true.
  virtual std::optional<std::string> receive(const std::function<bool()>& gives_up) = 0;
};

}  // namespace heed
