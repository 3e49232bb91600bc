// Recognizes torch's out-of-memory errors, which come in several forms.
#pragma once

#include <exception>

namespace heed::translation {

/// Whether an exception says so: std::bad_alloc, a GPU's c10::OutOfMemoryError, or what torch's allocator on the CPU
/// throws.
bool ran_out_of_memory(const std::exception& error);

}  // namespace heed::translation
