#include "heed/core/files/path_patterns.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

using heed::testing::message_of;
using Paths = std::vector<std::string>;

struct PathPatterns : ::testing::Test {
  void SetUp() override {
    for (const char* name : {"news.2.en", "news.10.en", "Web.en", "web.en", "odd[1].en"}) write_file(file(name), "");
  }
  std::string file(const std::string& name) const { return directory.file(name); }
  testing::TemporaryDirectory directory;
};

TEST_F(PathPatterns, PathsStayAsTheyAre) {
  EXPECT_EQ(expand_paths({"b", "-", "not/there"}, "source"), (Paths{"b", "-", "not/there"}));
  EXPECT_EQ(expand_paths({file("odd[1].en")}, "source"), Paths{file("odd[1].en")}) << "a file that there is";
}

TEST_F(PathPatterns, PatternsGiveFilesInTheOrderOfTheirBytes) {
  EXPECT_EQ(expand_paths({file("*eb.en"), file("news.*.en")}, "source"),
            (Paths{file("Web.en"), file("web.en"), file("news.10.en"), file("news.2.en")}));
  EXPECT_EQ(expand_paths({file("news.?.en")}, "source"), Paths{file("news.2.en")});
  EXPECT_EQ(message_of<ConfigError>([this] { expand_paths({file("*.de")}, "valid-target"); }),
            "`valid-target` has `" + file("*.de") + "`, which matches no file");
}

TEST_F(PathPatterns, ListsAreRelativeToTheirFolder) {
  write_file(file("list"), "web.en\n\nnews.?.en\n/absolute\n");
  EXPECT_EQ(expand_paths({"@" + file("list"), "more"}, "source"),
            (Paths{file("web.en"), file("news.2.en"), "/absolute", "more"}));
  write_file(file("list"), "\n");
  EXPECT_EQ(message_of<ConfigError>([this] { expand_paths({"@" + file("list")}, "source"); }),
            "`source` has `@" + file("list") + "`, a list without files");
  EXPECT_THROW(expand_paths({"@" + file("none")}, "source"), FileError);
}

}  // namespace
}  // namespace heed
