#include "heed/data/overlap/repeated_lines.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "heed/core/error.h"
#include "heed/core/random.h"
#include "support/temporary_directory.h"

namespace heed::data {
namespace {

using Repeated = std::map<int64_t, int64_t>;  // lines, and those that they repeat

Repeated found_by(RepeatedLines& lines) {
  Repeated repeated;
  lines.find([&](int64_t first, int64_t line) { repeated[line] = first; });
  return repeated;
}

TEST(RepeatedLines, EachLineRepeatsTheFirstWithItsKey) {
  RepeatedLines lines("nowhere/scratch");
  const uint64_t large = ~uint64_t{0};
  int64_t line = 0;
  for (const uint64_t key : {uint64_t{7}, large, uint64_t{7}, uint64_t{0}, large, uint64_t{7}}) lines.add(key, line++);
  EXPECT_EQ(found_by(lines), (Repeated{{2, 0}, {4, 1}, {5, 0}})) << "few lines need no file";
}

TEST(RepeatedLines, ManyLinesGoThroughAFileThatVanishes) {
  const testing::TemporaryDirectory directory;
  RepeatedLines lines(directory.file("scratch"));
  RandomStream random(1, Purpose::Test);
  std::map<uint64_t, int64_t> first;
  Repeated expected;
  for (int64_t line = 0; line < 30'000; ++line) {
    const uint64_t key = random.below(20'000) << 41U;  // in 5 of the 256 parts
    lines.add(key, line);
    if (const auto [seen, is_new] = first.emplace(key, line); !is_new) expected[line] = seen->second;
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.file("."))) << "the file has no name";
  EXPECT_EQ(found_by(lines), expected);
}

TEST(RepeatedLines, AFileThatCannotBeMadeIsNamed) {
  RepeatedLines lines("nowhere/scratch");
  EXPECT_THROW(
      {
        for (int64_t line = 0; line < 5000; ++line) lines.add(static_cast<uint64_t>(line), line);
      },
      FileError);
}

}  // namespace
}  // namespace heed::data
