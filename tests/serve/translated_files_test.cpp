#include "heed/serve/translated_files.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace heed::serve {
namespace {

using namespace std::chrono_literals;

TEST(TranslatedFiles, KeepsEachUnderItsKey) {
  TranslatedFiles files(100, 1min);
  const auto one = files.add("a.txt", "one"), two = files.add("a.txt", "two");
  ASSERT_TRUE(one && two);
  EXPECT_NE(*one, *two);
  EXPECT_EQ(files.find(*one)->bytes, "one");
  EXPECT_EQ(files.find(*two)->name, "a.txt");
  EXPECT_EQ(files.find("a.txt"), nullptr);
  EXPECT_EQ(files.bytes(), 6);
}

TEST(TranslatedFiles, RemovesTheOldestToMakeRoom) {
  TranslatedFiles files(10, 1min);
  const auto one = files.add("a", "12345"), two = files.add("b", "12345"), three = files.add("c", "1");
  EXPECT_EQ(files.find(*one), nullptr);
  EXPECT_TRUE(files.find(*two) && files.find(*three));
  EXPECT_EQ(files.bytes(), 6);
  EXPECT_FALSE(files.add("d", std::string(11, 'a'))) << "too large";
  EXPECT_EQ(files.bytes(), 6);
}

TEST(TranslatedFiles, RemovesEachAfterItsTime) {
  TranslatedFiles files(100, 20ms);
  const auto key = files.add("a", "12345");
  for (int i = 0; i < 1000 && files.bytes() > 0; ++i) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(files.bytes(), 0);
  EXPECT_EQ(files.find(*key), nullptr);
}

}  // namespace
}  // namespace heed::serve
