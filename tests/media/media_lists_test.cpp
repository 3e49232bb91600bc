#include "heed/media/image_list.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/vector_file.h"
#include "heed/media/audio.h"
#include "heed_torch/media/log_mel.h"
#include "media/sounds.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::media {
namespace {

class MediaLists : public ::testing::Test {
 protected:
  MediaLists() {
    std::filesystem::create_directory(directory_.file("media"));
    for (int64_t i = 0; i < 20; ++i) {
      Image picture{.height = 1 + i % 3, .width = 2 + i % 5, .channels = 3, .pixels = {}};
      const int64_t numbers = picture.height * picture.width * 3;
      for (int64_t n = 0; n < numbers; ++n) picture.pixels.push_back(static_cast<uint8_t>(13 * i + 7 * n));
      write_picture(file("media/" + std::to_string(i) + ".png"), picture);
      std::vector<int16_t> samples;
      for (int64_t n = 0; n < 500 + 200 * i; ++n) samples.push_back(static_cast<int16_t>(n * (i + 3) % 5000));
      write_file(file("media/" + std::to_string(i) + ".wav"), testing::wav_bytes(16000, 1, samples));
    }
  }

  std::string file(const std::string& name) const { return directory_.file(name); }
  /// The list of the 20 files with this ending.
  static std::string list_of(const std::string& ending) {
    std::string list;
    for (int i = 0; i < 20; ++i) list += "media/" + std::to_string(i) + ending + "\n";
    return list;
  }
  /// What is wrong with a list of this text, without its name.
  std::string complaint(const std::string& text) {
    write_file(file("list"), text);
    const std::string message = testing::message_of<InputError>([&] { convert_images(file("list"), vectors_, {}, 3); });
    EXPECT_FALSE(std::filesystem::exists(vectors_));
    EXPECT_TRUE(message.starts_with(file("list") + ":")) << message;
    return message.substr(std::min(message.size(), file("list").size() + 1));
  }

  testing::TemporaryDirectory directory_;
  std::string vectors_ = directory_.file("out.safetensors");
};

TEST_F(MediaLists, PicturesBecomeGridsOfPixels) {
  write_file(file("list"), list_of(".png"));
  for (const auto& [color, name] : option_names(ImageColor{})) {
    convert_images(file("list"), vectors_, {.color = color}, 3);
    const VectorFile written(vectors_);
    ASSERT_EQ(written.size(), 20);
    EXPECT_TRUE(written.is_grid());
    EXPECT_EQ(written.width(), color == ImageColor::Gray ? 1 : 3);
    for (int64_t i = 0; i < 20; ++i) {
      const Image picture = read_image(file("media/" + std::to_string(i) + ".png"), color);
      EXPECT_EQ(written.shape(i), (GridShape{.rows = picture.height, .columns = picture.width}));
      std::vector<float> values(picture.pixels.size());
      written.read(i, values);
      for (size_t n = 0; n < values.size(); ++n) EXPECT_EQ(values[n], static_cast<float>(picture.pixels[n]) / 255);
    }
  }
}

TEST_F(MediaLists, SoundsBecomeSequencesOfFrames) {
  write_file(file("list"), list_of(".wav"));
  const LogMelOptions options{.mels = 40};
  convert_sounds(file("list"), vectors_, options, 3);
  const VectorFile written(vectors_);
  ASSERT_EQ(written.size(), 20);
  EXPECT_FALSE(written.is_grid());
  EXPECT_EQ(written.width(), 40);
  for (int64_t i = 0; i < 20; ++i) {
    const std::vector<float> expected = log_mel(read_audio(file("media/" + std::to_string(i) + ".wav")), options);
    std::vector<float> values(static_cast<size_t>(written.shape(i).vectors() * 40));
    written.read(i, values);
    EXPECT_EQ(values, expected);
  }
}

TEST_F(MediaLists, TheFileIsTheSameWithAnyNumberOfThreads) {
  write_file(file("pictures"), list_of(".png"));
  write_file(file("sounds"), list_of(".wav"));
  const auto pictures = [&](int64_t threads) {
    convert_images(file("pictures"), vectors_, {}, threads);
    return read_file(vectors_);
  };
  const auto sounds = [&](int64_t threads) {
    convert_sounds(file("sounds"), vectors_, {}, threads);
    return read_file(vectors_);
  };
  const std::string expected_pictures = pictures(1), expected_sounds = sounds(1);
  for (const int64_t threads : {2, 5, 40}) {
    EXPECT_EQ(pictures(threads), expected_pictures) << threads;
    EXPECT_EQ(sounds(threads), expected_sounds) << threads;
  }
}

TEST_F(MediaLists, PathsAreTakenAsTheyAre) {
  std::filesystem::copy(file("media/4.png"), file("-"));
  std::filesystem::copy(file("media/5.png"), file(" a b \xFF.png"));
  write_file(file("list"), "-\n \x61 b \xFF.png\r\n" + file("media/6.png"));
  convert_images(file("list"), vectors_, {});
  const VectorFile written(vectors_);
  EXPECT_EQ(written.size(), 3);
  EXPECT_EQ(written.shape(0), (GridShape{.rows = 2, .columns = 6}));
  EXPECT_EQ(written.shape(1), (GridShape{.rows = 3, .columns = 2}));
  EXPECT_EQ(written.shape(2), (GridShape{.rows = 1, .columns = 3}));
}

TEST_F(MediaLists, TheFirstBadLineIsNamed) {
  write_file(file("broken.png"), read_file(file("media/3.png")).substr(0, 60));
  const std::string good = list_of(".png");
  EXPECT_EQ(complaint(""), " is empty, expected the path of an image on each line");
  EXPECT_EQ(complaint("media/1.png\n\nmedia/2.png\n"), "2: is empty, expected the path of an image");
  EXPECT_EQ(complaint(good + "none.png\nbroken.png\n"),
            "21: " + file("none.png") + ": cannot open: No such file or directory");
  EXPECT_EQ(complaint("media/1.png\nmedia/2.wav\nnone.png\n"), "2: " + file("media/2.wav") + ": is not a PNG file");
  EXPECT_EQ(complaint("broken.png\n" + good), "1: " + file("broken.png") + ": is truncated");
  EXPECT_EQ(complaint("media\n"), "1: " + file("media") + ": cannot read: Is a directory");
}

TEST_F(MediaLists, SoundsAndOptionsHaveTheirErrorsToo) {
  write_file(file("list"), "media/1.wav\nmedia/1.png\n");
  EXPECT_EQ(testing::message_of<InputError>([&] { convert_sounds(file("list"), vectors_, {}); }),
            file("list") + ":2: " + file("media/1.png") + ": is not a readable audio file: Format not recognised.");
  EXPECT_EQ(testing::message_of<ConfigError>([&] { convert_sounds(file("list"), vectors_, {.high = 9000}); }),
            "`high` must be at most half the rate, 8000 Hz, found 9000");
  EXPECT_EQ(testing::message_of<FileError>([&] { convert_sounds(file("none"), vectors_, {}); }),
            file("none") + ": cannot open: No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(vectors_));
}

}  // namespace
}  // namespace heed::media
