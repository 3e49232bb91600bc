#include "heed/curation/removed_lines.h"

#include <gtest/gtest.h>

#include "curation/written.h"
#include "heed/core/error.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::curation {
namespace {

TEST(RemovedLines, AreReadBack) {
  const testing::TemporaryDirectory folder;
  const Pair pair{.line = 17, .source = "a\t\"b\"", .target = "ü", .document = "d"};
  const Judgement judgement;
  const JudgedPair judged{.pair = pair, .judgement = judgement, .number = 17, .repeated = 4};
  const std::string text = removed_line(judged, {Filter::Duplicate, Filter::Ratio});
  EXPECT_EQ(text,
            R"({"line":17,"reasons":["ratio","duplicate"],"repeats":4,"source":"a\t\"b\"","target":"ü","document":"d"})"
            "\n");
  RemovedLines lines(written(folder.file("log"), text));
  const auto removed = lines.next();
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->number, 17);
  EXPECT_EQ(removed->pair.source, pair.source);
  EXPECT_EQ(removed->pair.target, pair.target);
  EXPECT_EQ(removed->pair.document, "d");
  EXPECT_EQ(removed->reasons, (FilterSet{Filter::Ratio, Filter::Duplicate}));
  EXPECT_FALSE(lines.next());
  const JudgedPair after_header{.pair = pair, .judgement = judgement, .number = 16};
  EXPECT_TRUE(removed_line(after_header, {Filter::Ratio}).starts_with(R"({"line":17,"pair":16,"reasons":["ratio"])"));
}

TEST(RemovedLines, OtherFilesAreErrors) {
  const testing::TemporaryDirectory folder;
  const auto error = [&](const std::string& text) {
    RemovedLines lines(written(folder.file("log"), text));
    return testing::message_of<InputError>([&] {
      while (lines.next()) {}
    });
  };
  const std::string line = R"({"line":3,"reasons":[],"source":"","target":""})"
                           "\n";
  EXPECT_EQ(error("text\n"), folder.file("log") + ":1: expected a line of a log that `heed data filter --log` wrote");
  EXPECT_EQ(error(line + line), folder.file("log") + ":2: expected a larger `line` than before");
}

}  // namespace
}  // namespace heed::curation
