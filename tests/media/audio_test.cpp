#include "heed/media/audio.h"

#include <gtest/gtest.h>

#include <sndfile.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "media/sounds.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::media {
namespace {

using testing::wav_bytes;

class Sounds : public ::testing::Test {
 protected:
  Audio read(const std::string& bytes) {
    write_file(path_, bytes);
    return read_audio(path_);
  }
  /// What is wrong with a file of these bytes, without the path.
  std::string complaint(const std::string& bytes) {
    const std::string message = testing::message_of<InputError>([&] { read(bytes); });
    EXPECT_TRUE(message.starts_with(path_ + ": ")) << message;
    return message.substr(std::min(message.size(), path_.size() + 2));
  }
  /// A file that libsndfile writes in another format.
  std::string encoded(int format, int channels, const std::vector<float>& frames) {
    SF_INFO info{.frames = 0, .samplerate = 8000, .channels = channels, .format = format, .sections = 0, .seekable = 0};
    SNDFILE* file = sf_open(path_.c_str(), SFM_WRITE, &info);
    sf_writef_float(file, frames.data(), static_cast<sf_count_t>(frames.size()) / channels);
    sf_close(file);
    return read_file(path_);
  }

  testing::TemporaryDirectory directory_;
  std::string path_ = directory_.file("a.wav");
};

TEST_F(Sounds, SamplesAreFromMinusOneToOne) {
  const Audio sound = read(wav_bytes(16000, 1, {0, 16384, -32768, 32767}));
  EXPECT_EQ(sound.rate, 16000);
  EXPECT_EQ(sound.samples, (std::vector<float>{0, 0.5, -1, 32767.0F / 32768}));
}

TEST_F(Sounds, SeveralChannelsBecomeTheirMean) {
  EXPECT_EQ(read(wav_bytes(8000, 2, {0, 16384, -32768, 32767})).samples,
            (std::vector<float>{0.25, static_cast<float>(-1.0 / 65536)}));
  EXPECT_EQ(read(wav_bytes(8000, 3, {-8192, 8192, 8192})).samples.size(), 1U);
}

TEST_F(Sounds, OtherFormatsAreKnownByTheirContent) {
  std::vector<float> wave(20000);
  for (size_t i = 0; i < wave.size(); ++i) wave[i] = static_cast<float>(0.5 * std::sin(0.05 * static_cast<double>(i)));
  for (const int format : {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_AIFF | SF_FORMAT_PCM_24,
                           SF_FORMAT_WAV | SF_FORMAT_FLOAT, SF_FORMAT_OGG | SF_FORMAT_VORBIS}) {
    const Audio sound = read(encoded(format, 1, wave));
    EXPECT_EQ(sound.rate, 8000);
    ASSERT_EQ(sound.samples.size(), wave.size());
    for (size_t i = 0; i < wave.size(); ++i) ASSERT_NEAR(sound.samples[i], wave[i], 0.05) << format << " " << i;
  }
}

TEST_F(Sounds, WhatIsNoSoundIsToldAsSuch) {
  EXPECT_EQ(complaint("no sound at all, but text"), "is not a readable audio file: Format not recognised.");
  EXPECT_TRUE(complaint("").starts_with("is not a readable audio file: "));
  EXPECT_EQ(testing::message_of<FileError>([&] { read_audio(directory_.file("none")); }),
            directory_.file("none") + ": cannot open: No such file or directory");
  EXPECT_EQ(testing::message_of<FileError>([&] { read_audio(directory_.path()); }),
            directory_.path() + ": cannot read: Is a directory");
  EXPECT_EQ(complaint(wav_bytes(8000, 1, {})), "is empty, expected samples");
}

TEST_F(Sounds, AFileThatIsCutOffIsAnError) {
  const std::string whole = wav_bytes(8000, 1, std::vector<int16_t>(100, 7));
  EXPECT_EQ(complaint(whole.substr(0, 100)), "is truncated: expected 244 bytes, found 100");
  EXPECT_EQ(read(whole + "xyz").samples.size(), 100U);
  std::vector<float> noise(50000);
  for (size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<float>(std::sin(static_cast<double>(i * i)));
  const std::string packed = encoded(SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 1, noise);
  const std::string message = complaint(packed.substr(0, packed.size() / 2));
  EXPECT_TRUE(message.starts_with("is truncated or damaged: expected 50000 samples, found ") ||
              message.starts_with("is damaged: "))
      << message;
}

std::vector<float> noise(size_t count) {
  std::vector<float> numbers(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(0.5 * std::sin(static_cast<double>(i * i)));
  return numbers;
}

std::string with_bytes(std::string bytes, size_t at, std::string_view other) {
  return bytes.replace(at, other.size(), other);
}

TEST_F(Sounds, AFileThatIsCutOffIsAnErrorWhateverItsFormat) {
  for (const int format : std::vector<int>{SF_FORMAT_AIFF, SF_FORMAT_AU, SF_FORMAT_WAV | SF_ENDIAN_BIG, SF_FORMAT_RF64,
                                           SF_FORMAT_W64, SF_FORMAT_CAF, SF_FORMAT_NIST}) {
    for (const int channels : {1, 2}) {
      const std::string whole = encoded(format | SF_FORMAT_PCM_16, channels, noise(1000));
      EXPECT_EQ(std::ssize(read(whole).samples), 1000 / channels);
      for (const size_t missing : {2U, 1000U}) {
        const size_t left = whole.size() - missing;
        EXPECT_EQ(complaint(whole.substr(0, left)),
                  "is truncated: expected " + std::to_string(whole.size()) + " bytes, found " + std::to_string(left));
      }
    }
  }
  const std::string ogg = encoded(SF_FORMAT_OGG | SF_FORMAT_VORBIS, 1, noise(50000));
  EXPECT_EQ(complaint(ogg.substr(0, ogg.size() / 2)), "is truncated: its end is missing");
}

TEST_F(Sounds, OtherFormatsAreRefusedAsTheirLengthIsNotChecked) {
  struct Form {
    int format;
    const char* name;
  };
  for (const auto& [format, name] :
       {Form{SF_FORMAT_VOC | SF_FORMAT_PCM_16, "VOC"}, Form{SF_FORMAT_AVR | SF_FORMAT_PCM_16, "AVR"},
        Form{SF_FORMAT_MAT4 | SF_FORMAT_PCM_16, "MAT4"}, Form{SF_FORMAT_MAT5 | SF_FORMAT_PCM_16, "MAT5"},
        Form{SF_FORMAT_MPC2K | SF_FORMAT_PCM_16, "MPC"}, Form{SF_FORMAT_SDS | SF_FORMAT_PCM_16, "SDS"},
        Form{SF_FORMAT_WVE | SF_FORMAT_ALAW, "WVE"}, Form{SF_FORMAT_XI | SF_FORMAT_DPCM_16, "XI"}}) {
    const std::string message = complaint(encoded(format, 1, noise(1000)));
    EXPECT_TRUE(message.starts_with("is " + std::string(name))) << message;
    EXPECT_TRUE(
        message.ends_with(", which is not read: the formats are WAV (also RF64 and Wave64), FLAC, Ogg, MP3, AIFF, "
                          "8SVX, AU, CAF, NIST SPHERE, HTK, IRCAM, PAF and PVF"))
        << message;
  }
}

TEST_F(Sounds, EveryFormatThatLibsndfileWritesIsWholeCutOffOrRefused) {
  int forms = 0;
  sf_command(nullptr, SFC_GET_FORMAT_MAJOR_COUNT, &forms, sizeof forms);
  int read_forms = 0;
  for (int i = 0; i < forms; ++i) {
    SF_FORMAT_INFO form{.format = i, .name = nullptr, .extension = nullptr};
    sf_command(nullptr, SFC_GET_FORMAT_MAJOR, &form, sizeof form);
    if (form.format == SF_FORMAT_RAW || form.format == SF_FORMAT_SD2) continue;  // no header; two files
    for (const int samples : {SF_FORMAT_PCM_16, SF_FORMAT_ALAW, SF_FORMAT_DPCM_16, SF_FORMAT_VORBIS}) {
      SF_INFO info{.frames = 0,
                   .samplerate = 8000,
                   .channels = 1,
                   .format = form.format | samples,
                   .sections = 0,
                   .seekable = 0};
      if (sf_format_check(&info) == 0) continue;
      const std::string whole = encoded(info.format, 1, noise(50000));
      try {
        const size_t count = read(whole).samples.size();
        ++read_forms;
        EXPECT_GE(count, 50000U) << form.name;
        const size_t half = read(whole.substr(0, whole.size() / 2)).samples.size();
        // The header holds no length: all that is there is read.
        const bool has_no_length =
            form.format == SF_FORMAT_IRCAM || form.format == SF_FORMAT_PAF || form.format == SF_FORMAT_PVF;
        EXPECT_TRUE(has_no_length && half < count) << form.name;
      } catch (const InputError&) {
        continue;
      }
    }
  }
  EXPECT_GE(read_forms, 12);
}

using namespace std::literals;
constexpr std::string_view kNothing = "\0\0\0\0"sv, kMost = "\xFF\xFF\xFF\xFF"sv, kHuge = "\x00\xF0\xFF\x7F"sv;

TEST_F(Sounds, AProgramThatWroteIntoAPipeKnewNoLength) {
  const std::string wav = wav_bytes(8000, 1, {1, 2, 3});
  for (const auto& [size, data] : {std::pair{kMost, kMost}, std::pair{kHuge, kHuge}, std::pair{kNothing, kNothing},
                                   std::pair{kMost, kNothing}, std::pair{"\x24\0\0\0"sv, kNothing}}) {
    EXPECT_EQ(read(with_bytes(with_bytes(wav, 4, size), 40, data)).samples, read(wav).samples);
  }
  const std::string au = encoded(SF_FORMAT_AU | SF_FORMAT_PCM_16, 2, noise(1000));
  const std::vector<float> expected = read(au).samples;
  for (const std::string_view size : {kMost, kNothing}) EXPECT_EQ(read(with_bytes(au, 8, size)).samples, expected);
}

TEST_F(Sounds, ALengthOfEightBytesMayBeUnknownToo) {
  const std::string nothing(8, '\0'), most(8, '\xFF');
  const std::string rf64 = encoded(SF_FORMAT_RF64 | SF_FORMAT_PCM_16, 1, noise(1000));
  const std::vector<float> expected = read(rf64).samples;
  for (const std::string& size : {nothing, most}) {  // of RIFF and of "data", in the chunk "ds64"
    EXPECT_EQ(read(with_bytes(rf64, 20, size + size)).samples, expected);
  }
  EXPECT_EQ(read(with_bytes(rf64, 28, most)).samples, expected);
  EXPECT_EQ(complaint(with_bytes(rf64, 28, nothing)), "is empty, expected samples");
  const std::string wave64 = encoded(SF_FORMAT_W64 | SF_FORMAT_PCM_16, 1, noise(1000));
  const size_t chunk = wave64.find("data") + 16;
  for (const std::string& size : {nothing, most}) {
    EXPECT_EQ(read(with_bytes(with_bytes(wave64, 16, size), chunk, size)).samples, expected);
  }
  const std::string caf = encoded(SF_FORMAT_CAF | SF_FORMAT_PCM_16, 1, noise(1000));
  EXPECT_EQ(read(with_bytes(caf, caf.find("data") + 4, most)).samples, expected);
}

TEST_F(Sounds, AFileWithoutSamplesIsNotOneOfUnknownLength) {
  EXPECT_EQ(complaint(encoded(SF_FORMAT_RF64 | SF_FORMAT_PCM_16, 1, {})), "is empty, expected samples");
  const std::string empty = wav_bytes(8000, 1, {}), chunk = "LIST\4\0\0\0INFO"s;
  EXPECT_EQ(complaint(with_bytes(empty + chunk, 4, "\x30\0\0\0"sv)), "is empty, expected samples");
  EXPECT_EQ(complaint(with_bytes(empty, 4, kNothing)), "is empty, expected samples");
  EXPECT_EQ(complaint(encoded(SF_FORMAT_AU | SF_FORMAT_PCM_16, 1, {})), "is empty, expected samples");
}

/// FLAC as an encoder writes it into a pipe: without the number of samples and their checksum in STREAMINFO, the block
/// behind "fLaC" and its own header of four bytes.
std::string without_length(std::string flac) {
  constexpr size_t kBlock = 8;
  flac[kBlock + 13] = static_cast<char>(flac[kBlock + 13] & 0xF0);  // 36 bits are the samples
  std::fill_n(flac.begin() + kBlock + 14, 4 + 16, '\0');            // and 128 the checksum
  return flac;
}

TEST_F(Sounds, FlacOfUnknownLengthIsReadToItsEnd) {
  for (const int channels : {1, 2}) {
    const std::string flac = encoded(SF_FORMAT_FLAC | SF_FORMAT_PCM_16, channels, noise(50000));
    EXPECT_EQ(read(without_length(flac)).samples, read(flac).samples);
  }
}

TEST_F(Sounds, FlacOfUnknownLengthThatIsDamagedIsAnError) {
  const std::string flac = without_length(encoded(SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 1, noise(50000)));
  const auto is_told = [&](const std::string& bytes) {
    return complaint(bytes).starts_with("is truncated or damaged: ");
  };
  for (const size_t tenth : {1U, 3U, 5U, 7U, 9U}) {
    const size_t at = flac.size() * tenth / 10;
    EXPECT_TRUE(is_told(flac.substr(0, at))) << tenth;
    EXPECT_TRUE(is_told(with_bytes(flac, at, "damaged"))) << tenth;
  }
  EXPECT_TRUE(is_told(flac.substr(0, flac.size() - 1)));
}

TEST_F(Sounds, SamplesMustBeFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(complaint(encoded(SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1, {0, 1, nan})),
            "expected finite samples, found nan as number 3");
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(complaint(encoded(SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1, {0, -infinity, 1})),
            "expected finite samples, found -inf as number 2");
}

/// One second of a sine of this frequency.
Audio sine(int64_t rate, double frequency) {
  Audio sound{.rate = rate, .samples = std::vector<float>(static_cast<size_t>(rate))};
  for (size_t i = 0; i < sound.samples.size(); ++i) {
    sound.samples[i] = static_cast<float>(
        0.5 * std::sin(2 * std::numbers::pi * frequency * static_cast<double>(i) / static_cast<double>(rate)));
  }
  return sound;
}

TEST(Resampling, ASineStaysThatSine) {
  for (const int64_t from : {8000, 16000, 22050, 44100, 48000}) {
    const Audio changed = resampled(sine(from, 440), 16000), expected = sine(16000, 440);
    EXPECT_EQ(changed.rate, 16000);
    ASSERT_EQ(changed.samples.size(), expected.samples.size()) << from;
    for (size_t i = 1000; i < 15000; ++i)
      ASSERT_NEAR(changed.samples[i], expected.samples[i], 1e-4) << from << " " << i;
  }
}

TEST(Resampling, ASampleThatIsNotWholeCounts) {
  const Audio sound{.rate = 48000, .samples = std::vector<float>(1001, 0.5F)};
  EXPECT_EQ(resampled(sound, 16000).samples.size(), 334U);  // 333.7
}

TEST(Resampling, WhatTheLowerRateCannotHoldIsGone) {
  const Audio changed = resampled(sine(48000, 12000), 16000);
  for (size_t i = 1000; i < 15000; ++i) ASSERT_NEAR(changed.samples[i], 0, 1e-4);
}

TEST(Resampling, TheSameRateChangesNothing) {
  const Audio sound = sine(16000, 1000);
  EXPECT_EQ(resampled(sound, 16000).samples, sound.samples);
}

TEST(Resampling, RatesAreNotFarApart) {
  const Audio sound{.rate = 10, .samples = {1, 2}};
  EXPECT_EQ(testing::message_of<InputError>([&] { resampled(sound, 16000); }),
            "expected audio of 63 to 4096000 samples per second for a rate of 16000, found 10");
  EXPECT_THROW(resampled(sound, 0), std::logic_error);
}

}  // namespace
}  // namespace heed::media
