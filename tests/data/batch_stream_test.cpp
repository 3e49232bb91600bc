#include "heed/data/batches/batch_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "data/made_corpus.h"
#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/data/batches/batching.h"
#include "support/message_of.h"

namespace heed::data {
namespace {

using testing::MadeCorpus;
using testing::number_tokenizers;
using testing::NumberTokenizer;

constexpr StreamOptions kSmall{.context = SentenceContext{.step_tokens = 200, .shuffle_window = 300},
                               .micro_batches = 2,
                               .prefetch = 3,
                               .prefetch_threads = 1};

std::vector<StepBatch> take(BatchStream& stream, int count) {
  std::vector<StepBatch> steps;
  for (int i = 0; i < count; ++i) steps.push_back(stream.next());
  return steps;
}

std::vector<int64_t> lines_of_epoch(BatchStream& stream) {
  std::vector<int64_t> lines;
  for (const int64_t epoch = stream.position().epoch; stream.position().epoch == epoch;) {
    for (const MicroBatch& part : stream.next().micro_batches)
      lines.insert(lines.end(), part.lines.begin(), part.lines.end());
  }
  return lines;
}

TEST(BatchStream, GivesEveryPairOnceAnEpoch) {
  const MadeCorpus made(1000);
  BatchStream stream(made.encoded(), number_tokenizers(), kSmall, 1);
  std::vector<int64_t> first = lines_of_epoch(stream);
  std::vector<int64_t> second = lines_of_epoch(stream);
  EXPECT_EQ(stream.position(), (StreamPosition{.epoch = 2, .window = 0, .step = 0}));
  EXPECT_NE(first, second);
  for (auto* lines : {&first, &second}) {
    std::sort(lines->begin(), lines->end());
    ASSERT_EQ(lines->size(), 1000U);
    for (size_t i = 0; i < lines->size(); ++i) ASSERT_EQ((*lines)[i], static_cast<int64_t>(i));
  }
}

TEST(BatchStream, LinksFollowTheirPair) {
  MadeCorpus made(200);
  std::string links;
  for (int i = 0; i < 200; ++i) links += i % 3 == 0 ? "\n" : "0-0\n";
  write_file(made.directory.file("links"), links);
  made.files.alignments = {made.directory.file("links")};
  const auto corpus = made.encoded();
  for (int64_t rank = 0; rank < 2; ++rank) {
    BatchStream share(corpus, number_tokenizers(), kSmall, 1, {.index = rank, .of = 2});
    int64_t found = 0;
    for (const StepBatch& step : take(share, 6)) {
      for (const MicroBatch& part : step.micro_batches) {
        std::vector<TokenLink> expected;
        for (int64_t row = 0; row < part.source.rows; ++row) {
          if (part.lines[static_cast<size_t>(row)] % 3 != 0) expected.push_back({.row = row});
        }
        EXPECT_EQ(part.links, expected);
        found += std::ssize(part.links);
      }
    }
    EXPECT_GT(found, 10);
  }
}

TEST(BatchStream, WeightsOfPairsAreToldToThoseWhoComputeOtherParts) {
  MadeCorpus made(200);
  std::string weights;
  for (int i = 0; i < 200; ++i) weights += std::to_string(0.5 + i % 4) + '\n';
  write_file(made.directory.file("weights"), weights);
  made.files.weights = {made.directory.file("weights")};
  const auto corpus = made.encoded();
  BatchStream whole(corpus, number_tokenizers(), kSmall, 1);
  std::vector<std::vector<StepBatch>> shares;
  for (const bool samples : {false, true}) {
    for (int64_t rank = 0; rank < 2; ++rank) {
      BatchStream share(corpus, number_tokenizers(samples), kSmall, 1, {.index = rank, .of = 2});
      shares.push_back(take(share, 4));
    }
  }
  for (size_t number = 0; const StepBatch& step : take(whole, 4)) {
    double weight = 0;
    for (const MicroBatch& part : step.micro_batches) {
      ASSERT_EQ(part.weights.size(), part.lines.size());
      for (size_t row = 0; row < part.lines.size(); ++row) {
        EXPECT_EQ(part.weights[row], 0.5f + static_cast<float>(part.lines[row] % 4));
        const int64_t tokens = corpus->target_length(part.lines[row]) + 1;
        weight += static_cast<double>(part.weights[row]) * static_cast<double>(tokens);
      }
    }
    EXPECT_DOUBLE_EQ(step.weight(), weight);
    for (size_t rank = 0; rank < 2; ++rank) EXPECT_EQ(shares[rank][number].weight(), step.weight());
    EXPECT_EQ(shares[2][number].weight(), shares[3][number].weight());
    ++number;
  }
}

TEST(BatchStream, RowsAreThePairsThatLinesName) {
  const MadeCorpus made(200);
  const auto corpus = made.encoded();
  BatchStream stream(corpus, number_tokenizers(), kSmall, 1);
  for (const StepBatch& step : take(stream, 5)) {
    int64_t tokens = 0;
    for (const MicroBatch& part : step.micro_batches) {
      tokens += part.target_tokens;
      for (int64_t row = 0; row < part.tokens().rows; ++row) {
        const auto ids = corpus->target_ids(part.lines[static_cast<size_t>(row)]);
        const auto begin = part.tokens().ids.begin() + row * part.tokens().columns;
        EXPECT_TRUE(std::equal(ids.begin(), ids.end(), begin + 1));
        EXPECT_EQ(begin[static_cast<int64_t>(ids.size()) + 1], text::kEos);
      }
    }
    EXPECT_EQ(step.micro_batches.size(), 2U);
    EXPECT_EQ(tokens, step.target_tokens);
    EXPECT_LE(std::abs(step.micro_batches[0].target_tokens - step.micro_batches[1].target_tokens), 21);
  }
}

TEST(BatchStream, SeeksTheShareThatAnotherStreamHasGiven) {
  const MadeCorpus made(1000);
  const auto corpus = made.encoded();
  BatchStream before(corpus, number_tokenizers(), kSmall, 1);
  StreamOptions other = kSmall;
  other.context = SentenceContext{.step_tokens = 90, .shuffle_window = 400};
  BatchStream after(corpus, number_tokenizers(), other, 1);
  for (int i = 0; i < 40; ++i) {
    const double share = before.epoch_progress();
    const int64_t epoch = before.position().epoch;
    after.seek_about({.epoch = epoch}, share);
    if (after.position().epoch == epoch) {
      EXPECT_GE(after.epoch_progress(), share - 1e-9);
      EXPECT_LE(after.epoch_progress(), share + 0.05);
    } else {
      EXPECT_EQ(after.epoch_progress(), 0);
    }
    BatchStream there(corpus, number_tokenizers(), other, 1);
    there.seek(after.position());
    EXPECT_EQ(after.next(), there.next());
    before.next();
  }
  after.seek_about({.epoch = 3}, 1);
  EXPECT_EQ(after.position(), (StreamPosition{.epoch = 4, .window = 0, .step = 0}));
  after.seek_about({.epoch = 3}, 0);
  EXPECT_EQ(after.position(), (StreamPosition{.epoch = 3, .window = 0, .step = 0}));
}

TEST(BatchStream, SeeksAShareOfAContinuousText) {
  const MadeCorpus made(300);
  build_corpus(made.directory.file("text"), {.source = {}, .target = made.files.target, .pairs = {}},
               {.source = nullptr, .target = number_tokenizers().target}, {});
  BatchStream stream(std::make_shared<const EncodedCorpus>(made.directory.file("text")), {},
                     {.context = TextContext{.columns = 4, .steps = 10}, .prefetch = 3, .prefetch_threads = 1}, 1);
  stream.seek_about({.epoch = 2}, 0.5);
  EXPECT_EQ(stream.position().epoch, 2);
  EXPECT_NEAR(stream.epoch_progress(), 0.5, 1 / stream.steps_per_epoch());
  stream.seek_about({.epoch = 2}, 1);
  EXPECT_EQ(stream.position(), (StreamPosition{.epoch = 3, .window = 0, .step = 0}));
}

TEST(BatchStream, ResumedIsUninterrupted) {
  const MadeCorpus made(1000);
  const auto corpus = made.encoded();
  for (const bool samples : {false, true}) {
    BatchStream whole(corpus, number_tokenizers(samples), kSmall, 1);
    for (int i = 0; i < 150; ++i) {
      const StreamPosition position = whole.position();
      const double progress = whole.epoch_progress();
      const StepBatch expected = whole.next();
      if (i % 13 != 0) continue;
      BatchStream resumed(corpus, number_tokenizers(samples), kSmall, 1);
      resumed.seek(position);
      EXPECT_EQ(resumed.position(), position);
      EXPECT_DOUBLE_EQ(resumed.epoch_progress(), progress);
      EXPECT_EQ(resumed.next(), expected) << i;
      EXPECT_EQ(resumed.position(), whole.position());
      EXPECT_DOUBLE_EQ(resumed.epoch_progress(), whole.epoch_progress());
    }
  }
}

TEST(BatchStream, SeeksBackAndForth) {
  const MadeCorpus made(1000);
  BatchStream stream(made.encoded(), number_tokenizers(true), kSmall, 1);
  const auto first = take(stream, 20);
  const StreamPosition later = stream.position();
  const auto second = take(stream, 20);
  stream.seek({});
  EXPECT_EQ(take(stream, 20), first);
  stream.seek(later);
  EXPECT_EQ(take(stream, 20), second);
}

TEST(BatchStream, IsTheSameWithAnyNumberOfThreads) {
  const MadeCorpus made(1000);
  const auto corpus = made.encoded();
  StreamOptions many = kSmall;
  many.prefetch_threads = 4;
  BatchStream one(corpus, number_tokenizers(true), kSmall, 1);
  BatchStream four(corpus, number_tokenizers(true), many, 1);
  EXPECT_EQ(take(one, 200), take(four, 200));
}

TEST(BatchStream, SamplesAnewEveryEpochWithinTheLimits) {
  testing::TemporaryDirectory directory;
  write_file(directory.file("pairs"), "4 5 6 7\t8 9 10 11 12 13 14 15\n");
  build_corpus(directory.file("c"), {.source = {}, .target = {}, .pairs = {directory.file("pairs")}},
               number_tokenizers(), {.max_source_length = 8, .max_target_length = 8});
  BatchStream stream(std::make_shared<const EncodedCorpus>(directory.file("c")), number_tokenizers(true), {}, 1);
  std::vector<int64_t> source_lengths;
  for (const StepBatch& step : take(stream, 50)) {
    source_lengths.push_back(step.source_tokens);
    EXPECT_EQ(step.target_tokens, 9) << "a sample above the limit is not used";
  }
  EXPECT_GT(*std::max_element(source_lengths.begin(), source_lengths.end()), 6);
  EXPECT_LE(*std::max_element(source_lengths.begin(), source_lengths.end()), 9);
  EXPECT_LT(*std::min_element(source_lengths.begin(), source_lengths.end()), 7);
}

TEST(BatchStream, SamplesOfEachSideHaveItsOwnLimit) {
  testing::TemporaryDirectory directory;
  write_file(directory.file("pairs"), "4 5 6 7\t8 9 10 11\n");
  build_corpus(directory.file("c"), {.source = {}, .target = {}, .pairs = {directory.file("pairs")}},
               number_tokenizers(), {.max_source_length = 4, .max_target_length = 8});
  BatchStream stream(std::make_shared<const EncodedCorpus>(directory.file("c")), number_tokenizers(true), {}, 1);
  int64_t longest_source = 0, longest_target = 0;
  for (const StepBatch& step : take(stream, 50)) {
    longest_source = std::max(longest_source, step.source_tokens);
    longest_target = std::max(longest_target, step.target_tokens);
  }
  EXPECT_LE(longest_source, 5);  // with the end of the sentence
  EXPECT_GT(longest_target, 5);
}

TEST(BatchStream, WastesLittleByPadding) {
  const MadeCorpus made(20'000);
  BatchStream stream(made.encoded(), number_tokenizers(), {}, 1);
  Padding waste;
  while (stream.position().epoch == 0) waste += padding(stream.next());
  EXPECT_LT(waste.share(), 0.1);
  EXPECT_GT(waste.share(), 0);
}

TEST(BatchStream, TellsHowFarTheEpochIs) {
  const MadeCorpus made(1000);
  StreamOptions options = kSmall;
  std::get<SentenceContext>(options.context).shuffle_window = 1000;
  BatchStream stream(made.encoded(), number_tokenizers(), options, 1);
  EXPECT_EQ(stream.epoch_progress(), 0);
  const double estimate = stream.steps_per_epoch();
  stream.next();
  const double exact = stream.steps_per_epoch();
  EXPECT_NEAR(estimate, exact, exact / 10);
  double before = 0;
  int64_t steps = 1;
  for (; stream.position().epoch == 0; ++steps, stream.next()) {
    EXPECT_GT(stream.epoch_progress(), before);
    before = stream.epoch_progress();
  }
  EXPECT_EQ(stream.epoch_progress(), 0);
  EXPECT_LT(before, 1);
  EXPECT_EQ(static_cast<double>(steps), exact);
}

TEST(BatchStream, APositionMustExist) {
  const MadeCorpus made(1000);
  BatchStream stream(made.encoded(), number_tokenizers(), kSmall, 1);
  EXPECT_EQ(testing::message_of<Error>([&] { stream.seek({.epoch = 2, .window = 4, .step = 0}); }),
            "cannot resume at epoch 2, window 4, step 0 of the training data: an epoch has 4 windows");
  EXPECT_THROW(stream.seek({.epoch = 0, .window = 0, .step = 1'000'000}), Error);
  EXPECT_THROW(stream.next(), Error) << "nothing is made after a failed seek";
  stream.seek({});
  EXPECT_FALSE(stream.next().micro_batches.empty());
}

/// Fails in the thread that makes the steps.
class BrokenTokenizer : public NumberTokenizer {
 public:
  BrokenTokenizer() : NumberTokenizer(true) {}
  text::Ids sample(std::string_view, RandomStream&) const override { throw std::runtime_error("broken"); }
};

TEST(BatchStream, RethrowsWhatItsThreadsThrow) {
  const MadeCorpus made(100);
  const auto broken = std::make_shared<BrokenTokenizer>();
  BatchStream stream(made.encoded(), {.source = broken, .target = broken}, kSmall, 1);
  EXPECT_EQ(testing::message_of<std::runtime_error>([&] { stream.next(); }), "broken");
  EXPECT_EQ(testing::message_of<std::runtime_error>([&] { stream.next(); }), "broken");
}

class SlowTokenizer : public NumberTokenizer {
 public:
  SlowTokenizer() : NumberTokenizer(true) {}
  text::Ids sample(std::string_view line, RandomStream& random) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return NumberTokenizer::sample(line, random);
  }
};

TEST(BatchStream, MeasuresWaiting) {
  const MadeCorpus made(100);
  const auto slow = std::make_shared<SlowTokenizer>();
  BatchStream stream(made.encoded(), {.source = slow, .target = slow}, kSmall, 1);
  const StepBatch step = stream.next();
  EXPECT_GE(stream.waiting_seconds(), 0.01);
}

TEST(BatchStream, EndsWhateverItDoes) {
  const MadeCorpus made(1000);
  const auto corpus = made.encoded();
  StreamOptions options = kSmall;
  options.prefetch_threads = 3;
  for (int taken = 0; taken < 30; ++taken) {
    BatchStream stream(corpus, number_tokenizers(true), options, 1);
    EXPECT_EQ(std::ssize(take(stream, taken)), taken);
  }
}

TEST(BatchStream, StreamsALanguageModel) {
  const MadeCorpus made(100);
  const CorpusFiles files{.source = {}, .target = made.files.target, .pairs = {}};
  const text::Tokenizers tokenizers{.source = nullptr, .target = std::make_shared<NumberTokenizer>(true)};
  build_corpus(made.directory.file("lm"), files, tokenizers, {});
  BatchStream stream(std::make_shared<const EncodedCorpus>(made.directory.file("lm")), tokenizers, {}, 1);
  const StepBatch step = stream.next();
  EXPECT_EQ(step.source_tokens, 0);
  EXPECT_EQ(step.micro_batches.at(0).source.columns, 0);
}

}  // namespace
}  // namespace heed::data
