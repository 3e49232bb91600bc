#include "heed/core/files/unpacked_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "heed/core/error.h"

namespace heed {

/// Unpacks a series of gzip members.
struct UnpackedFile::Decompressor {
  explicit Decompressor(std::string begin) : packed(std::move(begin)) {
    constexpr int kGzip = 16;
    if (inflateInit2(&stream, MAX_WBITS + kGzip) != Z_OK) throw std::bad_alloc();
    const size_t known = packed.size();
    packed.resize(1 << 16);
    take(known);
  }
  ~Decompressor() { inflateEnd(&stream); }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  void take(size_t count) {
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(count);
  }
  /// Some programs pad the last block of a device with zeros.
  void skip_zeros() {
    for (; stream.avail_in > 0 && *stream.next_in == 0; --stream.avail_in) ++stream.next_in;
  }
  /// Unpacks data until a member ends. Returns the error, or an empty text.
  std::string unpack() {
    if (!in_member) inflateReset(&stream);
    in_member = true;
    const int code = inflate(&stream, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
      in_member = false;
      ++members;
    }
    if (code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR) return {};
    if (members > 0 && stream.total_out == 0) return "other data follows the compressed data";
    return fmt::format("the compressed data is damaged or truncated ({})", stream.msg ? stream.msg : "not gzip");
  }

  std::string packed;
  z_stream stream{};
  bool in_member = true;
  int64_t members = 0;  // complete ones
};

namespace {

/// Whether nothing can be read within this time and the end is not reached. A negative time waits without limit.
bool must_wait(int descriptor, int milliseconds = 0) {
  pollfd asked{.fd = descriptor, .events = POLLIN, .revents = 0};
  return poll(&asked, 1, milliseconds) == 0;
}

}  // namespace

bool is_stream(const std::string& path) {
  std::error_code unknown;  // an error is reported when the file is opened
  return path == "-" || std::filesystem::is_other(std::filesystem::status(path, unknown));
}

UnpackedFile::UnpackedFile(const std::string& path, std::string name) : name_(std::move(name)) {
  const bool is_named = path != "-";
  descriptor_ = is_named ? open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK) : dup(STDIN_FILENO);
  if (descriptor_ < 0) throw FileError(name_, "open", errno);
  struct stat status{};
  if (fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor_);
    throw FileError(name_, "read", EISDIR);
  }
  if (!is_named) return;
  fcntl(descriptor_, F_SETFL, fcntl(descriptor_, F_GETFL) & ~O_NONBLOCK);
  awaits_writer_ = S_ISFIFO(status.st_mode);
}

UnpackedFile::~UnpackedFile() { close(descriptor_); }

/// Waits until something can be read, or the end is reached.
void UnpackedFile::wait() {
  constexpr int kPause = 100, kForever = -1;  // milliseconds
  if (on_wait_ && must_wait(descriptor_)) on_wait_();
  while (breaks_off_ && must_wait(descriptor_, kPause)) {
    if (breaks_off_()) throw ReadCancelled();
  }
  // Before a writer has opened the pipe, a read would return the end of the file.
  if (std::exchange(awaits_writer_, false)) must_wait(descriptor_, kForever);
}

size_t UnpackedFile::read_some(char* bytes, size_t count) {
  wait();
  for (;;) {
    const ssize_t got = ::read(descriptor_, bytes, count);
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR) throw FileError(name_, "read", errno);
  }
}

bool UnpackedFile::looks_packed() {
  constexpr std::string_view kMagic = "\x1f\x8b";
  // Reads no more bytes than needed to recognize the format, because a sender may wait for the answer to an empty line.
  for (char byte = 0; ahead_.size() < kMagic.size() && kMagic.starts_with(ahead_);) {
    if (read_some(&byte, 1) == 0) break;
    ahead_ += byte;
  }
  return ahead_ == kMagic;
}

bool UnpackedFile::packed() {
  if (!std::exchange(begun_, true) && looks_packed())
    unpacker_ = std::make_unique<Decompressor>(std::exchange(ahead_, {}));
  return unpacker_ != nullptr;
}

size_t UnpackedFile::read(char* bytes, size_t count) {
  if (packed()) return read_packed(bytes, count);
  if (ahead_.empty()) return read_some(bytes, count);
  const size_t taken = ahead_.copy(bytes, count);
  ahead_.erase(0, taken);
  return taken;
}

size_t UnpackedFile::read_packed(char* bytes, size_t count) {
  z_stream& stream = unpacker_->stream;
  const auto room = static_cast<uInt>(std::min<size_t>(count, 1 << 30));
  stream.next_out = reinterpret_cast<Bytef*>(bytes);
  stream.avail_out = room;
  while (stream.avail_out == room) {
    if (stream.avail_in == 0) {
      unpacker_->take(read_some(unpacker_->packed.data(), unpacker_->packed.size()));
      if (stream.avail_in == 0 && unpacker_->in_member) throw InputError(name_, 0, "the compressed data is truncated");
      if (stream.avail_in == 0) return 0;
    }
    if (!unpacker_->in_member) unpacker_->skip_zeros();
    if (stream.avail_in == 0) continue;
    if (const std::string problem = unpacker_->unpack(); !problem.empty()) throw InputError(name_, 0, problem);
  }
  return room - stream.avail_out;
}

}  // namespace heed
