// Messages of the library for its user. The library does not write to any stream: the program sets a sink.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace heed {

enum class LogLevel { Info, Warning };
using LogSink = std::function<void(LogLevel, std::string_view message)>;

/// Sets the sink for messages. An empty sink, the default, drops them. Only one thread at a time calls the sink. Waits
/// until no thread is in the previous sink, so a sink must not call this function.
void set_log_sink(LogSink sink);
/// The same for a sink that several threads may call at once. A sink that waits for another lock, such as Python's GIL,
/// must be set this way. Otherwise a thread that holds the lock waits for its turn forever.
void set_concurrent_log_sink(LogSink sink);
/// Thread-safe. A concurrent sink may call it too.
void log_info(std::string_view message);
void log_warning(std::string_view message);

}  // namespace heed
