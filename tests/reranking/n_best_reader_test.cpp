#include "heed/reranking/n_best_reader.h"

#include <gtest/gtest.h>

#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::reranking {
namespace {

class NBest : public ::testing::Test {
 protected:
  testing::TemporaryDirectory folder;
  std::vector<NBestList> read(const std::string& text) {
    write_file(folder.file("list"), text);
    NBestReader reader(folder.file("list"));
    std::vector<NBestList> lists;
    for (NBestList list; reader.next(list);) lists.push_back(list);
    return lists;
  }
  std::string refusal(const std::string& text) {
    return testing::message_of<InputError>([&] { read(text); });
  }
};

TEST_F(NBest, OfALineAreReadTogether) {
  const auto lists = read("0 ||| ein Haus ||| -0.5\n0 ||| das Haus ||| -1e-3\n1 ||| Hund ||| 2\n");
  ASSERT_EQ(lists.size(), 2U);
  ASSERT_EQ(lists[0].candidates.size(), 2U);
  EXPECT_EQ(lists[0].candidates[1].text, "das Haus");
  EXPECT_DOUBLE_EQ(lists[0].candidates[1].score, -0.001);
  EXPECT_EQ(lists[1].line, 1);
  EXPECT_EQ(lists[1].candidates[0].text, "Hund");
  EXPECT_TRUE(read("").empty());
}

TEST_F(NBest, MayHoldEmptyTranslationsAndBars) {
  const auto lists = read("0 |||  ||| 0\n1 ||| ||| 0\n2 ||| a ||| b ||| 1\n");
  ASSERT_EQ(lists.size(), 3U);
  EXPECT_EQ(lists[0].candidates[0].text, "");
  EXPECT_EQ(lists[1].candidates[0].text, "");
  EXPECT_EQ(lists[2].candidates[0].text, "a ||| b");
}

TEST_F(NBest, OfMosesAndMarianHaveFeaturesBetween) {
  const auto lists = read("0 ||| ein Haus ||| F0= -3.2 F1= 2 ||| -0.4\n");
  ASSERT_EQ(lists.size(), 1U);
  EXPECT_EQ(lists[0].candidates[0].text, "ein Haus");
  EXPECT_DOUBLE_EQ(lists[0].candidates[0].score, -0.4);
  EXPECT_EQ(read("0 ||| a ||| b ||| F0= -1 ||| 2\n")[0].candidates[0].text, "a ||| b");
}

TEST_F(NBest, OfAnotherFormAreRefusedByLine) {
  for (const char* line : {"ein Haus", "0 ||| ein Haus", "x ||| ein Haus ||| 1", "1 ||| ein Haus ||| gut",
                           "-1 ||| Haus ||| 0", "1 ||| Haus ||| nan", ""}) {
    const std::string said = refusal(std::string("0 ||| a ||| 1\n") + line + "\n");
    EXPECT_NE(said.find("list:2: expected LINE ||| TRANSLATION ||| SCORE"), std::string::npos) << line << ": " << said;
  }
}

TEST_F(NBest, OfLinesLeftOutAreRefused) {
  EXPECT_NE(
      refusal("0 ||| a ||| 1\n2 ||| b ||| 1\n").find("list:2: expected translations of line 1, found those of line 2"),
      std::string::npos);
  EXPECT_NE(refusal("0 ||| a ||| 1\n1 ||| b ||| 1\n0 ||| b ||| 1\n").find("expected translations of line 2"),
            std::string::npos);
}

}  // namespace
}  // namespace heed::reranking
