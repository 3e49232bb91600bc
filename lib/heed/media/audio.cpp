#include "heed/media/audio.h"

#include <samplerate.h>
#include <sndfile.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/mapped_file.h"

namespace heed::media {
namespace {

constexpr int64_t kBlock = 1 << 14;  // frames per read
constexpr int64_t kMostTimes = 256;  // the maximum ratio of two rates in libsamplerate

constexpr int kMpeg = 0x230000;  // SF_FORMAT_MPEG, which libsndfile has since version 1.1
/// The forms whose length is checked, here (sound_length.cpp) or by libsndfile, or whose header has none.
constexpr std::array kForms{SF_FORMAT_WAV,   SF_FORMAT_WAVEX, SF_FORMAT_RF64, SF_FORMAT_W64,  SF_FORMAT_AIFF,
                            SF_FORMAT_SVX,   SF_FORMAT_AU,    SF_FORMAT_CAF,  SF_FORMAT_NIST, SF_FORMAT_HTK,
                            SF_FORMAT_IRCAM, SF_FORMAT_PAF,   SF_FORMAT_PVF,  SF_FORMAT_FLAC, SF_FORMAT_OGG};

/// Others would be read as whole although their header says that they are longer.
void check_form(int format, const std::string& path) {
  const int form = format & SF_FORMAT_TYPEMASK;
  if (form == kMpeg || std::ranges::find(kForms, form) != kForms.end()) return;
  SF_FORMAT_INFO info{.format = form, .name = nullptr, .extension = nullptr};
  const bool known = sf_command(nullptr, SFC_GET_FORMAT_INFO, &info, sizeof info) == 0 && info.name != nullptr;
  throw InputError(path, 0,
                   fmt::format("is {}, which is not read: the formats are WAV (also RF64 and Wave64), FLAC, Ogg, MP3, "
                               "AIFF, 8SVX, AU, CAF, NIST SPHERE, HTK, IRCAM, PAF and PVF",
                               known ? info.name : "audio of another format"));
}

struct CloseSound {
  void operator()(SNDFILE* file) const { sf_close(file); }
};
using SoundFile = std::unique_ptr<SNDFILE, CloseSound>;

/// A file in memory, for libsndfile.
struct MemoryFile {
  std::vector<std::byte> bytes;
  sf_count_t at = 0;

  sf_count_t size() const { return std::ssize(bytes); }
  static MemoryFile& of(void* file) { return *static_cast<MemoryFile*>(file); }
};

SF_VIRTUAL_IO memory_io() {
  SF_VIRTUAL_IO io{};
  io.get_filelen = [](void* file) { return MemoryFile::of(file).size(); };
  io.tell = [](void* file) { return MemoryFile::of(file).at; };
  io.seek = [](sf_count_t offset, int whence, void* file) {
    MemoryFile& memory = MemoryFile::of(file);
    const sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? memory.at : memory.size();
    return memory.at = std::clamp<sf_count_t>(from + offset, 0, memory.size());
  };
  io.read = [](void* to, sf_count_t count, void* file) {
    MemoryFile& memory = MemoryFile::of(file);
    count = std::min(count, memory.size() - memory.at);
    std::memcpy(to, memory.bytes.data() + memory.at, static_cast<size_t>(count));
    memory.at += count;
    return count;
  };
  return io;
}

/// An audio file, open for reading.
class OpenSound {
 public:
  /// Throws InputError.
  explicit OpenSound(const std::string& path) {
    const MappedFile mapped(path);
    check_not_truncated(mapped.bytes(), path);
    if (const auto length = unwritten_length(mapped.bytes())) {
      memory_.bytes.assign(mapped.bytes().begin(), mapped.bytes().end());
      std::memcpy(memory_.bytes.data() + length->at, length->bytes.data(), length->bytes.size());
      SF_VIRTUAL_IO io = memory_io();
      file_.reset(sf_open_virtual(&io, SFM_READ, &info_, &memory_));
    } else {
      file_.reset(sf_open(path.c_str(), SFM_READ, &info_));
    }
    if (!file_) throw InputError(path, 0, fmt::format("is not a readable audio file: {}", sf_strerror(nullptr)));
    check_form(info_.format, path);
  }
  OpenSound(const OpenSound&) = delete;  // libsndfile keeps the address of memory_
  OpenSound& operator=(const OpenSound&) = delete;

  int64_t rate() const { return info_.samplerate; }
  int64_t channels() const { return info_.channels; }
  /// The length in frames; none: unknown, for FLAC that was written into a pipe. Throws InputError for other formats
  /// without a length.
  std::optional<int64_t> frames(const std::string& path) const {
    if (info_.frames != SF_COUNT_MAX) return info_.frames;
    if ((info_.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC) return std::nullopt;
    throw InputError(path, 0, "is truncated: its end is missing");
  }
  /// Reads the next frames. Returns their number; 0 at the end.
  int64_t read(std::span<float> numbers) {
    const sf_count_t count = sf_readf_float(file_.get(), numbers.data(), std::ssize(numbers) / info_.channels);
    // The next call would overwrite the error of this one.
    if (error_.empty() && sf_error(file_.get()) != SF_ERR_NO_ERROR) error_ = sf_strerror(file_.get());
    return std::max<sf_count_t>(count, 0);
  }
  /// The first read error, which means that the file is damaged; empty: no error.
  const std::string& error() const { return error_; }

 private:
  SF_INFO info_{};
  MemoryFile memory_;
  SoundFile file_;
  std::string error_;
};

/// Appends the mean of the channels of each frame.
void append_means(std::span<const float> frames, size_t channels, std::vector<float>& samples) {
  for (size_t i = 0; i < frames.size(); i += channels) {
    double sum = 0;
    for (size_t c = 0; c < channels; ++c) sum += double{frames[i + c]};
    samples.push_back(static_cast<float>(sum / static_cast<double>(channels)));
  }
}

/// frames: the length in the header, if there is one. error: the first read error.
void check_samples(const std::vector<float>& samples, std::optional<int64_t> frames, const std::string& error,
                   const std::string& path) {
  if (frames && std::ssize(samples) < *frames) {
    throw InputError(path, 0,
                     fmt::format("is truncated or damaged: expected {} samples, found {}", *frames, samples.size()));
  }
  if (!frames && !error.empty()) throw InputError(path, 0, fmt::format("is truncated or damaged: {}", error));
  if (samples.empty()) throw InputError(path, 0, "is empty, expected samples");
  const auto wrong = std::ranges::find_if(samples, [](float sample) { return !std::isfinite(sample); });
  if (wrong == samples.end()) return;
  throw InputError(path, 0,
                   fmt::format("expected finite samples, found {} as number {}", *wrong, wrong - samples.begin() + 1));
}

}  // namespace

Audio read_audio(const std::string& path) {
  OpenSound file(path);
  const std::optional<int64_t> expected = file.frames(path);
  Audio sound{.rate = file.rate(), .samples = {}};
  const auto channels = static_cast<size_t>(file.channels());
  std::vector<float> frames(static_cast<size_t>(kBlock) * channels);
  for (;;) {
    const int64_t count = file.read(frames);
    if (count == 0) break;
    append_means(std::span(frames).first(static_cast<size_t>(count) * channels), channels, sound.samples);
  }
  check_samples(sound.samples, expected, file.error(), path);
  return sound;
}

Audio resampled(const Audio& sound, int64_t rate) {
  check(sound.rate >= 1 && rate >= 1, "resampled: a rate is at least 1");
  if (sound.rate == rate) return sound;
  const double ratio = static_cast<double>(rate) / static_cast<double>(sound.rate);
  if (src_is_valid_ratio(ratio) == 0) {
    throw InputError(fmt::format("expected audio of {} to {} samples per second for a rate of {}, found {}",
                                 (rate + kMostTimes - 1) / kMostTimes, rate * kMostTimes, rate, sound.rate));
  }
  const auto count = static_cast<int64_t>(sound.samples.size());
  Audio result{.rate = rate,
               .samples = std::vector<float>(static_cast<size_t>((count * rate + sound.rate - 1) / sound.rate))};
  SRC_DATA work{};
  work.data_in = sound.samples.data();
  work.input_frames = static_cast<long>(count);
  work.data_out = result.samples.data();
  work.output_frames = static_cast<long>(result.samples.size());
  work.src_ratio = ratio;
  const int failed = src_simple(&work, SRC_SINC_MEDIUM_QUALITY, /*channels=*/1);
  check(failed == 0, failed == 0 ? "" : src_strerror(failed));
  return result;
}

}  // namespace heed::media
