// An archive: a directory in one file. It is a zip file without compression, so that its files can be mapped. The path
// of a file in it is made as if the archive were a directory: `models/en-de.heed/config.toml` (regular_file.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "heed/core/files/atomic_file.h"

namespace heed {

/// The bytes of a file in an archive.
struct ArchivedRange {
  uint64_t begin = 0;
  uint64_t size = 0;
};

/// The place of the file `name` in the archive; absent: it has none of this name. descriptor, size: of the archive,
/// which `path` names in messages. Throws CheckpointError if it is not an archive, if it is damaged, or if the file is
/// compressed.
std::optional<ArchivedRange> find_in_archive(int descriptor, uint64_t size, const std::string& path,
                                             const std::string& name);

struct FileToArchive {
  std::string name;
  std::span<const std::byte> bytes;
};

/// Writes an archive of these files. Each begins at a page, so that mapping it maps nothing else. The same files make
/// the same bytes. Throws FileError.
void write_archive(AtomicFile& output, std::span<const FileToArchive> files);

}  // namespace heed
