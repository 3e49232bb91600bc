#include "heed_torch/nn/parallel.h"

#include <ATen/Parallel.h>

namespace heed::nn {

void parallel_for(int64_t begin, int64_t end, int64_t grain, const std::function<void(int64_t, int64_t)>& work) {
  at::parallel_for(begin, end, grain, work);
}

}  // namespace heed::nn
