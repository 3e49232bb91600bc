#include "heed/core/files/gzip_compressor.h"

#include <algorithm>
#include <limits>
#include <new>

#include <zlib.h>

namespace heed {
namespace {

constexpr int kWindowBits = 15 + 16;  // the largest window, with a gzip header
constexpr int kMemoryLevel = 8;       // zlib's default

}  // namespace

struct GzipCompressor::Stream {
  z_stream zlib{};

  Stream() {
    if (deflateInit2(&zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWindowBits, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Stream() { deflateEnd(&zlib); }

  /// Compresses the input (to its end if `flush` says so) and appends the bytes that are ready.
  void deflate_to(std::string& packed, int flush) {
    char room[1 << 14];
    do {
      zlib.next_out = reinterpret_cast<Bytef*>(room);
      zlib.avail_out = sizeof room;
      deflate(&zlib, flush);  // fails only if misused
      packed.append(room, sizeof room - zlib.avail_out);
    } while (zlib.avail_out == 0);
  }
};

GzipCompressor::GzipCompressor() : stream_(std::make_unique<Stream>()) {}
GzipCompressor::~GzipCompressor() = default;

std::string GzipCompressor::pack(std::string_view text) {
  std::string packed;
  while (!text.empty()) {
    const size_t size = std::min<size_t>(text.size(), std::numeric_limits<uInt>::max());
    stream_->zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib only reads
    stream_->zlib.avail_in = static_cast<uInt>(size);
    stream_->deflate_to(packed, Z_NO_FLUSH);
    text.remove_prefix(size);
  }
  return packed;
}

std::string GzipCompressor::finish() {
  std::string packed;
  stream_->zlib.avail_in = 0;
  stream_->deflate_to(packed, Z_FINISH);
  return packed;
}

}  // namespace heed
