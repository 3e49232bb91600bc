// Names the random stream that the layers of the current thread draw from. Each draw has a key of its own, a function
// of (seed, update, part, draw), so that a part of an update has the same dropout masks whichever thread or process
// computes it, whatever was computed before, and also after a restart.
#pragma once

#include <cstdint>

namespace heed::nn {

/// A guard, as torch::NoGradGuard is one: from its construction to its destruction this thread's draws are those of
/// part `part` of update `update`. Scopes nest; the inner one counts its draws from 0 and the outer one goes on after
/// it.
class RandomScope {
 public:
  RandomScope(uint64_t seed, uint64_t update, uint64_t part);
  ~RandomScope();
  RandomScope(const RandomScope&) = delete;
  RandomScope& operator=(const RandomScope&) = delete;

 private:
  friend uint64_t next_draw_key();
  uint64_t key_;
  uint64_t draw_ = 0;
  RandomScope* outer_;
};

/// The key of this thread's next draw. Throws std::logic_error when no scope is open.
uint64_t next_draw_key();

}  // namespace heed::nn
