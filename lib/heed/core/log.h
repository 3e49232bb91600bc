// Messages of the library to its user. The library writes to no stream: a program installs a sink.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace heed {

enum class LogLevel { Info, Warning };
using LogSink = std::function<void(LogLevel, std::string_view message)>;

/// Where messages go from now on; an empty sink (the state at start) drops them. Not safe beside running threads.
void set_log_sink(LogSink sink);
/// Safe from any thread; the sink is called under a lock.
void log_info(std::string_view message);
void log_warning(std::string_view message);

}  // namespace heed
