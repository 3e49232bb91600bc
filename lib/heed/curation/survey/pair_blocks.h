// Reads a corpus and works on its pairs with several threads, in blocks, so that memory does not depend on its size.
#pragma once

#include <cstdint>
#include <vector>

#include "heed/core/parallel.h"
#include "heed/curation/files/pair_input.h"

namespace heed::curation {

/// Calls work(worker, pair) for the pairs of each block, in any order and on several threads, then use(pair, result)
/// for each of them, in order. Returns the number of pairs. Throws what PairInput::next() and both functions throw.
template <class Result, class Work, class Use>
int64_t for_each_pair(PairInput& input, int64_t threads, const Work& work, const Use& use) {
  constexpr size_t kBlock = 4096;
  constexpr size_t kBytes = size_t{16} << 20;
  constexpr int64_t kChunk = 64;
  std::vector<Pair> pairs(kBlock);
  std::vector<Result> results(kBlock);
  int64_t total = 0;
  for (bool more = true; more;) {
    size_t count = 0;
    for (size_t bytes = 0; count < kBlock && bytes < kBytes && (more = input.next(pairs[count])); ++count)
      bytes += pairs[count].source.size() + pairs[count].target.size();
    parallel_chunks(threads, static_cast<int64_t>(count), kChunk, [&](int64_t worker, int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) results[i] = work(worker, pairs[i]);
    });
    for (size_t i = 0; i < count; ++i) use(pairs[i], results[i]);
    total += static_cast<int64_t>(count);
  }
  return total;
}

}  // namespace heed::curation
