#include "heed/kernels/rounding_kernel.h"

#include <algorithm>

#include "heed/kernels/vector_code.h"
#include "heed/kernels/vector_functions.h"

namespace heed::kernels {
namespace {

struct RoundingKernel {
  const float* from;
  int64_t count;
  uint16_t* to;

  template <class R>
  [[gnu::always_inline]] void run() const {
    typename R::Float number;
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      load(number, from + i);
      store_rounded(to + i, number);
    }
    if (i == count) return;
    float rest[kLanes] = {};
    uint16_t last[kLanes];
    std::copy(from + i, from + count, rest);
    load(number, rest);
    store_rounded(last, number);
    std::copy(last, last + (count - i), to + i);
  }
};

}  // namespace

void round_to_bfloat16(const float* from, int64_t count, uint16_t* to) {
  run_vectorized(RoundingKernel{from, count, to});
}

}  // namespace heed::kernels
