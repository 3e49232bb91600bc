// Processes a text block by block on several threads, with the results in the order of the text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "heed/core/parallel.h"
#include "heed/text/bpe/words/text_lines.h"

namespace heed::text {

/// Reads a few blocks and calls work(worker, place, block) for each, on several threads. Then calls done(place) for
/// each in the order of the text. Repeats this until the end of the text. `worker` and `place` are 0-based and less
/// than `threads`.
template <class Work, class Done>
void for_each_block(TextBlocks& blocks, int64_t threads, Work&& work, Done&& done) {
  std::vector<std::string> places(static_cast<size_t>(std::max<int64_t>(threads, 1)));
  for (bool more = true; more;) {
    size_t filled = 0;
    while (filled < places.size() && (more = blocks.next(places[filled]))) ++filled;
    parallel_chunks(threads, static_cast<int64_t>(filled), 1, [&](int64_t worker, int64_t begin, int64_t end) {
      for (auto place = static_cast<size_t>(begin); place < static_cast<size_t>(end); ++place) {
        work(static_cast<size_t>(worker), place, places[place]);
      }
    });
    for (size_t place = 0; place < filled; ++place) done(place);
  }
}

}  // namespace heed::text
