// Text that is read once: lines in, steps out, from any line on.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "data/made_corpus.h"
#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/log.h"
#include "heed/core/text/json_members.h"
#include "heed/data/batches/batch_stream.h"
#include "heed/data/batches/stream_position.h"
#include "heed/data/training_text.h"
#include "support/message_of.h"

namespace heed::data {
namespace {

using heed::testing::MadeCorpus;
using heed::testing::number_tokenizers;

constexpr uint64_t kSeed = 3;
constexpr bool kSamples = true;

StreamOptions with_buffer(int64_t pairs, int64_t step_tokens = 200) {
  return {.context = SentenceContext{.step_tokens = step_tokens, .shuffle_buffer = pairs},
          .micro_batches = 2,
          .prefetch = 3,
          .prefetch_threads = 2};
}

struct Reading {
  StreamOptions options = with_buffer(300);
  uint64_t seed = kSeed;
  bool samples = false;
  CorpusOptions limits = {};
  std::shared_ptr<const ValidationPairs> valid = nullptr;
  MicroBatchShare share = {};
  std::shared_ptr<BroadcastStream> feed = nullptr;  // to another rank
};

/// A stream of these files from their begin.
struct Streamed {
  explicit Streamed(const CorpusFiles& files, const Reading& reading = {})
      : lines(std::make_shared<PairStream>(files, reading.limits.format)),
        text(lines,
             {.tokenizers = number_tokenizers(), .options = reading.limits, .threads = 2, .valid = reading.valid},
             reading.feed),
        steps(text.batches(number_tokenizers(reading.samples), reading.options, reading.share, reading.seed),
              reading.options) {}

  bool has_next() {
    return steps.wait([] { return false; }) == Waited::Batch;
  }
  StepBatch next() {
    ++given;
    return steps.next();
  }
  std::vector<StepBatch> rest() {
    std::vector<StepBatch> all;
    while (has_next()) all.push_back(next());
    return all;
  }

  std::shared_ptr<PairStream> lines;
  StreamedText text;
  BatchStream steps;
  size_t given = 0;  // by next()
};

std::vector<int64_t> lines_of(const StepBatch& step) {
  std::vector<int64_t> lines;
  for (const MicroBatch& part : step.micro_batches) lines.insert(lines.end(), part.lines.begin(), part.lines.end());
  return lines;
}

std::vector<int64_t> lines_of(const std::vector<StepBatch>& steps) {
  std::vector<int64_t> lines;
  for (const StepBatch& step : steps) {
    for (const int64_t line : lines_of(step)) lines.push_back(line);
  }
  return lines;
}

/// The first lines of made text, in files of their own.
CorpusFiles first_of(const MadeCorpus& made, size_t count) {
  CorpusFiles files = made.files;
  for (auto* side : {&files.source, &files.target}) {
    std::string content;
    const auto lines = read_lines(side->front());
    for (size_t i = 0; i < count; ++i) content += lines[i] + '\n';
    side->front() = made.directory.file(std::filesystem::path(side->front()).filename().string() + ".first");
    write_file(side->front(), content);
  }
  return files;
}

TEST(Streamed, GivesEveryPairOnceAndEnds) {
  const MadeCorpus made(1000);
  Streamed stream(made.files);
  std::vector<int64_t> lines = lines_of(stream.rest());
  EXPECT_FALSE(std::ranges::is_sorted(lines));
  std::ranges::sort(lines);
  std::vector<int64_t> all(1000);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(lines, all);
  EXPECT_EQ(stream.steps.wait([] { return false; }), Waited::End) << "it stays at its end";
}

TEST(Streamed, AnUpdateIsOfOneBuffer) {
  const MadeCorpus made(1000);
  Streamed stream(made.files);
  for (int64_t buffer = 0; stream.has_next();) {
    EXPECT_EQ(stream.steps.position().window, buffer);
    EXPECT_EQ(stream.steps.position().lines->before.read, 300 * buffer);
    for (const int64_t line : lines_of(stream.steps.next())) EXPECT_EQ(line / 300, buffer) << line;
    buffer = stream.steps.position().window;
  }
}

TEST(Streamed, ABufferIsAWindowOfStoredText) {
  const MadeCorpus made(400);
  for (const bool samples : {false, kSamples}) {
    Streamed stream(made.files, {.options = with_buffer(1000), .samples = samples});
    StreamOptions stored = with_buffer(1000);
    std::get<SentenceContext>(stored.context).shuffle_buffer.reset();
    BatchStream window(made.encoded(), number_tokenizers(samples), stored, kSeed);
    const std::vector<StepBatch> steps = stream.rest();
    EXPECT_GT(steps.size(), 10U);
    for (const StepBatch& step : steps) EXPECT_EQ(step, window.next());
    EXPECT_EQ(window.position().epoch, 1);
  }
}

TEST(Streamed, OrderIsAFunctionOfTheSeedAndTheLinesSoFar) {
  const MadeCorpus made(900);
  const std::vector<StepBatch> all = Streamed(made.files).rest();
  StreamOptions threads = with_buffer(300);
  threads.prefetch_threads = 4;
  EXPECT_EQ(Streamed(made.files, {.options = threads}).rest(), all);
  EXPECT_NE(lines_of(Streamed(made.files, {.seed = kSeed + 1}).rest()), lines_of(all));
  const std::vector<StepBatch> begin = Streamed(first_of(made, 600)).rest();
  ASSERT_LT(begin.size(), all.size());
  EXPECT_EQ(begin, std::vector<StepBatch>(all.begin(), all.begin() + std::ssize(begin)));
}

TEST(Streamed, ResumedIsUninterruptedAtAnyUpdate) {
  const MadeCorpus made(700);
  const Reading reading{.samples = kSamples};
  Streamed to_the_end(made.files, reading);
  const std::vector<StepBatch> all = to_the_end.rest();
  const StreamPosition end = to_the_end.steps.position();
  Streamed whole(made.files, reading);
  for (size_t given = 0; given < all.size(); ++given) {
    Streamed resumed(made.files, reading);
    resumed.steps.seek(whole.steps.position());
    EXPECT_EQ(resumed.steps.position(), whole.steps.position());
    EXPECT_EQ(resumed.rest(), std::vector<StepBatch>(all.begin() + static_cast<int64_t>(given), all.end())) << given;
    EXPECT_EQ(resumed.steps.position(), end) << given;
    ASSERT_TRUE(whole.has_next());
    whole.steps.next();
  }
  ASSERT_FALSE(whole.has_next());
  Streamed over(made.files, reading);
  over.steps.seek(whole.steps.position());
  EXPECT_TRUE(over.rest().empty()) << "it had ended";
}

TEST(Streamed, WhatIsLeftOutIsCounted) {
  const MadeCorpus made(1000, 20);
  Streamed stream(made.files, {.options = with_buffer(100), .limits = {.max_target_length = 10}});
  const std::vector<int64_t> kept = lines_of(stream.rest());
  const CorpusSummary counted = stream.steps.position().lines->before;
  EXPECT_EQ(counted, made.encoded({.max_target_length = 10})->summary());
  EXPECT_EQ(counted.read, 1000);
  EXPECT_EQ(counted.kept, std::ssize(kept));
  EXPECT_GT(counted.too_long, 100);
}

TEST(Streamed, ReplacedLinesAreCounted) {
  const MadeCorpus made(3, 5);
  write_file(made.files.source[0], "4\n\xff\n5\n");
  write_file(made.files.target[0], "4\n4\n\xff 5\n");
  Streamed stream(made.files,
                  {.options = with_buffer(2), .limits = {.format = {.invalid_text = InvalidText::Replace}}});
  stream.rest();
  EXPECT_EQ(stream.steps.position().lines->before.replaced_lines, 2);
}

TEST(Streamed, CountsHowLongTheSourcesHaveBeen) {
  const MadeCorpus made(5, 5);
  write_file(made.files.source[0], "4 5 6\n7\n4 5\n4 5 6 7 8 9\n4\n");
  write_file(made.files.target[0], "4\n4\n4\n4\n4\n");
  Streamed stream(made.files, {.options = with_buffer(2, 2)});  // a pair a step
  const auto usual = [&] { return stream.steps.position().lines->usual_source_length; };
  EXPECT_EQ(usual(), std::nullopt) << "nothing is read yet";
  stream.steps.next();
  EXPECT_EQ(usual(), 3);
  EXPECT_EQ(stream.steps.position().lines->source_lengths, (LengthCounts{})) << "before the buffer";
  while (stream.steps.position().window < 1) stream.steps.next();
  EXPECT_EQ(stream.steps.position().lines->source_lengths, (LengthCounts{0, 1, 0, 1}));
  stream.rest();
  EXPECT_EQ(usual(), 6);
  EXPECT_EQ(stream.steps.position().lines->source_lengths, (LengthCounts{0, 2, 1, 1, 0, 0, 1}));
}

TEST(Streamed, NamesTheLinesOfAnUpdate) {
  const MadeCorpus made(20, 5);
  write_file(made.files.target[0], "4\n\n5\n" + std::string(17 * 2, '\n').substr(17));
  Streamed stream(made.files, {.options = with_buffer(10)});
  ASSERT_TRUE(stream.has_next());
  const StepBatch step = stream.steps.next();
  std::vector<std::string> places;
  for (const int64_t line : lines_of(step)) places.push_back(stream.steps.pairs().place(line));
  std::ranges::sort(places);
  EXPECT_EQ(places, (std::vector{made.files.target[0] + ":1", made.files.target[0] + ":3"}));
  EXPECT_EQ(stream.steps.pairs().text(1).target, "5");
}

TEST(Streamed, WeightsComeWithThePairs) {
  const MadeCorpus made(3, 5);
  CorpusFiles files{.source = {}, .target = {}, .pairs = {made.directory.file("pairs")}, .weight_column = true};
  write_file(files.pairs[0], "4\t5\t0.5\n6\t7 8\t0\n9\t9\t2\n");
  Streamed stream(files, {.options = with_buffer(10)});
  const std::vector<StepBatch> steps = stream.rest();
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].weight(), 0.5 * 2 + 2 * 2);
  EXPECT_EQ(stream.steps.position().lines->before.weightless, 1);
}

TEST(Streamed, LinksComeWithThePairs) {
  const MadeCorpus made(3, 5);
  CorpusFiles files{.source = {}, .target = {}, .pairs = {made.directory.file("pairs")}};
  write_file(files.pairs[0], "4\t5\n\t7 8\n9 9\t9\n");
  files.alignments = {made.directory.file("links")};
  write_file(files.alignments[0], "0-0\n\n1-0\n");
  Streamed stream(files, {.options = with_buffer(10)});
  const std::vector<StepBatch> steps = stream.rest();
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(stream.steps.pairs().text(1).alignment, "1-0");
  int64_t links = 0;
  for (const MicroBatch& part : steps[0].micro_batches) {
    for (const TokenLink& link : part.links) {
      EXPECT_EQ(link.source, part.lines[static_cast<size_t>(link.row)]);
      ++links;
    }
  }
  EXPECT_EQ(links, 2);
}

TEST(Streamed, LinesThatWereReadAheadAreGivenAllTheSame) {
  const MadeCorpus made(900);
  Streamed ahead(made.files);
  ahead.lines->read_ahead(2000, [](const TextPair& pair) { return std::ssize(pair.target); });
  EXPECT_GT(ahead.lines->ahead(), 10);
  EXPECT_LT(ahead.lines->ahead(), 500);
  EXPECT_EQ(ahead.lines->ahead(0).target + '\n',
            read_file(made.files.target[0]).substr(0, ahead.lines->ahead(0).target.size() + 1));
  EXPECT_EQ(ahead.rest(), Streamed(made.files).rest());
}

std::string refusal(const CorpusFiles& files, const StreamPosition& position) {
  Streamed stream(files);
  stream.steps.seek(position);
  return heed::testing::message_of<InputError>([&] { stream.steps.next(); });
}

TEST(Streamed, OtherTextThanBeforeIsRefused) {
  const MadeCorpus made(700), other(700, 20, 2);
  Streamed stream(made.files);
  while (stream.steps.position().window < 2) stream.steps.next();
  const StreamPosition position = stream.steps.position();
  const CorpusFiles shorter = first_of(made, 599);
  EXPECT_EQ(refusal(shorter, position), shorter.source[0] + ", " + shorter.target[0] +
                                            ": ends after 599 lines, but the training has read 600 of it: "
                                            "give the same text again, from its beginning");
  EXPECT_EQ(refusal(other.files, position),
            other.files.source[0] + ", " + other.files.target[0] +
                ": its first 600 lines differ from those that the training has read: give the same text again, "
                "from its beginning");
}

TEST(Streamed, OtherWeightsThanBeforeAreRefused) {
  const MadeCorpus made(700);
  CorpusFiles files = made.files;
  files.weights = {made.directory.file("weights")};
  const auto write_weights = [&](const char* weight) {
    std::string lines;
    for (int line = 0; line < 700; ++line) lines += std::string(weight) + '\n';
    write_file(files.weights[0], lines);
  };
  write_weights("1");
  Streamed stream(files);
  while (stream.steps.position().window < 1) stream.steps.next();
  write_weights("2");
  EXPECT_NE(refusal(files, stream.steps.position()).find("its first 300 lines differ from"), std::string::npos);
}

TEST(Streamed, TextThatLeavesNoPairIsRefused) {
  const MadeCorpus made(2, 5);
  for (const auto* side : {&made.files.source, &made.files.target}) write_file(side->front(), "4\n\n");
  Streamed stream(made.files, {.limits = {.filters = {.identical_sides = FilterAction::LeaveOut}}});
  EXPECT_EQ(heed::testing::message_of<InputError>([&] { stream.steps.next(); }),
            made.files.source[0] + ", " + made.files.target[0] +
                ": no pair is left: 2 pairs, 0 of them kept; left out: 1 with an empty side, 1 with identical sides");
}

TEST(Streamed, APositionOfAnOlderCheckpointHasFewerCounts) {
  const StreamPosition position{.lines = StreamedLines{.before = {.read = 9, .kept = 8, .empty = 1}, .sha256 = "ab"}};
  auto json = json_of(position);
  for (const char* newer : {"bad_rows", "duplicates", "leaking"}) json["lines"]["before"].erase(newer);
  EXPECT_EQ(read_json<StreamPosition>(JsonMembers(json)), position);
}

TEST(Streamed, PairsOfTheValidationTextAreCountedOrLeftOut) {
  const MadeCorpus made(2, 5);
  const std::string valid = made.directory.file("valid");
  write_file(valid, "5\t6\n7\t8\n");
  write_file(made.files.source[0], "5\n5\n7\n9\n");
  write_file(made.files.target[0], "6\n4\n8\n9\n");
  const CorpusFiles valid_files{.source = {}, .target = {}, .pairs = {valid}};
  Reading reading{.valid = std::make_shared<ValidationPairs>(valid_files, TextFormat{}, "")};
  std::vector<std::string> log;
  set_log_sink([&](LogLevel, std::string_view message) { log.emplace_back(message); });
  const auto summary_of = [&] {
    Streamed stream(made.files, reading);
    stream.rest();
    return stream.steps.position().lines->before;
  };
  const CorpusSummary counted = summary_of();
  EXPECT_EQ(counted.leaking, 2);
  EXPECT_EQ(counted.kept, 4);
  reading.limits.filters.leaking = FilterAction::LeaveOut;
  const CorpusSummary left_out = summary_of();
  set_log_sink({});
  EXPECT_EQ(left_out.leaking, 2);
  EXPECT_EQ(left_out.kept, 2);
  ASSERT_EQ(log.size(), 2u);
  const std::string names = made.files.source[0] + ", " + made.files.target[0];
  EXPECT_EQ(log[1], names + ": 2 pairs of the first 4 in the validation text too (" + made.files.target[0] + ":1 is " +
                        valid + ":1): left out of the training");
}

TEST(Streamed, WithOtherOptionsGoesOnInTheSameBuffer) {
  const MadeCorpus made(900);
  Streamed before(made.files);
  while (before.steps.position().window < 1 || before.steps.position().lines->given < 150) before.steps.next();
  Streamed after(made.files, {.options = with_buffer(300, 90)});
  after.steps.seek_about(before.steps.position(), 0);
  ASSERT_TRUE(after.has_next());
  const int64_t given = 300 - std::ranges::count_if(lines_of(after.rest()), [](int64_t line) { return line < 600; });
  EXPECT_GE(given, before.steps.position().lines->given);
  EXPECT_LT(given, before.steps.position().lines->given + 90);
}

/// From one rank to another.
class Queue : public BroadcastStream {
 public:
  void send(const std::string& block) override {
    const std::lock_guard lock(mutex_);
    blocks_.push_back(block);
  }
  std::optional<std::string> receive(const std::function<bool()>& gives_up) override {
    while (true) {
      {
        const std::lock_guard lock(mutex_);
        if (!blocks_.empty()) {
          std::string block = std::move(blocks_.front());
          blocks_.pop_front();
          return block;
        }
      }
      if (gives_up()) return std::nullopt;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  std::mutex mutex_;
  std::deque<std::string> blocks_;
};

/// A stream as its second and last rank has it, which sees no file. Each rank makes one of a step's two parts.
struct Followed {
  explicit Followed(const std::shared_ptr<BroadcastStream>& feed, const Reading& reading, const CorpusForm& form)
      : text(feed, form, reading.limits),
        steps(text.batches(number_tokenizers(reading.samples), reading.options, {.index = 1, .of = 2}, reading.seed),
              reading.options) {}
  ReceivedText text;
  BatchStream steps;
};
constexpr CorpusForm kTwoSides{.has_source = true};

/// Reads the rest of a stream on two ranks, from a position, and expects `all`.
void expect_on_two_ranks(const CorpusFiles& files, Reading reading, const StreamPosition& from,
                         std::span<const StepBatch> all) {
  reading.feed = std::make_shared<Queue>();
  reading.share = {.index = 0, .of = 2};
  Streamed leader(files, reading);
  Followed follower(reading.feed, reading, kTwoSides);
  leader.steps.seek(from);
  follower.steps.seek(from);
  for (const StepBatch& step : all) {
    const StepBatch first = leader.steps.next(), second = follower.steps.next();
    ASSERT_EQ(first.micro_batches.size(), 2U);
    EXPECT_EQ(first.micro_batches[0], step.micro_batches[0]);
    EXPECT_EQ(second.micro_batches[1], step.micro_batches[1]);
    EXPECT_EQ(second.target_tokens, step.target_tokens);
    EXPECT_EQ(follower.steps.position(), leader.steps.position());
    const int64_t line = step.micro_batches[1].lines[0];
    EXPECT_EQ(follower.steps.pairs().place(line), leader.steps.pairs().place(line));
  }
  for (BatchStream* steps : {&leader.steps, &follower.steps}) {
    EXPECT_EQ(steps->wait([] { return false; }), Waited::End);
  }
  EXPECT_EQ(follower.steps.position(), leader.steps.position());
}

TEST(Streamed, RanksMakeTheirPartsOfTheSameUpdatesFromAnyOneOn) {
  const MadeCorpus made(700);
  for (const bool samples : {false, kSamples}) {
    const Reading reading{.samples = samples, .limits = {.max_target_length = 15}};
    const std::vector<StepBatch> all = Streamed(made.files, reading).rest();
    Streamed whole(made.files, reading);
    for (const size_t given : {size_t{0}, size_t{1}, all.size() / 2, all.size()}) {
      while (whole.given < given) whole.next();
      expect_on_two_ranks(made.files, reading, whole.steps.position(), std::span(all).subspan(given));
    }
  }
}

TEST(Streamed, WeightsReachTheOtherRanks) {
  const MadeCorpus made(3, 5);
  CorpusFiles files{.source = {}, .target = {}, .pairs = {made.directory.file("pairs")}, .weight_column = true};
  write_file(files.pairs[0], "4\t5\t0.5\n9\t9\t2\n");
  Reading reading{.options = with_buffer(10), .share = {.index = 0, .of = 2}, .feed = std::make_shared<Queue>()};
  Streamed leader(files, reading);
  Followed follower(reading.feed, reading, {.has_source = true, .has_weights = true});
  ASSERT_TRUE(leader.has_next());
  EXPECT_EQ(follower.steps.next().weight(), 0.5 * 2 + 2 * 2);
}

TEST(Streamed, ARankGivesUpWaitingForAnother) {
  const Reading reading{.options = with_buffer(1)};
  Followed follower(std::make_shared<Queue>(), reading, kTwoSides);
  int asked = 0;
  EXPECT_EQ(follower.steps.wait([&] { return ++asked > 3; }), Waited::Nothing);
}

class Fifo {
 public:
  Fifo() : path(directory.file("lines")) { EXPECT_EQ(mkfifo(path.c_str(), 0600), 0); }
  testing::TemporaryDirectory directory;
  std::string path;
};

TEST(Streamed, GivesUpWaitingForALine) {
  const Fifo fifo;
  std::FILE* sender = nullptr;
  std::jthread opens([&] { sender = std::fopen(fifo.path.c_str(), "w"); });
  {
    Streamed stream({.source = {}, .target = {}, .pairs = {fifo.path}}, {.options = with_buffer(1)});
    int asked = 0;
    EXPECT_EQ(stream.steps.wait([&] { return ++asked > 3; }), Waited::Nothing);
    opens.join();
    std::fputs("4 5\t6\n", sender);
    std::fflush(sender);
    EXPECT_EQ(stream.steps.next().target_tokens, 2);
    EXPECT_EQ(stream.steps.wait([&] { return ++asked > 6; }), Waited::Nothing);
  }  // though the sender might still send
  std::fclose(sender);
}

}  // namespace
}  // namespace heed::data
