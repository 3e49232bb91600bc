#include "heed/data/corpus/spooled_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/unpacked_file.h"

namespace heed::data {
namespace {

void copy_unpacked(const std::string& from, const std::string& name, const std::string& to) {
  UnpackedFile file(from, name);
  AtomicFile copy(to);
  std::string buffer(1 << 20, '\0');
  while (const size_t count = file.read(buffer.data(), buffer.size())) copy.write(buffer.data(), count);
  copy.commit();
}

constexpr const char* kNotKept = ".new";

}  // namespace

bool has_stream(const CorpusFiles& files) {
  const auto list = all_files(files);
  return std::any_of(list.begin(), list.end(), [](const auto& file) { return is_stream(file.path); });
}

SpooledFiles::SpooledFiles(const CorpusFiles& files, const std::string& prefix) : files_(files) {
  try {
    for (const auto& [side, path] : all_files(files)) {
      if (!is_stream(path)) continue;
      copies_.push_back(fmt::format("{}.{}", prefix, copies_.size()));
      copy_unpacked(path, name_of(path, files), copies_.back() + kNotKept);
      rename(path, copies_.back() + kNotKept, name_of(path, files));
    }
  } catch (...) {
    remove_copies();
    throw;
  }
}

SpooledFiles::~SpooledFiles() { remove_copies(); }

void SpooledFiles::remove_copies() {
  std::error_code ignored;
  for (const std::string& copy : copies_) std::filesystem::remove(copy + kNotKept, ignored);
}

void SpooledFiles::keep() {
  for (const std::string& copy : std::exchange(copies_, {})) {
    const std::string before = copy + kNotKept;
    if (::rename(before.c_str(), copy.c_str()) != 0) throw FileError(copy, "write", errno);
    rename(before, copy, name_of(before, files_));
  }
}

void SpooledFiles::rename(const std::string& path, const std::string& copy, const std::string& name) {
  for (auto* paths : {&files_.source, &files_.target, &files_.pairs, &files_.weights, &files_.alignments}) {
    std::replace(paths->begin(), paths->end(), path, copy);
  }
  files_.names[copy] = name;
}

CorpusFiles found_again(const CorpusFiles& files, const std::string& prefix) {
  const std::filesystem::path place(prefix);
  CorpusFiles found = files;
  for (auto* paths : {&found.source, &found.target, &found.pairs, &found.weights, &found.alignments}) {
    for (std::string& path : *paths) {
      const std::filesystem::path name = std::filesystem::path(path).filename();
      const std::filesystem::path now = place.parent_path() / name;
      const bool kept = name.stem() == place.filename() && std::filesystem::exists(now);
      if (kept && !std::filesystem::exists(path)) path = now;
    }
  }
  return found;
}

}  // namespace heed::data
