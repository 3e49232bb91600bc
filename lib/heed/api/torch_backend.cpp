#include "heed/api/torch_backend.h"

#include <mutex>
#include <utility>

namespace heed::api {
namespace {

struct Registered {
  std::mutex mutex;
  std::shared_ptr<const TorchBackend> backend;
};
Registered& of_process() {
  static Registered registered;
  return registered;
}

}  // namespace

void register_backend(std::shared_ptr<const TorchBackend> backend) {
  const std::scoped_lock lock(of_process().mutex);
  of_process().backend = std::move(backend);
}

std::shared_ptr<const TorchBackend> registered_backend() {
  const std::scoped_lock lock(of_process().mutex);
  return of_process().backend;
}

}  // namespace heed::api
