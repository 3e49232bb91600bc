#include "heed_torch/nn/random/random_scope.h"

#include "heed/core/error.h"
#include "heed/core/random.h"

namespace heed::nn {
namespace {
thread_local RandomScope* current_scope = nullptr;
}  // namespace

RandomScope::RandomScope(uint64_t seed, uint64_t update, uint64_t part)
    : key_(stream_key(seed, Purpose::Dropout, update, part)), outer_(current_scope) {
  current_scope = this;
}

RandomScope::~RandomScope() { current_scope = outer_; }

uint64_t next_draw_key() {
  check(current_scope != nullptr, "a random draw needs an open nn::RandomScope");
  return stream_key(current_scope->key_, Purpose::Dropout, current_scope->draw_++);
}

}  // namespace heed::nn
