#include "heed/reranking/feature.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::reranking {
namespace {

using Texts = std::vector<std::string>;

TEST(RelativeLengths, CountCharactersAgainstTheMean) {
  EXPECT_EQ(relative_lengths(Texts{"äö", "abcd", "猫猫猫"}), (std::vector{2 / 3.0, 4 / 3.0, 1.0}));
  EXPECT_EQ(relative_lengths(Texts{"", ""}), (std::vector{1.0, 1.0}));
}

TEST(FromRightToLeft, TurnsWords) {
  EXPECT_EQ(from_right_to_left("eine  graue\tKatze ."), ". Katze graue eine");
  EXPECT_EQ(from_right_to_left(""), "");
}

class FeatureFile : public ::testing::Test {
 protected:
  testing::TemporaryDirectory folder;
  std::string path = folder.file("weights.json");
  std::string refusal(const std::string& text) {
    write_file(path, text);
    return testing::message_of<InputError>([&] { read_features(path); });
  }
};

TEST_F(FeatureFile, IsReadAsItWasWritten) {
  const std::vector<Feature> features{{.kind = FeatureKind::List, .weight = 0.1},
                                      {.kind = FeatureKind::Reverse, .model = "models/\"de\"-en", .weight = -1e-17}};
  write_file(path, format_features(features));
  EXPECT_EQ(read_features(path), features);
}

TEST_F(FeatureFile, OfAnotherFormIsRefused) {
  const std::string deep = "{\"features\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  for (const std::string& text :
       std::vector<std::string>{"", "[]", "{\"features\": []}", R"({"features": [{"kind": "list"}]})", "list 0.5"}) {
    EXPECT_NE(refusal(text).find("expected weights as"), std::string::npos) << text;
  }
  EXPECT_TRUE(refusal(deep).ends_with(": is nested deeper than 64 levels")) << refusal(deep);
  EXPECT_NE(refusal(R"({"features": [{"kind": "lists", "weight": 1}]})").find("must be list, length, forward"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"features": [{"kind": "reverse", "weight": 1}]})").find("must name its \"model\""),
            std::string::npos);
  EXPECT_NE(refusal(R"({"features": [{"kind": "list", "model": "m", "weight": 1}]})").find("has no \"model\""),
            std::string::npos);
}

}  // namespace
}  // namespace heed::reranking
