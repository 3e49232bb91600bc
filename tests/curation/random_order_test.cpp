#include "heed/curation/random_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "support/temporary_directory.h"

namespace heed::curation {
namespace {

std::vector<int64_t> order(uint64_t seed, size_t memory, const std::string& scratch) {
  RandomOrder random(scratch, seed, memory);
  for (int64_t line = 1; line <= 1000; ++line) {
    random.add(
        {.line = line, .source = "s" + std::to_string(line), .target = "t" + std::to_string(line), .document = "d"});
  }
  std::vector<int64_t> lines;
  random.take([&](const Pair& pair) {
    EXPECT_EQ(pair.source, "s" + std::to_string(pair.line));
    EXPECT_EQ(pair.target, "t" + std::to_string(pair.line));
    EXPECT_EQ(pair.document, "d");
    lines.push_back(pair.line);
  });
  return lines;
}

TEST(RandomOrder, DependsOnTheSeedOnly) {
  const testing::TemporaryDirectory folder;
  const auto in_memory = order(1, size_t{1} << 20U, folder.file("scratch"));
  const auto in_files = order(1, 8000, folder.file("scratch")), in_many = order(1, 100, folder.file("scratch"));
  EXPECT_EQ(in_memory, in_files);
  EXPECT_EQ(in_memory, in_many) << "parts larger than the memory are divided again";
  EXPECT_NE(in_memory, order(2, 100, folder.file("scratch")));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "files are unlinked";
  auto sorted = in_memory;
  std::ranges::sort(sorted);
  EXPECT_NE(sorted, in_memory);
  for (int64_t line = 1; line <= 1000; ++line) EXPECT_EQ(sorted[static_cast<size_t>(line - 1)], line);
}

}  // namespace
}  // namespace heed::curation
