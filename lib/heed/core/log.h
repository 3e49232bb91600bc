// Messages of the library to its user. The library writes to no stream: a program installs a sink.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace heed {

enum class LogLevel { Info, Warning };
using LogSink = std::function<void(LogLevel, std::string_view message)>;

/// Sends messages to `sink` from now on. An empty sink, the state at start, drops them. Threads call the sink one at a
/// time. Returns once no thread is in the previous sink, so a sink must not call this function.
void set_log_sink(LogSink sink);
/// The same for a sink that many threads may be in at once. A sink that waits for a lock of its own, such as Python's
/// GIL, must be one: a thread that has that lock would wait for its turn forever.
void set_concurrent_log_sink(LogSink sink);
/// Safe from any thread, and in a sink that is concurrent.
void log_info(std::string_view message);
void log_warning(std::string_view message);

}  // namespace heed
