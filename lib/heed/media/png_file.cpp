#include "heed/media/png_file.h"

#include <png.h>
#include <algorithm>
#include <csetjmp>
#include <cstring>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::media {
namespace {

constexpr const char* kTruncated = "is truncated";  // libpng passes it from the reading function to the error function

/// The state that libpng's functions use. No object with a destructor may be created between setjmp and longjmp. Steps
/// that may jump are therefore separate functions without such objects.
class PngFile {
 public:
  PngFile(std::span<const std::byte> bytes, const std::string& path)
      : rest_(bytes), path_(path), png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning)) {
    info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
    check(info_ != nullptr, "libpng cannot be set up");
    png_set_read_fn(png_, this, on_read);
  }
  ~PngFile() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngFile(const PngFile&) = delete;
  PngFile& operator=(const PngFile&) = delete;

  PngPixels read() {
    const size_t file_size = rest_.size();
    require(read_header());
    check_size(file_size);
    require(choose_form());
    PngPixels picture{.height = png_get_image_height(png_, info_),
                      .width = png_get_image_width(png_, info_),
                      .channels = png_get_channels(png_, info_),
                      .pixels = {}};
    const size_t row_bytes = png_get_rowbytes(png_, info_);
    picture.pixels.resize(static_cast<size_t>(picture.height) * row_bytes);
    std::vector<png_bytep> rows(static_cast<size_t>(picture.height));
    for (size_t y = 0; y < rows.size(); ++y) rows[y] = picture.pixels.data() + y * row_bytes;
    require(read_rows(rows.data()));
    return picture;
  }

 private:
  void require(bool done) const {
    if (done) return;
    const bool cut_off = std::string_view(error_.data()) == kTruncated;
    throw InputError(path_, 0, cut_off ? kTruncated : fmt::format("is a damaged PNG file: {}", error_.data()));
  }

  /// zlib compresses at most 1032 to 1. A small file that declares a huge image is damaged, so no memory is allocated.
  void check_size(size_t file_size) const {
    const double bits = static_cast<double>(png_get_image_width(png_, info_)) * png_get_image_height(png_, info_) *
                        png_get_channels(png_, info_) * png_get_bit_depth(png_, info_);
    if (bits / 8 <= 1032.0 * static_cast<double>(file_size)) return;
    throw InputError(path_, 0,
                     fmt::format("is truncated or damaged: {} bytes cannot hold {} rows of {} pixels", file_size,
                                 png_get_image_height(png_, info_), png_get_image_width(png_, info_)));
  }

  bool read_header() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_read_info(png_, info_);
    return true;
  }

  bool choose_form() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_expand(png_);
    png_set_scale_16(png_);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    return true;
  }

  bool read_rows(png_bytepp rows) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_read_image(png_, rows);
    png_read_end(png_, nullptr);
    return true;
  }

  static void on_read(png_structp png, png_bytep bytes, size_t count) {
    auto* file = static_cast<PngFile*>(png_get_io_ptr(png));
    if (count > file->rest_.size()) png_error(png, kTruncated);
    std::memcpy(bytes, file->rest_.data(), count);
    file->rest_ = file->rest_.subspan(count);
  }

  [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
    auto* file = static_cast<PngFile*>(png_get_error_ptr(png));
    std::strncpy(file->error_.data(), message, file->error_.size() - 1);
    png_longjmp(png, 1);
  }

  static void on_warning(png_structp, png_const_charp) {}

  std::span<const std::byte> rest_;  // not read yet
  const std::string& path_;
  std::array<char, 200> error_{};  // libpng's message
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

class PngImage {  // uses libpng's simplified interface, which suffices for writing
 public:
  explicit PngImage(const PngPixels& picture) {
    image_.version = PNG_IMAGE_VERSION;
    image_.width = static_cast<png_uint_32>(picture.width);
    image_.height = static_cast<png_uint_32>(picture.height);
    image_.format = picture.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  }
  ~PngImage() { png_image_free(&image_); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;

  std::string write(const std::vector<uint8_t>& pixels) {
    std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image_), '\0');
    png_alloc_size_t size = bytes.size();
    const int done = png_image_write_to_memory(&image_, bytes.data(), &size, 0, pixels.data(), 0, nullptr);
    check(done != 0, image_.message);
    bytes.resize(size);
    return bytes;
  }

 private:
  png_image image_{};
};

}  // namespace

PngPixels read_png(std::span<const std::byte> bytes, const std::string& path) {
  constexpr size_t kSignature = 8;
  const auto* begin = reinterpret_cast<png_const_bytep>(bytes.data());
  if (bytes.empty() || png_sig_cmp(begin, 0, std::min(bytes.size(), kSignature)) != 0) {
    throw InputError(path, 0, bytes.empty() ? "is empty, expected a PNG file" : "is not a PNG file");
  }
  return PngFile(bytes, path).read();
}

std::string write_png(const PngPixels& picture) { return PngImage(picture).write(picture.pixels); }

}  // namespace heed::media
