// Selects the random stream that the layers of the current thread use. Each draw has its own key, a function of (seed,
// update, part, draw). So a part of an update always has the same dropout masks. Neither the thread or process that
// computes it, nor what was computed before, nor a restart changes them.
#pragma once

#include <cstdint>

namespace heed::nn {

/// A guard like torch::NoGradGuard: during its life, this thread's draws belong to part `part` of update `update`.
/// Scopes nest. The inner scope counts its draws from 0, and the outer one then resumes its own count.
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

/// The key of this thread's next draw. Throws std::logic_error if no scope is open.
uint64_t next_draw_key();

}  // namespace heed::nn
