#include "heed/core/log.h"

#include <mutex>
#include <utility>

namespace heed {
namespace {

struct Log {
  std::mutex mutex;
  LogSink sink;
};
Log& the_log() {
  static Log log;
  return log;
}

void write(LogLevel level, std::string_view message) {
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  if (log.sink) log.sink(level, message);
}

}  // namespace

void set_log_sink(LogSink sink) {
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  log.sink = std::move(sink);
}
void log_info(std::string_view message) { write(LogLevel::Info, message); }
void log_warning(std::string_view message) { write(LogLevel::Warning, message); }

}  // namespace heed
