#include "heed_torch/checkpoint/disk_space.h"

#include <filesystem>

#include <ATen/ATen.h>
#include <c10/util/StringUtil.h>

#include "heed/core/error.h"

namespace heed::checkpoint {

namespace {

namespace fs = std::filesystem;

std::string megabytes(uint64_t bytes) { return c10::str(bytes / 1'000'000, ".", bytes / 100'000 % 10); }
}  // namespace

int64_t bytes_of(const NamedTensors& tensors) {
  int64_t bytes = 0;
  for (const auto& entry : tensors) bytes += static_cast<int64_t>(entry.second.nbytes());
  return bytes;
}

int64_t bytes_of_files(const std::string& path) {
  const auto size_of = [](const fs::path& file) -> int64_t {
    std::error_code gone;
    const auto size = fs::is_regular_file(file, gone) ? fs::file_size(file, gone) : 0;
    return gone ? 0 : static_cast<int64_t>(size);
  };
  int64_t bytes = size_of(path);
  std::error_code none;
  for (fs::recursive_directory_iterator entry(path, none), end; !none && entry != end; entry.increment(none)) {
    bytes += size_of(entry->path());
  }
  return bytes;
}

void require_space(const std::string& directory, int64_t bytes, const std::string& what) {
  constexpr int64_t kReserve = 1 << 20;
  std::error_code refused;
  const auto space = std::filesystem::space(directory, refused);
  if (refused) return;  // writing will report the error
  if (space.available >= static_cast<uint64_t>(bytes + kReserve)) return;
  throw Error(c10::str(directory, ": not enough space for ", what, ": it takes ",
                       megabytes(static_cast<uint64_t>(bytes)), " MB and ", megabytes(kReserve), " MB must stay free; ",
                       megabytes(space.available), " MB are free"));
}

}  // namespace heed::checkpoint
