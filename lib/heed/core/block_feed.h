// Blocks of bytes that one process hands to others, in their order.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace heed {

/// One process sends, the others receive; by one thread of each at a time.
class BlockFeed {
 public:
  virtual ~BlockFeed() = default;
  /// Does not wait for the others.
  virtual void send(const std::string& block) = 0;
  /// The next block; waits for it until gives_up, which is asked many times a second, says so: nothing then.
  virtual std::optional<std::string> receive(const std::function<bool()>& gives_up) = 0;
};

}  // namespace heed
