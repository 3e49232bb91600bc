#include "heed/text/short_list.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/text/tokenizer.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::text {
namespace {

class ShortListTest : public ::testing::Test {
 protected:
  ShortListTest() {
    write_short_list(path, {.target_size = 12, .frequent = {9, 5}, .by_token = {{}, {}, {}, {}, {7, 11}, {9}, {6, 7}}});
  }
  std::string problem(int64_t source_size = 7, int64_t target_size = 12) const {
    return testing::message_of<CheckpointError>([&] { ShortList(path, source_size, target_size); });
  }

  testing::TemporaryDirectory directory;
  std::string path = directory.file("shortlist.safetensors");
};

TEST_F(ShortListTest, ListsTheTranslationsOfASourcesTokensOnce) {
  const ShortList list(path, 7, 12);
  EXPECT_EQ(list.tokens_for(std::vector<int32_t>{4, 6}), (std::vector<int32_t>{kUnk, kEos, 5, 6, 7, 9, 11}));
  EXPECT_EQ(list.tokens_for(std::vector<int32_t>{5}), (std::vector<int32_t>{kUnk, kEos, 5, 9}));
  EXPECT_EQ(list.tokens_for({}), (std::vector<int32_t>{kUnk, kEos, 5, 9}));
}

TEST_F(ShortListTest, OfOtherVocabulariesIsRefused) {
  EXPECT_EQ(problem(8, 12), path +
                                ": is not a shortlist: it is of vocabularies of 7 and 12 entries, where the model has "
                                "8 and 12");
  EXPECT_EQ(problem(7, 13), path +
                                ": is not a shortlist: it is of vocabularies of 7 and 12 entries, where the model has "
                                "7 and 13");
}

TEST_F(ShortListTest, DamageIsAnError) {
  const std::string whole = read_file(path);
  write_file(path, whole.substr(0, whole.size() - 4));
  EXPECT_NE(problem(), "");
  std::string changed = whole;
  changed[changed.size() - 1] = 1;  // of the last token
  write_file(path, changed);
  EXPECT_EQ(problem(), path + ": is not a shortlist: it names tokens that do not exist");
  const size_t frequent = whole.find(std::string("\x09\0\0\0\x05\0\0\0", 8));
  ASSERT_NE(frequent, std::string::npos);
  changed = whole;
  changed[frequent + 1] = 1;
  write_file(path, changed);
  EXPECT_EQ(problem(), path + ": is not a shortlist: it names tokens that do not exist");
  write_file(path, "no tensors at all");
  EXPECT_NE(problem(), "");
}

}  // namespace
}  // namespace heed::text
