#include "heed/core/files/archive.h"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>

#include "heed/core/error.h"

namespace heed {
namespace {

/// An open archive for minizip.
struct ArchiveReader {
  int descriptor;
  uint64_t size;
  uint64_t at = 0;
};
/// An archive that minizip writes. An exception does not pass through minizip: it is kept.
struct ArchiveWriter {
  AtomicFile& file;
  uint64_t size = 0;
  uint64_t at = 0;
  std::exception_ptr error = nullptr;
};

template <class File>
File& file_of(voidpf stream) {
  return *static_cast<File*>(stream);
}

voidpf open_stream(voidpf file, const void*, int) { return file; }
int close_stream(voidpf, voidpf) { return 0; }
int error_of_stream(voidpf, voidpf) { return 0; }
uLong refuse_reading(voidpf, voidpf, void*, uLong) { return 0; }
uLong refuse_writing(voidpf, voidpf, const void*, uLong) { return 0; }

template <class File>
ZPOS64_T tell(voidpf, voidpf stream) {
  return file_of<File>(stream).at;
}
template <class File>
long seek(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
  File& file = file_of<File>(stream);
  const uint64_t base = origin == ZLIB_FILEFUNC_SEEK_CUR ? file.at : origin == ZLIB_FILEFUNC_SEEK_END ? file.size : 0;
  if (base + offset > file.size) return -1;
  file.at = base + offset;
  return 0;
}

uLong read_bytes(voidpf, voidpf stream, void* buffer, uLong size) {
  auto& file = file_of<ArchiveReader>(stream);
  const ssize_t count = pread(file.descriptor, buffer, size, static_cast<off_t>(file.at));
  if (count <= 0) return 0;
  file.at += static_cast<uint64_t>(count);
  return static_cast<uLong>(count);
}

uLong write_bytes(voidpf, voidpf stream, const void* buffer, uLong size) {
  auto& file = file_of<ArchiveWriter>(stream);
  try {
    const std::string_view bytes(static_cast<const char*>(buffer), size);
    file.at == file.size ? file.file.write(bytes) : file.file.write_at(file.at, bytes);
  } catch (...) {
    file.error = std::current_exception();
    return 0;
  }
  file.at += size;
  file.size = std::max(file.size, file.at);
  return size;
}

struct CloseReader {
  void operator()(void* reader) const { unzClose(reader); }
};

bool begins_as_archive(int descriptor) {
  std::array<char, 4> begin{};
  return pread(descriptor, begin.data(), begin.size(), 0) == 4 && std::string_view(begin.data(), 4) == "PK\x03\x04";
}

constexpr uint64_t kPage = 4096;                    // bytes
constexpr uint64_t kLargeFile = 0xffffffff;         // from this size on a file has 64-bit fields
constexpr uint64_t kHeader = 30, kLargeField = 20;  // bytes of a file's header in the archive, and of its 64-bit fields
constexpr size_t kBlock = size_t{64} << 20;         // bytes that are written at once

void append_number(std::string& field, uint64_t number) {
  field += static_cast<char>(number & 0xff);
  field += static_cast<char>(number >> 8);
}

/// An extra field after a header that ends at `end`, so that the file's bytes begin at a page. Its form is that of
/// Android's zipalign.
std::string padding_after(uint64_t end) {
  constexpr uint64_t kId = 0xd935, kLeast = 6;
  const uint64_t size = kLeast + (kPage - (end + kLeast) % kPage) % kPage;
  std::string field;
  append_number(field, kId);
  append_number(field, size - 4);
  append_number(field, kPage);
  field.resize(size);
  return field;
}

void require_written(int code, const ArchiveWriter& writer) {
  if (writer.error) std::rethrow_exception(writer.error);
  if (code != ZIP_OK) throw std::runtime_error("the archive cannot be written");
}

void add_file(zipFile zip, const ArchiveWriter& writer, const FileToArchive& file) {
  const bool large = file.bytes.size() >= kLargeFile;
  const std::string padding = padding_after(writer.at + kHeader + file.name.size() + (large ? kLargeField : 0));
  zip_fileinfo attributes{};
  attributes.dosDate = (1U << 21) | (1U << 16);   // 1 January 1980, so that the same files make the same bytes
  attributes.external_fa = uLong{0100644} << 16;  // permissions of Unix, as the version below says
  constexpr uLong kUnix = 3U << 8;
  require_written(
      zipOpenNewFileInZip4_64(zip, file.name.c_str(), &attributes, padding.data(), static_cast<uInt>(padding.size()),
                              nullptr, 0, nullptr, /*method=*/0, /*level=*/0, /*raw=*/0, -MAX_WBITS, DEF_MEM_LEVEL,
                              Z_DEFAULT_STRATEGY, nullptr, 0, kUnix, 0, large ? 1 : 0),
      writer);
  for (auto rest = file.bytes; !rest.empty();) {
    const auto block = rest.first(std::min(rest.size(), kBlock));
    require_written(zipWriteInFileInZip(zip, block.data(), static_cast<unsigned>(block.size())), writer);
    rest = rest.subspan(block.size());
  }
  require_written(zipCloseFileInZip(zip), writer);
}

}  // namespace

std::optional<ArchivedRange> find_in_archive(int descriptor, uint64_t size, const std::string& path,
                                             const std::string& name) {
  ArchiveReader file{.descriptor = descriptor, .size = size};
  zlib_filefunc64_def functions{open_stream,         read_bytes,   refuse_writing,  tell<ArchiveReader>,
                                seek<ArchiveReader>, close_stream, error_of_stream, &file};
  const std::unique_ptr<void, CloseReader> reader(unzOpen2_64("", &functions));
  if (!reader && !begins_as_archive(descriptor)) {
    throw CheckpointError(path, "is neither a directory nor a file that `heed pack` made");
  }
  const int found = reader ? unzLocateFile(reader.get(), name.c_str(), /*iCaseSensitivity=*/1) : UNZ_BADZIPFILE;
  if (found == UNZ_END_OF_LIST_OF_FILE) return std::nullopt;
  unz_file_info64 info{};
  int method = 0, level = 0;
  if (found != UNZ_OK || unzGetCurrentFileInfo64(reader.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK ||
      unzOpenCurrentFile2(reader.get(), &method, &level, /*raw=*/1) != UNZ_OK) {
    throw CheckpointError(path, "is damaged: the list of its files is missing or wrong; was it copied completely?");
  }
  if (method != 0 || info.compressed_size != info.uncompressed_size) {
    throw CheckpointError(path, fmt::format("has `{}` compressed, but heed maps files: `heed pack` makes archives "
                                            "without compression",
                                            name));
  }
  const ArchivedRange range{.begin = unzGetCurrentFileZStreamPos64(reader.get()), .size = info.uncompressed_size};
  if (range.begin > size || range.size > size - range.begin) {
    throw CheckpointError(path, fmt::format("is damaged: `{}` would end after it", name));
  }
  return range;
}

void write_archive(AtomicFile& output, std::span<const FileToArchive> files) {
  ArchiveWriter writer{.file = output};
  zlib_filefunc64_def functions{open_stream,         refuse_reading, write_bytes,     tell<ArchiveWriter>,
                                seek<ArchiveWriter>, close_stream,   error_of_stream, &writer};
  struct Close {
    void operator()(void* zip) const { zipClose(zip, nullptr); }
  };
  std::unique_ptr<void, Close> zip(zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions));
  if (!zip) throw std::runtime_error("the archive cannot be written");
  for (const FileToArchive& file : files) add_file(zip.get(), writer, file);
  require_written(zipClose(zip.release(), nullptr), writer);
}

}  // namespace heed
