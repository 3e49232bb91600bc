// Pictures that a list names, from training to prediction.
#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"
#include "heed/media/image.h"
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
      media::Image picture{.height = kSide, .width = kSide, .channels = 1, .pixels = {}};
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
  }
  Result train(const std::string& model, const Words& options = {}, const std::string& steps = "30") const {
    return heed(Words{"train",
                      "--task",
                      "classification",
                      "--source-images",
                      folder.path("list"),
                      "--target",
                      folder.path("side"),
                      "--valid-source-images",
                      folder.path("list"),
                      "--valid-target",
                      folder.path("side"),
                      "--model",
                      folder.path(model),
                      "--arch.d-model",
                      "16",
                      "--arch.encoder.layers",
                      "1",
                      "--arch.encoder.heads",
                      "2",
                      "--arch.encoder.feed-forward.hidden",
                      "32",
                      "--train.max-steps",
                      steps,
                      "--train.schedule.warmup",
                      "5",
                      "--train.schedule.learning-rate",
                      "0.01",
                      "--valid.every",
                      "30",
                      "--threads",
                      "1"} +
                options);
  }
  Result predict(const Words& options) const {
    return heed(Words{"predict", "--model", folder.path("model"), "--format", "json", "--threads", "1"} + options);
  }
  /// NumPy's file of the same pictures, from 0 to 1.
  std::string array() const {
    return folder.file("pictures.npy", heed::testing::npy_array("<f4", "40, 4, 4, 1", heed::testing::bytes_of(values)));
  }

  /// What `--attention FILE` has of the pictures' model, as JSON objects.
  std::vector<nlohmann::json> attention_of(const std::string& model) const {
    const Result made = heed({"predict", "--model", folder.path(model), "--source-images", folder.path("list"),
                              "--threads", "1", "--attention", folder.path("maps.json")});
    EXPECT_EQ(made.code, 0) << made.errors;
    std::vector<nlohmann::json> maps;
    for (const std::string& line : lines_of(folder.read("maps.json"))) maps.push_back(nlohmann::json::parse(line));
    return maps;
  }

  Folder folder;
  std::vector<float> values;
};

TEST_F(Pictures, ArePredictedAsTheyWereTrained) {
  const Result trained = train("model", {"--arch.vectors.type", "convolution"});
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_GT(last_validation(folder, "model")["accuracy"], 90);
  const auto of_list = lines_of(predict({"--source-images", folder.path("list")}).output);
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
  const Result trained = train("model", {"--arch.vectors.type", "convolution"});
  ASSERT_EQ(trained.code, 0) << trained.errors;
  const std::string list = folder.file("missing", "0.png\nnone.png\n");
  const Result missing = predict({"--source-images", list});
  EXPECT_EQ(missing.code, 1);
  EXPECT_TRUE(missing.errors.starts_with("heed: " + list + ":2: ")) << missing.errors;
  expect_error(predict({"--source-audio", folder.path("list")}), 2,
               "`--source-audio` is not what the model reads: grids of vectors of width 1");
}

const Words kCbam{"--arch.vectors.type", "convolution", "--arch.vectors.channel-attention", "cbam"};
const Words kSqueezeExcitation{"--arch.vectors.type",
                               "convolution",
                               "--arch.vectors.channel-attention",
                               "squeeze-excitation",
                               "--arch.vectors.channel-attention-reduction",
                               "8"};

/// Weights of 64 feature maps between 0 and 1, in four digits.
void expect_channels(const nlohmann::json& layer) {
  ASSERT_EQ(layer.size(), 64);
  for (const double weight : layer) EXPECT_TRUE(weight >= 0 && weight <= 1) << weight;
}

TEST_F(Pictures, AreTrainedWithChannelAttentionWhichIsResumedAndShown) {
  const Words options = kCbam + Words{"--train.save-every", "10"};
  const Result trained = train("model", options);
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_GT(last_validation(folder, "model")["accuracy"], 90);
  ASSERT_EQ(train("parted", options, "15").code, 0);
  ASSERT_EQ(train("parted", options).code, 0);
  const std::string last = "/checkpoints/0000030/model.safetensors";
  EXPECT_EQ(folder.read("parted" + last), folder.read("model" + last));

  const auto maps = attention_of("model");
  ASSERT_EQ(maps.size(), 40U);
  for (const auto& map : maps) {
    EXPECT_EQ(map["attention"][0].size(), 1U) << "two layers of stride 2 leave one place of 4 x 4";
    ASSERT_EQ(map["channel_attention"].size(), 2U);
    for (const auto& layer : map["channel_attention"]) expect_channels(layer);
    ASSERT_EQ(map["spatial_attention"].size(), 2U);
    EXPECT_EQ(map["spatial_attention"][0]["attention"].size(), 4U);
    EXPECT_EQ(map["spatial_attention"][0]["step"], 2);
    EXPECT_EQ(map["spatial_attention"][0]["begin"], -0.5);
    EXPECT_EQ(map["spatial_attention"][1]["rows"], 1);
    EXPECT_EQ(map["spatial_attention"][1]["step"], 4);
  }
  EXPECT_NE(maps[0]["channel_attention"], maps[1]["channel_attention"]) << "they follow from the picture";
  for (const char* file : {"maps.svg", "maps.html"}) {
    ASSERT_EQ(predict({"--source-images", folder.path("list"), "--attention", folder.path(file)}).code, 0);
    const std::string shown = folder.read(file);
    EXPECT_NE(shown.find("<title>feature map 64 – layer 2: "), std::string::npos) << file;
    EXPECT_NE(shown.find(">layer 1 places "), std::string::npos) << file;
  }
}

TEST_F(Pictures, ChannelAttentionIsShownWhateverPoolsThePlaces) {
  ASSERT_EQ(train("mean", kSqueezeExcitation + Words{"--arch.head.pooling", "mean"}).code, 0);
  const auto maps = attention_of("mean");
  ASSERT_EQ(maps.size(), 40U);
  EXPECT_TRUE(maps[0]["attention"].empty());
  EXPECT_EQ(maps[0]["channel_attention"].size(), 2U);
  expect_channels(maps[0]["channel_attention"][1]);
  EXPECT_FALSE(maps[0].contains("spatial_attention"));
}

TEST_F(Pictures, ChannelAttentionIsShownBesideWhereADecoderLooked) {
  const Words items{"--source-images", folder.path("list"), "--target", folder.path("side"), "--threads", "1"};
  const Words model{"--model", folder.path("names")};
  const Result trained =
      heed(Words{"train", "--preset", "rnn-bahdanau", "--text.type", "words", "--arch.d-model", "16",
                 "--arch.encoder.type", "identity", "--arch.decoder.hidden", "16", "--train.max-steps", "2"} +
           items + model + kSqueezeExcitation);
  ASSERT_EQ(trained.code, 0) << trained.errors;
  const std::string aligned = folder.path("aligned.json"), translated = folder.path("translated.json");
  ASSERT_EQ(heed(Words{"align", "--output", aligned} + items + model).code, 0);
  const Result written = heed(
      Words{"translate", "--source-images", folder.path("list"), "--alignment", translated, "--threads", "1"} + model);
  ASSERT_EQ(written.code, 0) << written.errors;
  const auto first = [&](const std::string& file) { return nlohmann::json::parse(lines_of(folder.read(file))[0]); };
  expect_channels(first("aligned.json")["channel_attention"][1]);
  EXPECT_EQ(first("translated.json")["channel_attention"], first("aligned.json")["channel_attention"]);
}

TEST_F(Pictures, ChannelAttentionIsOfConvolutionsAlone) {
  for (const std::string type : {"projection", "patches"}) {
    expect_error(
        train("model", {"--arch.vectors.type", type, "--arch.vectors.channel-attention", "cbam"}), 2,
        "`--arch.vectors.channel-attention` applies only when `arch.vectors.type` is `convolution`, but it is `" +
            type + "`");
  }
  expect_error(
      train("model", {"--arch.vectors.type", "convolution", "--arch.vectors.channel-attention-reduction", "4"}), 2,
      "`--arch.vectors.channel-attention-reduction` applies only when `arch.vectors.channel-attention` is "
      "`squeeze-excitation` or `cbam`, but it is `none`");
  expect_error(train("model", kCbam + Words{"--arch.vectors.channels", "24"}), 2,
               "`arch.vectors.channel-attention-reduction` must divide arch.vectors.channels (24), found 16");
}

}  // namespace
}  // namespace heed::end_to_end
