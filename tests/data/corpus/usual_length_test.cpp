#include "heed/data/encoded/source_statistics.h"

#include <gtest/gtest.h>

#include "data/number_tokenizer.h"
#include "heed/core/files/atomic_file.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "support/temporary_directory.h"

namespace heed::data {
namespace {

/// Of a corpus of so many sources of three tokens and these longer ones.
int64_t usual(int short_lines, const std::vector<std::string>& longer) {
  const testing::TemporaryDirectory directory;
  const CorpusFiles files{.source = {directory.file("source")}, .target = {directory.file("target")}, .pairs = {}};
  std::string source, target;
  for (const std::string& line : longer) source += line + "\n";
  for (int i = 0; i < short_lines; ++i) source += "7 8 9\n";
  for (size_t i = 0; i < longer.size() + static_cast<size_t>(short_lines); ++i) target += "4\n";
  write_file(files.source[0], source);
  write_file(files.target[0], target);
  build_corpus(directory.file("corpus"), files, testing::number_tokenizers(), {});
  return usual_source_length(EncodedCorpus(directory.file("corpus")));
}

TEST(UsualSourceLength, LeavesOutOneInAThousand) {
  EXPECT_EQ(usual(999, {"7 7 7 7 7 7"}), 3);
  EXPECT_EQ(usual(998, {"7 7 7 7 7 7", "7 7 7 7"}), 4);
  EXPECT_EQ(usual(1999, {"7 7 7 7 7 7"}), 3);
}

TEST(UsualSourceLength, OfFewLinesIsTheLongest) {
  EXPECT_EQ(usual(998, {"7 7 7 7 7 7"}), 6);
  EXPECT_EQ(usual(1, {}), 3);
}

TEST(UsualSourceLength, IsThatOfCounts) {
  LengthCounts counts;
  EXPECT_EQ(usual_source_length(counts), 0);
  for (const int64_t tokens : {3, 0, 5, 3}) count_length(tokens, counts);
  EXPECT_EQ(counts, (LengthCounts{1, 0, 0, 2, 0, 1}));
  EXPECT_EQ(usual_source_length(counts), 5);
  counts[3] += 996;  // 1000 in all
  EXPECT_EQ(usual_source_length(counts), 3) << "one in a thousand may be longer";
  ++counts[5];
  EXPECT_EQ(usual_source_length(counts), 5);
}

}  // namespace
}  // namespace heed::data
