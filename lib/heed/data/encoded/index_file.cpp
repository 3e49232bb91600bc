#include "heed/data/encoded/index_file.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/checksum.h"
#include "heed/core/files/mapped_file.h"
#include "heed/data/encoded/trailer.h"

namespace heed::data {
namespace {

int64_t time_of(const std::string& path) {
  const auto time = std::filesystem::last_write_time(path).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

int64_t size_of(const std::string& path) { return static_cast<int64_t>(std::filesystem::file_size(path)); }

/// Whether path, size and time are the same. Such a file is assumed to have the same content.
bool is_untouched(const CorpusFile& before, const std::string& path) {
  return path == before.path && size_of(path) == before.size && time_of(path) == before.modified;
}

bool is_same(const CorpusFile& before, const SideFile& file) {
  if (file.side != before.side) return false;
  return is_untouched(before, file.path) || sha256_of_file(file.path) == before.sha256;
}

std::string sha256_of(const std::string& path, const std::vector<CorpusFile>& known) {
  if (!std::filesystem::exists(path)) return sha256_of_file(path);  // throws FileError
  const auto found = std::ranges::find_if(known, [&](const CorpusFile& file) { return is_untouched(file, path); });
  return found != known.end() ? found->sha256 : sha256_of_file(path);
}

}  // namespace

CorpusIndex read_index(const std::string& path) {
  const MappedFile file(path);
  const FileTrailer trailer = checked_trailer(file.bytes(), kMagic, path);
  try {
    return index_from_json(trailing_json(file.bytes(), trailer));
  } catch (const Error& error) {
    throw CheckpointError(path, error.what());
  } catch (const std::exception&) {
    throw damaged_corpus(path);
  }
}

void write_index(const std::string& path, const CorpusIndex& index) {
  std::string bytes(kMagic.data(), kMagic.size());
  const std::string json = to_json(index);
  const FileTrailer trailer{
      .blocks = bytes.size(),
      .json = bytes.size(),
      .crc = crc32_z(0, reinterpret_cast<const Bytef*>(json.data()), json.size()),
  };
  bytes += json;
  bytes.append(reinterpret_cast<const char*>(&trailer), sizeof trailer);
  write_file(path, bytes);
}

void remove_shards(const std::string& path, int64_t first) {
  while (std::filesystem::remove(shard_path(path, first))) ++first;
}

bool holds_targets(const CorpusFile& file) { return file.side == "target" || file.side == "pairs"; }

std::vector<int64_t> first_lines(const std::vector<CorpusFile>& files) {
  std::vector<int64_t> begins{0};
  for (const CorpusFile& file : files) {
    if (holds_targets(file)) begins.push_back(begins.back() + file.lines);
  }
  return begins;
}

std::vector<CorpusFile> known_files(const std::string& path) {
  if (!std::filesystem::exists(path)) return {};
  try {
    return read_index(path).origin.files;
  } catch (const Error&) {  // opening the corpus reports the error
    return {};
  }
}

std::map<std::string, std::string> checksums(const CorpusFiles& files, const std::string& prefix,
                                             const std::vector<CorpusFile>& known) {
  std::map<std::string, std::string> sums;
  std::map<std::string_view, int> count;
  for (const auto& [side, path] : all_files(files)) {
    sums[fmt::format("{}{} file {}", prefix, side, ++count[side])] = sha256_of(path, known);
  }
  return sums;
}

std::vector<CorpusFile> identities(const CorpusFiles& files, const std::vector<int64_t>& lines) {
  std::vector<CorpusFile> found;
  for (const auto& [side, path] : all_files(files)) {
    found.push_back({.side = std::string(side),
                     .path = path,
                     .size = size_of(path),
                     .modified = time_of(path),
                     .lines = lines.at(found.size()),
                     .kept = 0,
                     .sha256 = sha256_of_file(path)});
  }
  return found;
}

bool same_content(const std::vector<CorpusFile>& before, const CorpusFiles& files) {
  const auto now = all_files(files);
  // Sizes are compared first: checksums need a reading of every file.
  const bool same_sizes =
      std::equal(now.begin(), now.end(), before.begin(), before.end(), [](const SideFile& file, const CorpusFile& old) {
        return std::filesystem::exists(file.path) && size_of(file.path) == old.size;
      });
  return same_sizes && std::equal(now.begin(), now.end(), before.begin(), before.end(),
                                  [](const SideFile& file, const CorpusFile& old) { return is_same(old, file); });
}

}  // namespace heed::data
