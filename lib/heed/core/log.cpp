#include "heed/core/log.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

namespace heed {
namespace {

struct CountedSink {
  LogSink sink;
  int calls = 0;  // running calls; guarded by the log's mutex
};

struct Log {
  std::mutex mutex;  // not locked while a sink runs
  std::condition_variable returned;
  std::shared_ptr<CountedSink> sink;  // null: messages are dropped
};
/// Never destroyed, because threads may log while the process ends.
Log& the_log() {
  static Log& log = *new Log;
  return log;
}

/// Counts a call of the sink while it runs.
class SinkCall {
 public:
  explicit SinkCall(Log& log) : log_(log) {
    const std::lock_guard lock(log_.mutex);
    sink_ = log_.sink;
    if (sink_) ++sink_->calls;
  }
  ~SinkCall() {
    if (!sink_) return;
    const std::lock_guard lock(log_.mutex);
    --sink_->calls;
    log_.returned.notify_all();
  }
  SinkCall(const SinkCall&) = delete;
  SinkCall& operator=(const SinkCall&) = delete;

  void operator()(LogLevel level, std::string_view message) const {
    if (sink_) sink_->sink(level, message);
  }

 private:
  Log& log_;
  std::shared_ptr<CountedSink> sink_;
};

void write(LogLevel level, std::string_view message) { SinkCall{the_log()}(level, message); }

}  // namespace

void set_concurrent_log_sink(LogSink sink) {
  std::shared_ptr<CountedSink> now;
  if (sink) now = std::make_shared<CountedSink>(CountedSink{.sink = std::move(sink)});
  Log& log = the_log();
  std::unique_lock lock(log.mutex);
  const auto before = std::exchange(log.sink, std::move(now));
  if (before) log.returned.wait(lock, [&] { return before->calls == 0; });
}

void set_log_sink(LogSink sink) {
  if (!sink) return set_concurrent_log_sink({});
  const auto turn = std::make_shared<std::mutex>();
  set_concurrent_log_sink([turn, sink = std::move(sink)](LogLevel level, std::string_view message) {
    const std::lock_guard lock(*turn);
    sink(level, message);
  });
}

void log_info(std::string_view message) { write(LogLevel::Info, message); }
void log_warning(std::string_view message) { write(LogLevel::Warning, message); }

}  // namespace heed
