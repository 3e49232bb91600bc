#include "heed/media/sound.h"

#include <samplerate.h>
#include <sndfile.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/mapped_file.h"

namespace heed::media {
namespace {

constexpr int64_t kBlock = 1 << 14;  // frames that are read at a time
constexpr int64_t kMostTimes = 256;  // one rate of another, in libsamplerate

struct CloseSound {
  void operator()(SNDFILE* file) const { sf_close(file); }
};
using SoundFile = std::unique_ptr<SNDFILE, CloseSound>;

/// libsndfile reads a WAV file that is cut off as if it were whole. Its size stands behind "RIFF"; a program that wrote
/// into a pipe has put a huge number there.
void check_whole(std::span<const std::byte> bytes, const std::string& path) {
  constexpr uint32_t kUnknown = 0x7F00'0000;
  uint32_t size = 0;
  if (bytes.size() < 8 || std::memcmp(bytes.data(), "RIFF", 4) != 0) return;
  std::memcpy(&size, bytes.data() + 4, sizeof size);
  if (size < kUnknown && size > bytes.size() - 8) {
    throw InputError(path, 0, fmt::format("is cut off: expected {} bytes, found {}", uint64_t{size} + 8, bytes.size()));
  }
}

/// Adds the mean of the channels of each frame.
void append_means(std::span<const float> frames, size_t channels, std::vector<float>& samples) {
  for (size_t i = 0; i < frames.size(); i += channels) {
    double sum = 0;
    for (size_t c = 0; c < channels; ++c) sum += double{frames[i + c]};
    samples.push_back(static_cast<float>(sum / static_cast<double>(channels)));
  }
}

void check_samples(const std::vector<float>& samples, int64_t expected, const std::string& path) {
  if (static_cast<int64_t>(samples.size()) < expected) {
    throw InputError(path, 0,
                     fmt::format("is cut off or damaged: expected {} samples, found {}", expected, samples.size()));
  }
  if (samples.empty()) throw InputError(path, 0, "is empty, expected samples");
  const auto wrong = std::ranges::find_if(samples, [](float sample) { return !std::isfinite(sample); });
  if (wrong == samples.end()) return;
  throw InputError(path, 0,
                   fmt::format("expected finite samples, found {} as number {}", *wrong, wrong - samples.begin() + 1));
}

}  // namespace

Sound read_sound(const std::string& path) {
  check_whole(MappedFile(path).bytes(), path);
  SF_INFO info{};
  const SoundFile file(sf_open(path.c_str(), SFM_READ, &info));
  if (!file) throw InputError(path, 0, fmt::format("is no sound that can be read: {}", sf_strerror(nullptr)));
  Sound sound{.rate = info.samplerate, .samples = {}};
  const auto channels = static_cast<size_t>(info.channels);
  std::vector<float> frames(static_cast<size_t>(kBlock) * channels);
  for (;;) {
    const sf_count_t count = sf_readf_float(file.get(), frames.data(), kBlock);
    if (count <= 0) break;
    append_means(std::span(frames).first(static_cast<size_t>(count) * channels), channels, sound.samples);
  }
  if (sf_error(file.get()) != SF_ERR_NO_ERROR) {
    throw InputError(path, 0, fmt::format("is damaged: {}", sf_strerror(file.get())));
  }
  check_samples(sound.samples, info.frames, path);
  return sound;
}

Sound resampled(const Sound& sound, int64_t rate) {
  check(sound.rate >= 1 && rate >= 1, "resampled: a rate is at least 1");
  if (sound.rate == rate) return sound;
  const double ratio = static_cast<double>(rate) / static_cast<double>(sound.rate);
  if (src_is_valid_ratio(ratio) == 0) {
    throw InputError(fmt::format("expected a sound of {} to {} samples a second for a rate of {}, found {}",
                                 (rate + kMostTimes - 1) / kMostTimes, rate * kMostTimes, rate, sound.rate));
  }
  const auto count = static_cast<int64_t>(sound.samples.size());
  Sound result{.rate = rate,
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
