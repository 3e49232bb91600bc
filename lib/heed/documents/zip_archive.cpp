#include "heed/documents/zip_archive.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"

namespace heed::documents {
namespace {

/// A file in memory for minizip.
struct MemoryFile {
  std::string bytes;
  size_t at = 0;
};

MemoryFile& file_of(voidpf stream) { return *static_cast<MemoryFile*>(stream); }

uLong read_memory(voidpf, voidpf stream, void* buffer, uLong size) {
  MemoryFile& file = file_of(stream);
  const size_t count = std::min<size_t>(size, file.bytes.size() - std::min(file.at, file.bytes.size()));
  std::memcpy(buffer, file.bytes.data() + std::min(file.at, file.bytes.size()), count);
  file.at += count;
  return count;
}
uLong write_memory(voidpf, voidpf stream, const void* buffer, uLong size) {
  MemoryFile& file = file_of(stream);
  if (file.bytes.size() < file.at + size) file.bytes.resize(file.at + size);
  std::memcpy(file.bytes.data() + file.at, buffer, size);
  file.at += size;
  return size;
}
ZPOS64_T tell_memory(voidpf, voidpf stream) { return file_of(stream).at; }
long seek_memory(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
  MemoryFile& file = file_of(stream);
  const size_t base = origin == ZLIB_FILEFUNC_SEEK_CUR   ? file.at
                      : origin == ZLIB_FILEFUNC_SEEK_END ? file.bytes.size()
                                                         : 0;
  if (base + offset > file.bytes.size()) return -1;
  file.at = base + offset;
  return 0;
}
int close_memory(voidpf, voidpf) { return 0; }
int error_of_memory(voidpf, voidpf) { return 0; }
voidpf open_memory(voidpf file, const void*, int) { return file; }

zlib_filefunc64_def functions_of(MemoryFile& file) {
  return {open_memory, read_memory, write_memory, tell_memory, seek_memory, close_memory, error_of_memory, &file};
}

struct CloseReader {
  void operator()(void* reader) const { unzClose(reader); }
};
using ZipReader = std::unique_ptr<void, CloseReader>;

std::string name_of_file(unzFile reader, unz_file_info64& info) {
  std::array<char, 1024> name{};
  if (unzGetCurrentFileInfo64(reader, &info, name.data(), name.size() - 1, nullptr, 0, nullptr, 0) != UNZ_OK) return "";
  return name.data();
}

/// The bytes of the current file as read_zip and replace_in_zip need them; false: it is damaged.
bool read_current(unzFile reader, bool raw, std::string& bytes, int& method, int& level,
                  size_t largest = std::string::npos) {
  if (unzOpenCurrentFile2(reader, &method, &level, raw ? 1 : 0) != UNZ_OK) return false;
  std::array<char, 65536> block{};
  int count = 0;
  while ((count = unzReadCurrentFile(reader, block.data(), block.size())) > 0 && bytes.size() <= largest) {
    bytes.append(block.data(), static_cast<size_t>(count));
  }
  const bool is_whole = unzCloseCurrentFile(reader) == UNZ_OK && count == 0;
  return is_whole;
}

void require_written(int code) {
  if (code != ZIP_OK) throw std::runtime_error("the zip archive cannot be written");
}

/// Writes a file with the attributes of `info`.
void write_file(zipFile writer, const std::string& file, const unz_file_info64& info, const std::string& bytes,
                int method, int level, bool raw) {
  zip_fileinfo attributes{};
  attributes.dosDate = info.dosDate;
  attributes.internal_fa = info.internal_fa;
  attributes.external_fa = info.external_fa;
  require_written(zipOpenNewFileInZip2_64(writer, file.c_str(), &attributes, nullptr, 0, nullptr, 0, nullptr, method,
                                          level, raw ? 1 : 0, 0));
  require_written(zipWriteInFileInZip(writer, bytes.data(), static_cast<unsigned>(bytes.size())));
  require_written(raw ? zipCloseFileInZipRaw64(writer, info.uncompressed_size, info.crc) : zipCloseFileInZip(writer));
}

}  // namespace

std::map<std::string, std::string> read_zip(const std::string& archive, const std::string& name,
                                            bool (*is_wanted)(const std::string& file), size_t largest) {
  MemoryFile file{.bytes = archive};
  zlib_filefunc64_def functions = functions_of(file);
  const ZipReader reader(unzOpen2_64("", &functions));
  if (!reader) throw InputError(name, 0, "expected a zip archive, as .docx files are, found other or cut data");
  std::map<std::string, std::string> contents;
  size_t size = 0;
  for (int code = unzGoToFirstFile(reader.get()); code == UNZ_OK; code = unzGoToNextFile(reader.get())) {
    unz_file_info64 info{};
    const std::string own = name_of_file(reader.get(), info);
    const bool wanted = is_wanted(own);
    std::string other;  // is read to see whether it is whole
    std::string& bytes = wanted ? contents[own] : other;
    int method = 0, level = 0;
    const bool whole = read_current(reader.get(), !wanted, bytes, method, level, largest - size);
    size += bytes.size();
    if (size > largest) {
      throw InputError(
          name, 0,
          fmt::format("the files in the archive have more than {} bytes", format_count(static_cast<int64_t>(largest))));
    }
    if (!whole) {
      throw InputError(name, 0, "the file `" + own + "` in the archive is damaged");
    }
  }
  return contents;
}

std::string replace_in_zip(const std::string& archive, const std::map<std::string, std::string>& contents) {
  MemoryFile in{.bytes = archive}, out{};
  zlib_filefunc64_def reading = functions_of(in), writing = functions_of(out);
  const ZipReader reader(unzOpen2_64("", &reading));
  zipFile writer = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &writing);
  if (!reader || writer == nullptr) throw std::runtime_error("the zip archive cannot be written");
  for (int code = unzGoToFirstFile(reader.get()); code == UNZ_OK; code = unzGoToNextFile(reader.get())) {
    unz_file_info64 info{};
    const std::string file = name_of_file(reader.get(), info);
    const auto changed = contents.find(file);
    if (changed != contents.end()) {
      write_file(writer, file, info, changed->second, Z_DEFLATED, Z_DEFAULT_COMPRESSION, false);
      continue;
    }
    int method = 0, level = 0;
    std::string bytes;
    if (!read_current(reader.get(), true, bytes, method, level)) throw std::runtime_error("the zip archive is damaged");
    write_file(writer, file, info, bytes, method, level, true);
  }
  require_written(zipClose(writer, nullptr));
  return std::move(out.bytes);
}

}  // namespace heed::documents
