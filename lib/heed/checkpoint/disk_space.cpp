#include "heed/checkpoint/disk_space.h"

#include <filesystem>

#include <fmt/format.h>
#include <torch/torch.h>

#include "heed/core/error.h"

namespace heed::checkpoint {

int64_t bytes_of(const NamedTensors& tensors) {
  int64_t bytes = 0;
  for (const auto& entry : tensors) bytes += static_cast<int64_t>(entry.second.nbytes());
  return bytes;
}

void require_space(const std::string& directory, int64_t bytes, const std::string& what) {
  constexpr int64_t kReserve = 1 << 20;
  std::error_code refused;
  const auto space = std::filesystem::space(directory, refused);
  if (refused) return;  // writing will tell
  if (space.available >= static_cast<uint64_t>(bytes + kReserve)) return;
  throw Error(fmt::format("{}: no room for {}: it takes {:.1f} MB, {:.1f} MB are free", directory, what,
                          static_cast<double>(bytes) / 1e6, static_cast<double>(space.available) / 1e6));
}

}  // namespace heed::checkpoint
