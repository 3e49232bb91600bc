#include "heed_torch/media/log_mel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "heed/core/error.h"
#include "heed/core/parallel.h"
#include "support/message_of.h"
#include "support/stored_json.h"

namespace heed::media {
namespace {

Audio sine(int64_t rate, double hertz, double seconds = 0.5) {
  Audio sound{.rate = rate, .samples = {}};
  sound.samples.resize(static_cast<size_t>(seconds * static_cast<double>(rate)));
  for (size_t i = 0; i < sound.samples.size(); ++i) {
    const double time = static_cast<double>(i) / static_cast<double>(rate);
    sound.samples[i] = static_cast<float>(0.5 * std::sin(2 * std::numbers::pi * hertz * time));
  }
  return sound;
}

TEST(LogMel, FramesAreLibrosas) {
  for (const auto& stored : testing::stored_json("media/data/log_mel.json")) {
    const double rate = stored["rate"];
    const LogMelOptions options{.rate = stored["rate"],
                                .window_ms = 1000 * stored["window"].get<double>() / rate,
                                .hop_ms = 1000 * stored["hop"].get<double>() / rate,
                                .mels = stored["mels"],
                                .low = stored["low"],
                                .high = stored["high"].get<double>()};
    ASSERT_EQ(options.transform_size(), stored["size"]);
    Audio sound{.rate = options.rate, .samples = {}};
    for (const int sample : stored["samples"]) sound.samples.push_back(static_cast<float>(sample) / 32768);
    const std::vector<float> frames = log_mel(sound, options);
    ASSERT_EQ(static_cast<int64_t>(frames.size()), static_cast<int64_t>(stored["frames"].size()) * options.mels);
    for (size_t i = 0; i < frames.size(); ++i) {
      const auto mels = static_cast<size_t>(options.mels);
      ASSERT_NEAR(frames[i], stored["frames"][i / mels][i % mels].get<double>(), 3e-6) << stored["name"] << " " << i;
    }
  }
}

TEST(LogMel, ASineIsLoudestInTheFilterThatHasItInTheMiddle) {
  const LogMelOptions options{.mels = 40};
  const double step = mel_of(8000) / 41;
  for (const int64_t filter : {3, 10, 20, 30, 38}) {
    const std::vector<float> frames = log_mel(sine(16000, hertz_of(step * static_cast<double>(filter + 1))), options);
    const int64_t count = static_cast<int64_t>(frames.size()) / 40;
    EXPECT_EQ(count, 51);
    for (int64_t t = 3; t < count - 3; ++t) {
      const auto* begin = frames.data() + t * 40;
      EXPECT_EQ(std::max_element(begin, begin + 40) - begin, filter) << t;
    }
  }
}

TEST(LogMel, TwiceTheAmplitudeIsFourTimesThePower) {
  Audio sound = sine(16000, 1000);
  const std::vector<float> before = log_mel(sound, {});
  for (float& sample : sound.samples) sample *= 2;
  const std::vector<float> after = log_mel(sound, {});
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] < -20) continue;
    ASSERT_NEAR(after[i] - before[i], std::log(4.0), 1e-4);
  }
}

TEST(LogMel, SilenceIsTheFloor) {
  for (const float value : log_mel({.rate = 16000, .samples = std::vector<float>(1000)}, {})) {
    EXPECT_FLOAT_EQ(value, static_cast<float>(std::log(1e-10)));
  }
}

TEST(LogMel, ASoundOfAnotherRateHasTheFramesOfTheSameSound) {
  const LogMelOptions options{.mels = 40};
  const std::vector<float> expected = log_mel(sine(16000, 440), options);
  const std::vector<float> frames = log_mel(sine(44100, 440), options);
  ASSERT_EQ(frames.size(), expected.size());
  for (size_t i = 40 * 3; i < expected.size() - 40 * 3; ++i) {
    if (expected[i] < -10) continue;
    EXPECT_NEAR(frames[i], expected[i], 1e-2) << i;
  }
}

TEST(LogMel, TheLengthOfASoundDecidesTheFrames) {
  for (const auto& [samples, frames] : {std::pair{0, 1}, {1, 1}, {159, 1}, {160, 2}, {16000, 101}, {160000, 1001}}) {
    EXPECT_EQ(frame_count(samples, {}), frames);
    const Audio sound{.rate = 16000, .samples = std::vector<float>(static_cast<size_t>(samples), 0.1F)};
    EXPECT_EQ(log_mel(sound, {}).size(), static_cast<size_t>(frames) * 80);
  }
}

/// Frames in the middle of a long sound are those of the sound that begins shortly before them.
TEST(LogMel, ALongSoundIsOne) {
  Audio whole{.rate = 16000, .samples = std::vector<float>(16000 * 6)};
  for (size_t i = 0; i < whole.samples.size(); ++i)
    whole.samples[i] = static_cast<float>(std::sin(1e-4 * double(i * i)));
  const std::vector<float> frames = log_mel(whole, {});
  const Audio later{.rate = 16000, .samples = {whole.samples.begin() + 16000 * 3, whole.samples.end()}};
  const std::vector<float> expected = log_mel(later, {});
  for (size_t i = 80 * 5; i < expected.size(); ++i) ASSERT_NEAR(frames[80 * 300 + i], expected[i], 1e-3) << i;
}

TEST(LogMel, WindowsAndHopsAreRoundedToSamples) {
  const LogMelOptions options{.rate = 22050, .window_ms = 25, .hop_ms = 10.05};
  EXPECT_EQ(options.window(), 551);  // 551.25
  EXPECT_EQ(options.hop(), 222);     // 221.6
}

TEST(LogMel, EveryThreadGetsTheSameBits) {
  const LogMel frames_of({});
  const Audio sound = sine(22050, 700, 3);
  const std::vector<float> expected = frames_of(sound);
  parallel_chunks(4, 8, 1, [&](int64_t, int64_t, int64_t) { EXPECT_EQ(frames_of(sound), expected); });
}

TEST(LogMel, OptionsMustFitEachOther) {
  const auto complaint = [](const LogMelOptions& options) {
    return testing::message_of<ConfigError>([&] { LogMel{options}; });
  };
  EXPECT_EQ(complaint({.rate = 8000, .high = 5000}), "`high` must be at most half the rate, 4000 Hz, found 5000");
  EXPECT_EQ(complaint({.low = 3000, .high = 2000}), "`low` must be below `high`, 2000 Hz, found 3000");
  EXPECT_EQ(complaint({.low = 2000, .high = 2000}), "`low` must be below `high`, 2000 Hz, found 2000");
  EXPECT_EQ(complaint({.mels = 300}),
            "`mels` must be fewer than 300 for a window of 400 samples: filter 1 has no frequency");
  EXPECT_EQ(complaint({}), "nothing was thrown");
}

TEST(MelFilters, TheScaleGoesThereAndBack) {
  EXPECT_DOUBLE_EQ(mel_of(1000), 15);
  EXPECT_DOUBLE_EQ(mel_of(6400), 42);
  for (const double hertz : {0.0, 20.0, 999.0, 1000.0, 1001.0, 8000.0}) {
    EXPECT_NEAR(hertz_of(mel_of(hertz)), hertz, 1e-9 * (1 + hertz));
  }
}

}  // namespace
}  // namespace heed::media
