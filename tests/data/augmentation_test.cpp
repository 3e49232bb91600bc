// Pairs that are changed on their way into a batch.
#include "heed/data/batches/augmentation.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "data/made_corpus.h"
#include "heed/core/error.h"
#include "heed/data/batches/batch_stream.h"
#include "support/message_of.h"

namespace heed::data {
namespace {

using testing::MadeCorpus;
using testing::number_tokenizers;

StreamOptions options(std::vector<std::string> augment, int64_t threads = 1) {
  return {.context = SentenceContext{.step_tokens = 200, .shuffle_window = 2000, .augment = std::move(augment)},
          .micro_batches = 2,
          .prefetch = 3,
          .prefetch_threads = threads};
}

/// The ids of both sides of each pair, by its line.
using Pairs = std::map<int64_t, std::pair<std::vector<int64_t>, std::vector<int64_t>>>;

void add(const StepBatch& step, Pairs& pairs) {
  for (const MicroBatch& batch : step.micro_batches) {
    if (batch.source.rows == 0) continue;  // of another share
    const IdMatrix& targets = std::get<TokenTargets>(batch.target).ids;
    const auto row = [](const IdMatrix& matrix, size_t i) {
      std::vector<int64_t> ids;
      for (int64_t k = 0; k < matrix.columns; ++k) {
        const int64_t id = matrix.ids[i * static_cast<size_t>(matrix.columns) + static_cast<size_t>(k)];
        if (id > text::kEos) ids.push_back(id);
      }
      return ids;
    };
    for (size_t i = 0; i < batch.lines.size(); ++i) pairs[batch.lines[i]] = {row(batch.source, i), row(targets, i)};
  }
}

Pairs epoch_of(BatchStream& stream) {
  Pairs pairs;
  for (const int64_t epoch = stream.position().epoch; stream.position().epoch == epoch;) add(stream.next(), pairs);
  return pairs;
}

std::vector<int64_t> joined(std::vector<int64_t> one, const std::vector<int64_t>& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

TEST(Augmentation, JoinsPairsWithTheNextAtItsRate) {
  const MadeCorpus made(1000);
  const auto corpus = made.encoded();
  BatchStream plain(corpus, number_tokenizers(), options({}), 1);
  const Pairs before = epoch_of(plain);
  BatchStream stream(corpus, number_tokenizers(), options({"join=0.3"}), 1);
  const Pairs first = epoch_of(stream), second = epoch_of(stream);
  ASSERT_EQ(first.size(), 1000U);
  int64_t changed = 0, changed_in_both = 0;
  for (const auto& [line, pair] : first) {
    if (pair == before.at(line)) continue;
    ++changed;
    changed_in_both += second.at(line) != before.at(line);
    const auto& next = before.at((line + 1) % 1000);
    EXPECT_EQ(pair.first, joined(before.at(line).first, next.first)) << line;
    EXPECT_EQ(pair.second, joined(before.at(line).second, next.second)) << line;
  }
  EXPECT_NEAR(static_cast<double>(changed), 300, 60);
  EXPECT_NEAR(static_cast<double>(changed_in_both), 90, 40) << "other pairs in each epoch";
}

TEST(Augmentation, DoesNotDependOnThreadsRanksAndInterruptions) {
  const MadeCorpus made(700);
  const auto corpus = made.encoded();
  for (const bool samples : {false, true}) {
    const auto stream_with = [&](int64_t threads, const MicroBatchShare& share = {}) {
      return std::make_unique<BatchStream>(corpus, number_tokenizers(samples),
                                           options({"join=0.5", "emoji=0.2"}, threads), 1, share);
    };
    const auto whole = stream_with(1), threaded = stream_with(3);
    const auto resumed = stream_with(1);
    const Pairs expected = epoch_of(*whole);
    EXPECT_EQ(epoch_of(*threaded), expected);
    Pairs of_ranks;
    for (int64_t rank = 0; rank < 2; ++rank) {
      const auto share = stream_with(1, {.index = rank, .of = 2});
      for (const auto& [line, pair] : epoch_of(*share)) of_ranks[line] = pair;
    }
    EXPECT_EQ(of_ranks, expected);
    Pairs of_parts;
    const auto begun = stream_with(2);
    for (int step = 0; step < 5; ++step) add(begun->next(), of_parts);
    resumed->seek(begun->position());
    for (const auto& [line, pair] : epoch_of(*resumed)) of_parts[line] = pair;
    EXPECT_EQ(of_parts, expected);
  }
}

TEST(Augmentation, ATextThatBecomesTooLongStaysAsItIs) {
  const MadeCorpus made(200);
  const auto corpus = made.encoded({.max_source_length = 20, .max_target_length = 20});
  BatchStream plain(corpus, number_tokenizers(), options({}), 1);
  BatchStream stream(corpus, number_tokenizers(), options({"join=1"}), 1);
  const Pairs before = epoch_of(plain), pairs = epoch_of(stream);
  bool some_stay = false, some_change = false;
  for (const auto& [line, pair] : pairs) {
    EXPECT_LE(std::max(pair.first.size(), pair.second.size()), 20U);
    (pair == before.at(line) ? some_stay : some_change) = true;
  }
  EXPECT_TRUE(some_stay);
  EXPECT_TRUE(some_change);
}

TEST(Augmentation, WrongRatesAreErrors) {
  const std::vector<std::string> wrong{"join"};
  EXPECT_EQ(testing::message_of<ConfigError>([&] { Augmentation{wrong}; }),
            "`data.augment` must have entries KIND=RATE with a rate above 0 and at most 1, but has `join`");
}

}  // namespace
}  // namespace heed::data
