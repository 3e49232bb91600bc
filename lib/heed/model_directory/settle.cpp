#include "heed/model_directory/settle.h"

namespace heed::checkpoint {

void settle(const std::string& directory, Manifest& manifest) {
  if (manifest.pending.empty()) return;
  enter_replaced(directory, manifest);
  remove_pending(directory, manifest);
  manifest.pending.clear();
  manifest.pending_origin.reset();
  write_manifest(directory, manifest);
}

}  // namespace heed::checkpoint
