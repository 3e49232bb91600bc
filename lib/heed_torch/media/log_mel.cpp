#include "heed_torch/media/log_mel.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "heed/core/scope_exit.h"
#include "heed/media/list_conversion.h"

namespace heed::media {
namespace {

constexpr double kFloor = 1e-10;
constexpr int64_t kBlock = 256;  // frames whose spectra are in memory at a time

LogMelOptions validated(const LogMelOptions& options) {
  validate(options);
  return options;
}

std::vector<double> hann_window(const LogMelOptions& options) {
  const int64_t size = options.transform_size(), length = options.window();
  std::vector<double> window(static_cast<size_t>(size));
  for (int64_t n = 0; n < length; ++n) {
    const double turn = 2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(length);
    window[static_cast<size_t>((size - length) / 2 + n)] = 0.5 - 0.5 * std::cos(turn);
  }
  return window;
}

/// frame[n] = window[n] samples[first + n], and 0 outside of the audio.
void cut_frame(std::span<const float> samples, int64_t first, std::span<const double> window, double* frame) {
  const auto count = static_cast<int64_t>(samples.size()), size = static_cast<int64_t>(window.size());
  for (int64_t n = 0; n < size; ++n) {
    const int64_t at = first + n;
    const double sample = at >= 0 && at < count ? double{samples[static_cast<size_t>(at)]} : 0;
    frame[n] = window[static_cast<size_t>(n)] * sample;
  }
}

float log_power(const MelFilter& filter, const double* power) {
  double sum = 0;
  for (size_t i = 0; i < filter.weights.size(); ++i)
    sum += filter.weights[i] * power[filter.first + static_cast<int64_t>(i)];
  return static_cast<float>(std::log(std::max(sum, kFloor)));
}

/// |F(frame)|^2 of each row [frames, size / 2 + 1].
at::Tensor power_spectra(const at::Tensor& frames) {
  const at::Tensor spectra = at::view_as_real(at::fft_rfft(frames));
  return spectra.square().sum(-1);
}

}  // namespace

int64_t frame_count(int64_t samples, const LogMelOptions& options) { return 1 + samples / options.hop(); }

LogMel::LogMel(const LogMelOptions& options)
    : options_(validated(options)), window_(hann_window(options)), filters_(mel_filters(options)) {}

std::vector<float> LogMel::operator()(const Audio& sound) const {
  const Audio heard = resampled(sound, options_.rate);
  const int64_t frames = frame_count(static_cast<int64_t>(heard.samples.size()), options_);
  const int64_t size = options_.transform_size();
  std::vector<float> result;
  result.reserve(static_cast<size_t>(frames * options_.mels));
  for (int64_t begin = 0; begin < frames; begin += kBlock) {
    const int64_t count = std::min(kBlock, frames - begin);
    const at::Tensor block = at::empty({count, size}, at::kDouble);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t first = (begin + i) * options_.hop() - size / 2;
      cut_frame(heard.samples, first, window_, block.data_ptr<double>() + i * size);
    }
    const at::Tensor power = power_spectra(block);  // [count, size / 2 + 1]
    for (int64_t i = 0; i < count; ++i) {
      for (const MelFilter& filter : filters_) {
        result.push_back(log_power(filter, power.data_ptr<double>() + i * power.size(1)));
      }
    }
  }
  return result;
}

std::vector<float> log_mel(const Audio& sound, const LogMelOptions& options) { return LogMel(options)(sound); }

void convert_sounds(const std::string& list, const std::string& vectors, const LogMelOptions& options,
                    int64_t threads) {
  const LogMel log_mel(options);
  // LibTorch keeps the number of threads as a global state, in addition to that of each thread.
  const ScopeExit restore([before = at::get_num_threads()] { at::set_num_threads(before); });
  VectorWriter writer(vectors, options.mels, NumberType::F32);
  convert_list(list, "an audio file", threads, writer, [&](const std::string& path) {
    at::set_num_threads(1);  // for the threads of a transform; each thread of the list has its own setting
    std::vector<float> frames = log_mel(read_audio(path));
    const auto count = static_cast<int64_t>(frames.size()) / options.mels;
    return ListItem{.shape = {.rows = 1, .columns = count}, .values = std::move(frames), .bytes = {}};
  });
  writer.finish();
}

}  // namespace heed::media
