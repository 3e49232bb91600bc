#include "heed/data/overlap/text_overlap.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/log.h"
#include "heed/data/overlap/left_out_lines.h"
#include "heed/data/overlap/pair_key.h"
#include "support/temporary_directory.h"

namespace heed::data {
namespace {

struct Overlap : ::testing::Test {
  std::string write(const std::string& name, const std::string& content) {
    write_file(directory.file(name), content);
    return directory.file(name);
  }
  CorpusFiles pairs(const std::string& name, const std::string& content) {
    return {.source = {}, .target = {}, .pairs = {write(name, content)}};
  }
  TextOverlap found(const CorpusFiles& train, const std::optional<CorpusFiles>& valid = {},
                    const TextFormat& format = {}) {
    return find_overlap({.train = train, .valid = valid, .format = format}, directory.file("scratch"),
                        DuplicateUse::LeaveOut);
  }
  testing::TemporaryDirectory directory;
};

std::vector<int64_t> lines_of(const LineSet& set, int64_t lines) {
  std::vector<int64_t> found;
  for (int64_t line = 0; line < lines; ++line) {
    if (set.contains(line)) found.push_back(line);
  }
  return found;
}

TEST_F(Overlap, CountsPairsOfTheValidationTextAndTheirSources) {
  const CorpusFiles train = pairs("train", "a\tA\nb\tB\na\tA\nc\tX\nd\tD\n");
  const TextOverlap overlap = found(train, pairs("dev", "z\tZ\na\tA\nc\tC\na\tA\n"));
  const OverlapCounts& counts = overlap.counts;
  EXPECT_EQ(counts.pairs, 5);
  EXPECT_EQ(counts.valid_pairs, 4);
  EXPECT_EQ(counts.leaking, 2) << "both lines of the training text";
  EXPECT_EQ(counts.valid_found, 2) << "both lines of the validation text";
  EXPECT_EQ(counts.valid_sources_found, 3) << "and c, whose target is another";
  EXPECT_EQ(lines_of(overlap.leaking, 5), (std::vector<int64_t>{0, 2}));
  const std::string dir = directory.file("");
  EXPECT_EQ(counts.leaking_examples,
            (std::vector<std::string>{dir + "train:1 is " + dir + "dev:2", dir + "train:3 is " + dir + "dev:2"}));
}

TEST_F(Overlap, CountsPairsThatRepeatAnEarlierOneOverAllFiles) {
  CorpusFiles train = pairs("one", "a\tA\nb\tB\n");
  train.pairs.push_back(write("two", "b\tA\nb\tB\nb\tB\n"));
  const TextOverlap overlap = found(train);
  EXPECT_EQ(overlap.counts.duplicates, 2);
  EXPECT_EQ(lines_of(overlap.duplicates, 5), (std::vector<int64_t>{3, 4})) << "the first stays";
  const std::string dir = directory.file("");
  EXPECT_EQ(overlap.counts.duplicate_examples,
            (std::vector<std::string>{dir + "two:2 repeats " + dir + "one:2", dir + "two:3 repeats " + dir + "one:2"}));
  EXPECT_EQ(overlap.counts.valid_pairs, 0);
  train.pairs[1] = train.pairs[0];
  EXPECT_EQ(found(train).counts.duplicates, 2) << "a file that is given twice";
}

TEST_F(Overlap, NamesTheFirstThreeDuplicates) {
  std::string text;
  for (int i = 0; i < 9; ++i) text += "a\tA\n";
  const OverlapCounts counts = found(pairs("t", text)).counts;
  EXPECT_EQ(counts.duplicates, 8);
  ASSERT_EQ(counts.duplicate_examples.size(), 3u);
  EXPECT_EQ(counts.duplicate_examples[2], directory.file("t") + ":4 repeats " + directory.file("t") + ":1");
}

TEST_F(Overlap, BlankSidesWeightsOf0AndBadRowsAreNotCompared) {
  EXPECT_EQ(found(pairs("blank", "\tA\n\tA\na\t \na\t \n")).counts.duplicates, 0);
  CorpusFiles weighted = pairs("weighted", "a\tA\t0\na\tA\t1\na\tA\t2\n");
  weighted.weight_column = true;
  const TextOverlap overlap = found(weighted);
  EXPECT_EQ(lines_of(overlap.duplicates, 3), (std::vector<int64_t>{2})) << "the first that is learned stays";
  const TextFormat lenient{.bad_rows = BadRows::LeaveOut};
  EXPECT_EQ(found(pairs("bad", "a\na\nb\tB\n"), {}, lenient).counts.duplicates, 0);
}

TEST_F(Overlap, SpaceAroundASideDoesNotCount) {
  EXPECT_EQ(found(pairs("t", "a b\tA\n a b \tA \na  b\tA\n")).counts.duplicates, 1);
}

TEST_F(Overlap, SidesAreNotExchanged) {
  EXPECT_EQ(found(pairs("t", "a\tb\nb\ta\nab\tb\na\tbb\n")).counts.duplicates, 0);
  EXPECT_NE(pair_key({.source = "a", .target = "a"}), pair_key({.source = "b", .target = "b"}));
}

TEST_F(Overlap, LinesOfALanguageModelAreCompared) {
  const CorpusFiles train{.source = {}, .target = {write("t", "a\nb\na\n\n\n")}, .pairs = {}};
  const CorpusFiles valid{.source = {}, .target = {write("v", "b\nc\n")}, .pairs = {}};
  const OverlapCounts counts = found(train, valid).counts;
  EXPECT_EQ(counts.duplicates, 1);
  EXPECT_EQ(counts.leaking, 1);
  EXPECT_EQ(counts.valid_found, 1);
  EXPECT_EQ(counts.valid_sources_found, 0);
}

TEST_F(Overlap, WithVectorsNothingIsCompared) {
  CorpusFiles train = pairs("t", "a\tA\na\tA\n");
  train.vectors = "some.npy";
  EXPECT_EQ(found(train, train).counts, OverlapCounts{.pairs = 2});
}

TEST_F(Overlap, TextIsComparedAsItIsRead) {
  const TextFormat format{.quotes = Quotes::Double, .header = true};
  const OverlapCounts counts =
      found(pairs("t", "en\tde\n\"a\"\t\"A\"\na\tA\n"), pairs("v", "en\tde\na\tA\n"), format).counts;
  EXPECT_EQ(counts.duplicates, 1);
  EXPECT_EQ(counts.leaking, 2);
  EXPECT_EQ(counts.leaking_examples[0], directory.file("t") + ":2 is " + directory.file("v") + ":2");
}

/// What work logs, line by line, warnings with "warning: ".
template <class Work>
std::vector<std::string> logged(const Work& work) {
  std::vector<std::string> lines;
  set_log_sink([&](LogLevel level, std::string_view line) {
    lines.push_back((level == LogLevel::Warning ? "warning: " : "") + std::string(line));
  });
  work();
  set_log_sink({});
  return lines;
}

TEST_F(Overlap, WithoutRoomOnTheDiskOnlyDuplicatesAreNotCounted) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "a\tA\n";  // more than one part holds in memory
  const ComparedTexts texts{.train = pairs("t", text), .valid = pairs("v", "a\tA\n"), .format = {}};
  const std::string scratch = directory.file("no such folder/scratch");
  TextOverlap overlap;
  const auto log = logged([&] { overlap = find_overlap(texts, scratch, DuplicateUse::Count); });
  EXPECT_EQ(log, std::vector<std::string>{"warning: " + scratch +
                                          ": cannot write: No such file or directory: repeated pairs of the training "
                                          "text are not counted"});
  EXPECT_EQ(overlap.counts.duplicates, std::nullopt);
  EXPECT_EQ(overlap.duplicates, LineSet());
  EXPECT_EQ(overlap.counts.duplicate_examples, std::vector<std::string>{});
  EXPECT_EQ(overlap.counts.pairs, 10'000);
  EXPECT_EQ(overlap.counts.leaking, 10'000) << "which needs no disk";
  EXPECT_THROW(find_overlap(texts, scratch, DuplicateUse::LeaveOut), FileError) << "it is asked for";
  CorpusFiles lost = texts.train;
  lost.pairs.push_back(directory.file("none"));
  EXPECT_THROW(find_overlap({.train = lost, .valid = {}, .format = {}}, directory.file("s"), DuplicateUse::Count),
               FileError)
      << "text that cannot be read is always an error";
}

TEST_F(Overlap, NothingAdvisesToLeaveOutLinesOfARunningText) {
  const OverlapCounts counts{
      .pairs = 10, .duplicates = 5, .leaking = 1, .valid_pairs = 1, .valid_found = 1, .valid_sources_found = 0};
  const CorpusFiles files{.source = {}, .target = {"book"}, .pairs = {}};
  EXPECT_EQ(
      logged([&] { log_overlap(counts, files, {}, /*running=*/true); }),
      (std::vector<std::string>{"warning: book: 1 of 1 validation lines is in the training text; scores on them do "
                                "not show how the model does on new text",
                                "book: 5 of 10 lines repeat an earlier one"}));
  const auto advice = logged([&] { log_overlap(counts, files, {}, /*running=*/false); });
  ASSERT_EQ(advice.size(), 2u);
  EXPECT_TRUE(advice[0].ends_with(": `--data.leaking leave-out` trains without them")) << advice[0];
  EXPECT_EQ(advice[1],
            "warning: book: 5 of 10 lines repeat an earlier one: `--data.duplicates leave-out` trains on each once");
}

TEST_F(Overlap, CountsAreKeptForTheTextsTheyAreOf) {
  const OverlapCounts counts = found(pairs("t", "a\tA\na\tA\n"), pairs("v", "a\tA\n")).counts;
  const std::string path = directory.file("overlap.json");
  EXPECT_EQ(read_overlap(path, "these"), std::nullopt) << "no file";
  write_overlap(path, "these", counts);
  EXPECT_EQ(read_overlap(path, "these"), counts);
  EXPECT_EQ(read_overlap(path, "others"), std::nullopt);
  write_file(path, "{\"texts\": \"these\", \"pairs\": []}");
  EXPECT_EQ(read_overlap(path, "these"), std::nullopt) << "damaged";
}

TEST(ExcludedLines, GoToAnotherProcess) {
  ExcludedLines lines{.origin = "0123abcd"};
  EXPECT_EQ(ExcludedLines::unpacked(lines.packed()), lines);
  for (const int64_t line : {3, 80, 81}) lines.duplicates.add(line);
  lines.leaking.add(9);
  const ExcludedLines unpacked = ExcludedLines::unpacked(lines.packed());
  EXPECT_EQ(unpacked, lines);
  EXPECT_EQ(lines_of(unpacked.duplicates, 100), (std::vector<int64_t>{3, 80, 81}));
  EXPECT_EQ(lines_of(unpacked.leaking, 100), (std::vector<int64_t>{9}));
}

}  // namespace
}  // namespace heed::data
