// The limits on the length of a line that a network of LibTorch reads at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#include "heed/translation/lines/line_limits.h"
#include "heed_torch/models/model.h"
#include "heed_torch/translation/lines/out_of_memory.h"

namespace heed::translation {

/// See line_limits.h.
inline void check_length(const models::Model& model, size_t pair, int64_t source, int64_t target) {
  check_length({.source = model.max_source_length(), .target = model.max_target_length()}, pair, source, target);
}

/// Returns the result of `work` on that pair. If it runs out of memory, throws LineTooLong for the longer side.
template <class Work>
auto within_memory(size_t pair, int64_t source, int64_t target, Work&& work) {
  using Side = LineTooLong::Side;
  try {
    return std::forward<Work>(work)();
  } catch (const std::exception& error) {
    if (!ran_out_of_memory(error)) throw;
  }
  throw LineTooLong(pair, source > target ? Side::Source : Side::Target, std::max(source, target));
}

}  // namespace heed::translation
