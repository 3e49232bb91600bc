#include "heed/data/encoded/trailer.h"

#include <cstring>

#include <zlib.h>

#include "heed/core/error.h"

namespace heed::data {

FileTrailer checked_trailer(std::span<const std::byte> file, std::span<const char> magic, const std::string& path) {
  const auto require = [&](bool condition) {
    if (!condition) throw damaged_corpus(path);
  };
  require(file.size() >= magic.size() + sizeof(FileTrailer));
  require(std::memcmp(file.data(), magic.data(), magic.size()) == 0);
  FileTrailer trailer;
  const uint64_t end = file.size() - sizeof trailer;
  std::memcpy(&trailer, file.data() + end, sizeof trailer);
  require(trailer.blocks >= magic.size() && trailer.blocks <= trailer.json && trailer.json <= end);
  require(trailer.blocks % 8 == 0 && (trailer.json - trailer.blocks) % sizeof(BlockEntry) == 0);
  require(crc32_z(0, reinterpret_cast<const Bytef*>(file.data() + trailer.blocks), end - trailer.blocks) ==
          trailer.crc);
  return trailer;
}

std::string trailing_json(std::span<const std::byte> file, const FileTrailer& trailer) {
  return {reinterpret_cast<const char*>(file.data() + trailer.json), file.size() - sizeof trailer - trailer.json};
}

CheckpointError damaged_corpus(const std::string& path) {
  return {path, "is damaged or truncated: not the corpus that was written"};
}

}  // namespace heed::data
