// Recognizes torch's out-of-memory errors, which come in several forms.
#pragma once

#include <exception>

namespace heed::translation {

/// Whether the exception means out of memory: std::bad_alloc, a GPU's c10::OutOfMemoryError, or the exception of
/// torch's CPU allocator.
bool ran_out_of_memory(const std::exception& error);

}  // namespace heed::translation
