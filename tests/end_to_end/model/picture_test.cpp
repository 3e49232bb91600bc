// Pictures that a list names, from training to prediction.
#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"
#include "heed/media/picture.h"
#include "support/vector_files.h"

namespace heed::end_to_end {
namespace {

constexpr int64_t kSide = 4;

/// Gray pictures, every second one light on its left side: lists of them with what each is (NAME.pictures, NAME.side).
class Pictures : public ::testing::Test {
 protected:
  Pictures() {
    std::string list, classes;
    for (int item = 0; item < 40; ++item) {
      media::Picture picture{.height = kSide, .width = kSide, .channels = 1, .pixels = {}};
      for (int64_t place = 0; place < kSide * kSide; ++place) {
        const bool light = (place % kSide < kSide / 2) == (item % 2 == 0);
        picture.pixels.push_back(static_cast<uint8_t>((light ? 190 : 40) + 40 * std::sin(double(item * 16 + place))));
      }
      const std::string name = std::to_string(item) + ".png";
      media::write_picture(folder.path(name), picture);
      list += name + '\n';
      classes += item % 2 == 0 ? "left\n" : "right\n";
      for (const uint8_t pixel : picture.pixels) values.push_back(static_cast<float>(pixel) / 255);
    }
    folder.file("list", list);
    folder.file("side", classes);
    trained = heed({"train",
                    "--task",
                    "classification",
                    "--source-pictures",
                    folder.path("list"),
                    "--target",
                    folder.path("side"),
                    "--valid-source-pictures",
                    folder.path("list"),
                    "--valid-target",
                    folder.path("side"),
                    "--model",
                    folder.path("model"),
                    "--arch.vectors.type",
                    "convolution",
                    "--arch.d-model",
                    "16",
                    "--arch.encoder.layers",
                    "1",
                    "--arch.encoder.heads",
                    "2",
                    "--arch.encoder.feed-forward.hidden",
                    "32",
                    "--train.max-updates",
                    "30",
                    "--train.schedule.warmup",
                    "5",
                    "--train.schedule.learning-rate",
                    "0.01",
                    "--valid.every",
                    "30",
                    "--threads",
                    "1"});
  }
  Result predict(const Words& options) const {
    return heed(Words{"predict", "--model", folder.path("model"), "--format", "json", "--threads", "1"} + options);
  }
  /// NumPy's file of the same pictures, from 0 to 1.
  std::string array() const {
    return folder.file("pictures.npy", heed::testing::npy_array("<f4", "40, 4, 4, 1", heed::testing::bytes_of(values)));
  }

  Folder folder;
  std::vector<float> values;
  Result trained;
};

TEST_F(Pictures, ArePredictedAsTheyWereTrained) {
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_GT(last_validation(folder, "model")["accuracy"], 90);
  const auto of_list = lines_of(predict({"--source-pictures", folder.path("list")}).output);
  const auto of_array = lines_of(predict({"--source-vectors", array()}).output);
  ASSERT_EQ(of_list.size(), 40U);
  ASSERT_EQ(of_array.size(), 40U);
  int right = 0;
  for (size_t item = 0; item < of_list.size(); ++item) {
    const auto one = nlohmann::json::parse(of_list[item]), other = nlohmann::json::parse(of_array[item]);
    right += one["label"] == (item % 2 == 0 ? "left" : "right") ? 1 : 0;
    EXPECT_NEAR(one["probabilities"]["left"].get<double>(), other["probabilities"]["left"].get<double>(), 1e-6);
  }
  EXPECT_GT(right, 36);
}

TEST_F(Pictures, WhatIsNoneIsNamedWithItsPlaceInTheList) {
  ASSERT_EQ(trained.code, 0) << trained.errors;
  const std::string list = folder.file("missing", "0.png\nnone.png\n");
  const Result missing = predict({"--source-pictures", list});
  EXPECT_EQ(missing.code, 1);
  EXPECT_TRUE(missing.errors.starts_with("heed: " + list + ":2: ")) << missing.errors;
  expect_error(predict({"--source-sounds", folder.path("list")}), 2,
               "`--source-sounds` is not what the model reads: grids of vectors of width 1");
}

}  // namespace
}  // namespace heed::end_to_end
