// Records which file is mapped at which addresses. If a mapped file was truncated, reading a missing page raises
// SIGBUS, which ends the process without a message.
#pragma once

#include <cstddef>
#include <string>

namespace heed {

/// Records the memory that a file is mapped to. The first call installs a SIGBUS handler. For recorded memory it prints
/// one line that names the file and ends the process with status 1. For other memory it restores the previous action.
/// Thread-safe.
void register_mapped_range(const void* begin, size_t size, const std::string& path);
/// Removes the record. Call it before the memory is unmapped.
void unregister_mapped_range(const void* begin);

}  // namespace heed
