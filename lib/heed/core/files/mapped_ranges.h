// Which file is mapped where. Reading a mapped page that its file does not have any more raises SIGBUS, which would end
// the process without a word.
#pragma once

#include <cstddef>
#include <string>

namespace heed {

/// Lists the memory that a file is mapped to. The first call installs a handler of SIGBUS: for listed memory it prints
/// one line that names the file and ends the process with status 1. For other memory it restores the action that was
/// there before. Any thread may call it.
void list_mapped_range(const void* begin, size_t size, const std::string& path);
/// Takes the memory off the list. To be called before it is unmapped.
void unlist_mapped_range(const void* begin);

}  // namespace heed
