#include "heed_torch/distributed/nccl_backend.h"

#include <chrono>
#include <utility>

#include "heed/core/error.h"

#ifdef HEED_HAS_NCCL

#include <cstdlib>

#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

namespace heed::distributed {

bool has_nccl() { return true; }

c10::intrusive_ptr<c10d::Backend> nccl_backend(const c10::intrusive_ptr<c10d::Store>& store, int64_t rank,
                                               int64_t ranks) {
  // Heartbeat finds lost ranks and names them; c10d's own watch would abort the process with a stack trace.
  constexpr int kKeepSetting = 0;
  setenv("TORCH_NCCL_ASYNC_ERROR_HANDLING", "0", kKeepSetting);
  setenv("TORCH_NCCL_ENABLE_MONITORING", "0", kKeepSetting);
  auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = std::chrono::hours(7 * 24);  // a rank may rightly let others wait
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, static_cast<int>(rank), static_cast<int>(ranks),
                                                     std::move(options));
}

}  // namespace heed::distributed

#else

namespace heed::distributed {

bool has_nccl() { return false; }

c10::intrusive_ptr<c10d::Backend> nccl_backend(const c10::intrusive_ptr<c10d::Store>&, int64_t, int64_t) {
  throw Error("this heed was built without NCCL");
}

}  // namespace heed::distributed

#endif
