#include "heed/media/image.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/random.h"
#include "heed/media/png_file.h"
#include "support/message_of.h"
#include "support/stored_json.h"
#include "support/temporary_directory.h"

namespace heed::media {
namespace {

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

class Pictures : public ::testing::Test {
 protected:
  Image read(const std::string& bytes, ImageColor color) {
    write_file(path_, bytes);
    return read_image(path_, color);
  }
  /// What is wrong with a file of these bytes, without the path.
  std::string complaint(const std::string& bytes) {
    const std::string message = testing::message_of<InputError>([&] { read(bytes, ImageColor::Rgb); });
    EXPECT_TRUE(message.starts_with(path_ + ": ")) << message;
    return message.substr(std::min(message.size(), path_.size() + 2));
  }
  std::string written(const Image& picture) {
    write_picture(path_, picture);
    return read_file(path_);
  }

  testing::TemporaryDirectory directory_;
  std::string path_ = directory_.file("a.png");
};

Image drawn(RandomStream& random, int64_t channels) {
  Image picture{.height = 1 + static_cast<int64_t>(random.below(20)),
                .width = 1 + static_cast<int64_t>(random.below(20)),
                .channels = channels,
                .pixels = {}};
  picture.pixels.resize(static_cast<size_t>(picture.height * picture.width * channels));
  for (uint8_t& pixel : picture.pixels) pixel = static_cast<uint8_t>(random.below(256));
  return picture;
}

TEST_F(Pictures, EveryKindOfFileIsReadAsTheReferenceHasIt) {
  const auto cases = testing::stored_json("media/data/pictures.json");
  EXPECT_EQ(cases.size(), 41U);
  for (const auto& one : cases) {
    const std::string bytes = from_hex(one["png"]);
    for (const auto& [color, name] : option_names(ImageColor{})) {
      const Image picture = read(bytes, color);
      EXPECT_EQ(picture.height, one["height"]);
      EXPECT_EQ(picture.width, one["width"]);
      EXPECT_EQ(picture.channels, color == ImageColor::Gray ? 1 : 3);
      EXPECT_EQ(std::string(picture.pixels.begin(), picture.pixels.end()), from_hex(one[name]))
          << one["name"] << " as " << name;
    }
  }
}

TEST_F(Pictures, DrawnOnesComeBackAsTheyWere) {
  RandomStream random(1, Purpose::Test);
  for (int trial = 0; trial < 50; ++trial) {
    for (const auto& [color, channels] : {std::pair{ImageColor::Gray, 1}, std::pair{ImageColor::Rgb, 3}}) {
      const Image picture = drawn(random, channels);
      EXPECT_EQ(read(written(picture), color), picture);
    }
  }
}

TEST_F(Pictures, AGrayOneHasThreeEqualColorsAndTheOtherWayRound) {
  const Image gray{.height = 1, .width = 2, .channels = 1, .pixels = {7, 200}};
  const Image rgb{.height = 1, .width = 2, .channels = 3, .pixels = {7, 7, 7, 200, 200, 200}};
  EXPECT_EQ(read(written(gray), ImageColor::Rgb), rgb);
  EXPECT_EQ(read(written(rgb), ImageColor::Gray), gray);
}

TEST_F(Pictures, WhatIsNoPngFileIsToldAsSuch) {
  EXPECT_EQ(complaint(""), "is empty, expected a PNG file");
  EXPECT_EQ(complaint("\xFF\xD8\xFF\xE0 JFIF"), "is not a PNG file");
  EXPECT_EQ(complaint("P6 1 1 255 abc"), "is not a PNG file");
  EXPECT_EQ(testing::message_of<FileError>([&] { read_image(directory_.file("none"), ImageColor::Gray); }),
            directory_.file("none") + ": cannot open: No such file or directory");
}

/// What is wrong with these bytes; "nothing was thrown" where they are the picture.
std::string complaint_unless(const std::vector<uint8_t>& pixels, const std::string& bytes) {
  return testing::message_of<InputError>(
      [&] { EXPECT_EQ(read_png(std::as_bytes(std::span(bytes)), "a.png").pixels, pixels); });
}

TEST_F(Pictures, WhereverAFileIsCutOffItIsAnError) {
  RandomStream random(2, Purpose::Test);
  const Image picture = drawn(random, 3);
  const std::string whole = written(picture);
  for (size_t size = 1; size < whole.size(); ++size) {
    const std::string message = complaint_unless({}, whole.substr(0, size));
    EXPECT_TRUE(message.starts_with("a.png: is truncated") || message.starts_with("a.png: is a damaged PNG file: "))
        << message;
  }
  EXPECT_EQ(complaint(whole.substr(0, whole.size() - 5)), "is truncated");
}

TEST_F(Pictures, DamageIsFoundByItsChecksumOrDoesNoHarm) {
  RandomStream random(3, Purpose::Test);
  const Image picture = drawn(random, 1);
  const std::string whole = written(picture);
  int64_t harmless = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    harmless += complaint_unless(picture.pixels, damaged) == "nothing was thrown" ? 1 : 0;
  }
  EXPECT_LT(harmless, 30);  // in chunks that are not looked at
  std::string header = whole;
  header[18] = 1;
  EXPECT_EQ(complaint(header), "is a damaged PNG file: IHDR: CRC error");
}

TEST_F(Pictures, ASmallFileCannotClaimAHugePicture) {
  // 1,000,000 x 1,000,000 pixels; the checksum is right
  const std::string header = from_hex("89504e470d0a1a0a0000000d49484452000f4240000f42400802000000d30faf2a");
  const std::string data = from_hex(
      "0000000049444154"
      "35af061e");
  EXPECT_EQ(complaint(header + data), "is truncated or damaged: 45 bytes cannot hold 1000000 rows of 1000000 pixels");
}

TEST_F(Pictures, MisuseIsToldToTheProgrammer) {
  EXPECT_THROW(write_picture(path_, {.height = 1, .width = 1, .channels = 2, .pixels = {1, 2}}), std::logic_error);
  EXPECT_THROW(write_picture(path_, {.height = 1, .width = 2, .channels = 1, .pixels = {1}}), std::logic_error);
  EXPECT_THROW(write_picture(path_, {}), std::logic_error);
}

}  // namespace
}  // namespace heed::media
