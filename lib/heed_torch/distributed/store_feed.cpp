#include "heed_torch/distributed/store_feed.h"

#include <chrono>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace heed::distributed {
namespace {

constexpr size_t kPiece = 1 << 20;  // bytes
constexpr char kMore = 0, kLast = 1;

class StoreFeed : public BroadcastStream {
 public:
  StoreFeed(c10::intrusive_ptr<c10d::Store> store, FeedTerms terms)
      : store_(std::move(store)), terms_(std::move(terms)) {}

  void send(const std::string& block) override {
    std::string_view rest = block;
    do {
      const std::string_view piece = rest.substr(0, kPiece);
      rest.remove_prefix(piece.size());
      store_->set(key(), std::string(1, rest.empty() ? kLast : kMore).append(piece));
      ++pieces_;
    } while (!rest.empty());
  }

  std::optional<std::string> receive(const std::function<bool()>& gives_up) override {
    while (true) {
      if (!wait_for(key(), gives_up)) return std::nullopt;
      const std::vector<uint8_t> value = store_->get(key());
      block_.append(value.begin() + 1, value.end());
      drop(key());
      ++pieces_;
      if (value.front() == kLast) return std::exchange(block_, {});
    }
  }

 private:
  /// The key of the next piece.
  std::string key() const { return fmt::format("{}/{}", terms_.name, pieces_); }

  bool wait_for(const std::string& key, const std::function<bool()>& gives_up) {
    constexpr std::chrono::milliseconds kPause(10);
    while (!store_->check({key})) {
      if (gives_up()) return false;
      std::this_thread::sleep_for(kPause);
    }
    return true;
  }

  /// Marks a piece as read by this rank; the last reader removes it.
  void drop(const std::string& key) {
    const std::string count = key + "/read";
    if (store_->add(count, 1) < terms_.readers) return;
    for (const std::string& done : {key, count}) store_->deleteKey(done);
  }

  c10::intrusive_ptr<c10d::Store> store_;
  FeedTerms terms_;
  int64_t pieces_ = 0;  // sent, or received
  std::string block_;   // the pieces that have come so far
};

}  // namespace

std::unique_ptr<BroadcastStream> feed_in_store(c10::intrusive_ptr<c10d::Store> store, FeedTerms terms) {
  return std::make_unique<StoreFeed>(std::move(store), std::move(terms));
}

}  // namespace heed::distributed
