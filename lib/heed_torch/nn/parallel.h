// Loops over independent work on the threads of LibTorch.
#pragma once

#include <cstdint>
#include <functional>

namespace heed::nn {

/// Calls work(first, last) for pieces of [begin, end), on as many threads as LibTorch uses on this thread
/// (at::get_num_threads) if the pieces have at least `grain` numbers. This is at::parallel_for, which LibTorch's
/// headers compile to a serial loop in files without OpenMP. parallel.cpp is compiled with it, except by Clang.
void parallel_for(int64_t begin, int64_t end, int64_t grain, const std::function<void(int64_t, int64_t)>& work);

}  // namespace heed::nn
