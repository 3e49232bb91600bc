// Training text of several files: patterns, filters and mixing, by what the reports count.
#include <gtest/gtest.h>

#include <string>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"

namespace heed::end_to_end {
namespace {

std::string repeated(int times, const std::string& line) {
  std::string lines;
  for (int i = 0; i < times; ++i) lines += line + '\n';
  return lines;
}

/// News of 10 pairs of 3 words and web text of 20 pairs of 5 words, each in two files, with what filters leave out
/// between them.
class Corpus : public ::testing::Test {
 protected:
  void SetUp() override {
    write("news.1", repeated(3, news) + "\n" + repeated(3, news),
          repeated(3, nachrichten) + "eins\n" + repeated(3, nachrichten));
    write("news.2", repeated(4, news) + "Berlin Berlin\n", repeated(4, nachrichten) + " Berlin Berlin \n");
    const std::string twelve = "a a a a a a a a a a a a";
    write("web.1", repeated(18, web) + "a a a\na\n" + twelve + " a\nодин два три\none two three\n",
          repeated(18, netz) + twelve + "\na a a a a\n" + twelve + " a\neins zwei drei\nодин два drei\n");
    write("web.2", repeated(2, web), repeated(2, netz));
  }
  void write(const std::string& name, const std::string& source, const std::string& target) const {
    folder.file(name + ".en", source);
    folder.file(name + ".de", target);
  }
  Words command(const std::string& model, const Words& more) const {
    // clang-format off
    return Words{"train", "--source", folder.path("news.*.en"), folder.path("web.[12].en"),
                 "--target", folder.path("news.*.de"), folder.path("web.[12].de"), "--model", folder.path(model),
                 "--text.type", "words", "--arch.d-model", "16", "--arch.encoder.layers", "1",
                 "--arch.decoder.layers", "1", "--data.batch-tokens", "1000", "--train.max-epochs", "1",
                 "--log.every", "1", "--threads", "1"} + more;
    // clang-format on
  }
  nlohmann::json last(const std::string& type) const { return last_event(folder, "model", type); }

  const std::string news = "one two three", nachrichten = "eins zwei drei";
  const std::string web = "one two three four five", netz = "eins zwei drei vier fünf";
  Folder folder;
};

const Words kFilters{"--data.max-source-length", "12",    "--data.max-target-length", "12",
                     "--data.max-length-ratio",  "3",     "--data.identical-sides",   "leave-out",
                     "--data.source-script",     "Latin", "--data.target-script",     "Latin"};

TEST_F(Corpus, OfPatternsIsReadWholeWithoutFilters) {
  const Result trained = heed(command("model", {}));
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_NE(trained.errors.find(": 37 pairs, 36 of them kept; left out: 1 with an empty side\n"), std::string::npos)
      << trained.errors;
  EXPECT_EQ(last("start")["pairs"], 36);
  // 10 of 3 words, 20 of 5, 1 of 2, 1 of 12, 1 of 5, 1 of 13, 2 of 3; and end-of-sentence of each.
  EXPECT_EQ(last("train")["tokens"], 30 + 100 + 2 + 12 + 5 + 13 + 6 + 36);
}

TEST_F(Corpus, FiltersCountWhatTheyLeaveOut) {
  const Result trained = heed(command("model", kFilters));
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_NE(
      trained.errors.find(": 37 pairs, 30 of them kept; left out: 1 with an empty side, 1 with more than 12 source "
                          "or 12 target tokens, 2 with lengths that differ more than 3 times, 1 with identical "
                          "sides, 2 in other scripts"),
      std::string::npos)
      << trained.errors;
  EXPECT_EQ(last("start")["pairs"], 30);
  EXPECT_EQ(last("train")["tokens"], 10 * 4 + 20 * 6);
}

TEST_F(Corpus, MixingChangesHowOftenPairsCome) {
  const Result trained = heed(command("model", kFilters + Words{"--data.corpus-weights", "news*=2", "web*=1"}));
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_NE(trained.errors.find("news*: 66.7% of the pairs, each 2 times an epoch; web*: 33.3% of the pairs, each 0.5 "
                                "times an epoch"),
            std::string::npos)
      << trained.errors;
  const int of_news = 10 * 2 * 4, of_web = last("train")["tokens"].get<int>() - of_news;
  EXPECT_EQ(of_web % 6, 0);
  EXPECT_GE(of_web / 6, 3) << "half of 20 come, drawn: fewer than 3 once in five thousand seeds";
  EXPECT_LE(of_web / 6, 17);
}

TEST_F(Corpus, PatternsAndMixesMustName) {
  expect_error(heed(command("model", {"--source", folder.path("none.*")})), 2,
               "`source` has `" + folder.path("none.*") + "`, which matches no file");
  const Result unnamed = heed(command("model", {"--data.corpus-weights", "news*=2"}));
  EXPECT_EQ(unnamed.code, 2) << unnamed.errors;
  EXPECT_NE(unnamed.errors.find("`data.corpus-weights` says nothing of " + folder.path("web.1.de") +
                                ": each file of the training text needs a weight"),
            std::string::npos)
      << unnamed.errors;
}

}  // namespace
}  // namespace heed::end_to_end
