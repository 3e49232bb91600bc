#include "heed/api/torch_backend.h"

#include <utility>

namespace heed::api {
namespace {

std::shared_ptr<const TorchBackend>& backend_of_process() {
  static std::shared_ptr<const TorchBackend> backend;
  return backend;
}

}  // namespace

void register_backend(std::shared_ptr<const TorchBackend> backend) { backend_of_process() = std::move(backend); }

const TorchBackend* registered_backend() { return backend_of_process().get(); }

}  // namespace heed::api
