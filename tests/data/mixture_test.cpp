#include "heed/data/batches/mixture.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "data/made_corpus.h"
#include "heed/core/error.h"
#include "heed/data/batches/batch_planner.h"
#include "support/message_of.h"

namespace heed::data {
namespace {

using testing::message_of;
using testing::number_tokenizers;

/// 900 pairs of a web corpus in two files, 100 of news, with one that is left out.
struct Mixing : ::testing::Test {
  void SetUp() override {
    const auto lines = [](int64_t count) {
      std::string text;
      for (int64_t i = 0; i < count; ++i) text += std::to_string(4 + i) + "\n";
      return text;
    };
    write_file(directory.file("web.1"), lines(500));
    write_file(directory.file("web.2"), lines(400));
    write_file(directory.file("news"), "\n" + lines(100));
    files.target = {directory.file("web.1"), directory.file("web.2"), directory.file("news")};
    files.source = files.target;
    build_corpus(directory.file("corpus"), files, number_tokenizers(), {}, {.buckets = 3});
    corpus = std::make_shared<const EncodedCorpus>(directory.file("corpus"));
  }
  std::string refusal(const std::vector<std::string>& mix) const {
    return message_of<ConfigError>([&] { Mixture(*corpus, mix); });
  }
  /// How often each pair comes in an epoch.
  std::map<int64_t, int64_t> counts(const SentenceContext& options, int64_t epoch) const {
    BatchPlanner planner(corpus, options, 1);
    std::map<int64_t, int64_t> found;
    while (planner.position().epoch <= epoch) {
      const PlannedBatch planned = planner.next();
      if (planned.position.epoch != epoch) continue;
      for (const uint32_t offset : planned.plan->pairs(planned.position.step)) ++found[planned.window.begin + offset];
    }
    return found;
  }
  testing::TemporaryDirectory directory;
  CorpusFiles files{.source = {}, .target = {}, .pairs = {}};
  std::shared_ptr<const EncodedCorpus> corpus;
};

TEST_F(Mixing, KnowsThePairsOfEachFile) {
  ASSERT_EQ(corpus->target_files().size(), 3u);
  EXPECT_EQ(corpus->target_files()[0].kept, 500);
  EXPECT_EQ(corpus->target_files()[1].kept, 400);
  EXPECT_EQ(corpus->target_files()[2].kept, 100) << "of 101 lines";
  std::vector<int64_t> pairs(3);
  for (int64_t pair = 0; pair < corpus->size(); ++pair) ++pairs[corpus->target_file(pair)];
  EXPECT_EQ(pairs, (std::vector<int64_t>{500, 400, 100}));
}

TEST_F(Mixing, GivesEachCorpusItsShare) {
  const SentenceContext options{.step_tokens = 60, .shuffle_window = 400, .mix = {"news=2", "web.*=3"}};
  EXPECT_EQ(Mixture(*corpus, options.mix).description(),
            "news: 40.0% of the pairs, each 4 times an epoch; web.*: 60.0% of the pairs, each 0.667 times an epoch");
  int64_t web = 0;
  const auto found = counts(options, 0);
  for (int64_t pair = 0; pair < corpus->size(); ++pair) {
    const auto at = found.find(pair);
    const int64_t count = at == found.end() ? 0 : at->second;
    if (corpus->target_file(pair) == 2) {
      EXPECT_EQ(count, 4);
    } else {
      EXPECT_LE(count, 1);
      web += count;
    }
  }
  EXPECT_NEAR(static_cast<double>(web), 600, 45) << "three standard deviations of 900 draws";
  EXPECT_EQ(counts(options, 0), found);
  EXPECT_NE(counts(options, 1), found) << "drawn anew in each epoch";
}

TEST_F(Mixing, AFileIsOfTheFirstPatternThatItMatches) {
  EXPECT_EQ(Mixture(*corpus, {"web.2=1", "*=1"}).description(),
            "web.2: 50.0% of the pairs, each 1.25 times an epoch; *: 50.0% of the pairs, each 0.833 times an epoch");
  // Of the whole path, too.
  EXPECT_EQ(
      Mixture(*corpus, {directory.file("web") + ".*=9", "*/news=1"}).description().substr(directory.file("web").size()),
      ".*: 90.0% of the pairs, each 1 times an epoch; */news: 10.0% of the pairs, each 1 times an epoch");
}

TEST_F(Mixing, WithoutWeightsEveryPairComesOnce) {
  const auto found = counts({.step_tokens = 60, .shuffle_window = 400}, 1);
  EXPECT_EQ(std::ssize(found), corpus->size());
  for (const auto& [pair, count] : found) EXPECT_EQ(count, 1) << pair;
}

TEST_F(Mixing, APositionIsFoundAgain) {
  const SentenceContext options{.step_tokens = 60, .shuffle_window = 400, .mix = {"news=2", "web.*=3"}};
  BatchPlanner planner(corpus, options, 1);
  for (int i = 0; i < 25; ++i) planner.next();
  BatchPlanner again(corpus, options, 1);
  again.seek(planner.position());
  EXPECT_DOUBLE_EQ(again.progress(), planner.progress());
  EXPECT_GT(planner.progress(), 0);
  EXPECT_LT(planner.progress(), 1);
  const PlannedBatch one = planner.next(), other = again.next();
  EXPECT_TRUE(std::ranges::equal(one.plan->pairs(one.position.step), other.plan->pairs(other.position.step)));
}

TEST_F(Mixing, RefusesWhatIsNoMixture) {
  for (const char* entry : {"news", "=2", "news=", "news=0", "news=-1", "news=2x", "news=inf", "news=nan"}) {
    EXPECT_EQ(refusal({entry}),
              std::string("`data.corpus-weights` must have entries PATTERN=WEIGHT with a weight above 0, but has `") +
                  entry + "`");
  }
  EXPECT_EQ(refusal({"web.*=1"}), "`data.corpus-weights` says nothing of " + directory.file("news") +
                                      ": each file of the training text needs a weight");
  EXPECT_EQ(refusal({"*=1", "books=2"}),
            "`data.corpus-weights` has `books`, but no pair of the training text is of such a file");
}

}  // namespace
}  // namespace heed::data
