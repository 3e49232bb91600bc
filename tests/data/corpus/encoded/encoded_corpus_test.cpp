#include "heed/data/encoded/encoded_corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <zlib.h>
#include <nlohmann/json.hpp>

#include "data/made_corpus.h"
#include "data/number_tokenizer.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/data/encoded/corpus_layout.h"
#include "heed/data/encoded/index_file.h"
#include "support/message_of.h"

namespace heed::data {
namespace {

using testing::MadeCorpus;
using testing::message_of;
using testing::number_tokenizers;
using testing::NumberTokenizer;

struct Encoding : ::testing::Test {
  void write(const std::string& source, const std::string& target) {
    write_file(files.source[0], source);
    write_file(files.target[0], target);
  }
  std::shared_ptr<const EncodedCorpus> open(const CorpusOptions& options = {}) {
    return open_or_build_corpus(path, files, number_tokenizers(), options);
  }
  /// Without waiting for the disk, as write_file does.
  void overwrite(const std::string& content) const { std::ofstream(path, std::ios::binary) << content; }
  testing::TemporaryDirectory directory;
  CorpusFiles files{.source = {directory.file("source")}, .target = {directory.file("target")}, .pairs = {}};
  std::string path = directory.file("corpus");
};

/// Collects what is logged for as long as it lives.
struct CollectedLog {
  CollectedLog() {
    set_log_sink([this](LogLevel level, std::string_view message) {
      lines.push_back((level == LogLevel::Warning ? "warning: " : "") + std::string(message));
    });
  }
  ~CollectedLog() { set_log_sink({}); }
  std::vector<std::string> lines;
};

TEST_F(Encoding, KeepsTextAndIds) {
  write("7 8\n9\n", "4 x 6\n5\n");
  EXPECT_EQ(build_corpus(path, files, number_tokenizers(), {}),
            (CorpusSummary{.read = 2, .kept = 2, .source_tokens = 5, .target_tokens = 6, .target_unknown = 1}));
  const EncodedCorpus corpus(path);
  ASSERT_EQ(corpus.size(), 2);
  EXPECT_TRUE(corpus.has_source());
  EXPECT_EQ(corpus.source_ids(0), (text::Ids{7, 8}));
  EXPECT_EQ(corpus.target_ids(0), (text::Ids{4, text::kUnk, 6}));
  EXPECT_EQ(corpus.text(0).source, "7 8");
  EXPECT_EQ(corpus.text(0).target, "4 x 6");
  EXPECT_EQ(corpus.target_ids(1), (text::Ids{5}));
  EXPECT_EQ(corpus.text(1).source, "9");
  EXPECT_EQ(corpus.source_length(0), 2);
  EXPECT_EQ(corpus.target_length(0), 3);
  EXPECT_EQ(corpus.summary().target_unknown, 1);
  EXPECT_THROW(corpus.source_ids(2), std::logic_error);
}

TEST_F(Encoding, NamesTheLineOfAPair) {
  files.target = {directory.file("first"), directory.file("second")};
  write_file(files.source[0], "1\n\n2\n3\n");
  write_file(files.target[0], "1\n2\n3\n");
  write_file(files.target[1], "4\n");
  build_corpus(path, files, number_tokenizers(), {});
  const EncodedCorpus corpus(path);
  ASSERT_EQ(corpus.size(), 3);
  EXPECT_EQ(corpus.place(0), files.target[0] + ":1");
  EXPECT_EQ(corpus.place(1), files.target[0] + ":3") << "the empty pair is left out, its line still counts";
  EXPECT_EQ(corpus.place(2), files.target[1] + ":1");
}

TEST_F(Encoding, CountsWhatIsLeftOut) {
  write("1 2 3\n1 2 3 4\n1\n \u3000\n1\n", "1\n1\n1 2 3\n1\n\n");
  const CorpusOptions options{.max_source_length = 3, .max_target_length = 2};
  const CorpusSummary summary = build_corpus(path, files, number_tokenizers(), options);
  EXPECT_EQ(summary, (CorpusSummary{.read = 5,
                                    .kept = 1,
                                    .empty = 2,
                                    .too_long = 2,
                                    .source_tokens = 4,
                                    .target_tokens = 2,
                                    .source_unknown = 1,
                                    .target_unknown = 1}));
  EXPECT_EQ(summary_text({.read = 8, .too_long = 8}, options, {.has_source = false, .target = text::Ids{}}),
            "8 lines, 0 of them kept; left out: 8 with more than 2 target tokens");
  EXPECT_EQ(summary_text(summary, options, {.has_source = true, .target = text::Ids{}}),
            "5 pairs, 1 of them kept; left out: 2 with an empty side, 2 with more than 3 source or 2 target tokens; "
            "not in the vocabulary: 100.0% of the target tokens, 33.3% of the source's");
}

TEST_F(Encoding, KeepsWeightsAndLeavesOutPairsThatCountNothing) {
  write("1\n2\n3\n", "4 5\n5\n6\n");
  files.weights = {directory.file("weights")};
  write_file(files.weights[0], "0.25\n0\n3\n");
  EXPECT_EQ(build_corpus(path, files, number_tokenizers(), {}).weightless, 1);
  const EncodedCorpus corpus(path);
  ASSERT_EQ(corpus.size(), 2);
  EXPECT_TRUE(corpus.has_weights());
  EXPECT_EQ(corpus.weight(0), 0.25f);
  EXPECT_EQ(corpus.weight(1), 3);
  EXPECT_NO_THROW(corpus.check_all());
  EXPECT_TRUE(has_fitting_corpus(path, files, number_tokenizers(), {}));
  write_file(files.weights[0], "0.5\n0\n3\n");
  EXPECT_FALSE(has_fitting_corpus(path, files, number_tokenizers(), {}));
  build_corpus(path, files, number_tokenizers(), {});
  EXPECT_EQ(EncodedCorpus(path).weight(0), 0.5f) << "not those of the shard before";
  files.weights.clear();
  EXPECT_FALSE(has_fitting_corpus(path, files, number_tokenizers(), {}));
  build_corpus(path, files, number_tokenizers(), {});
  EXPECT_EQ(EncodedCorpus(path).weight(1), 1);
}

TEST_F(Encoding, KeepsTheAlignmentsOfThePairsThatAreKept) {
  write("1 2\n\n3\n", "4 5\n5\n6\n");
  build_corpus(path, files, number_tokenizers(), {});
  EXPECT_EQ(EncodedCorpus(path).text(0).alignment, "");
  EXPECT_NE(read_file(path).find("\"format\": 4"), std::string::npos) << "as older programs read it";
  files.alignments = {directory.file("links")};
  write_file(files.alignments[0], "0-1 1-0\n\n0-0\n");
  EXPECT_FALSE(has_fitting_corpus(path, files, number_tokenizers(), {}));
  build_corpus(path, files, number_tokenizers(), {});
  const EncodedCorpus corpus(path);
  ASSERT_EQ(corpus.size(), 2);
  EXPECT_TRUE(corpus.form().has_alignments);
  EXPECT_EQ(corpus.text(0).alignment, "0-1 1-0");
  EXPECT_EQ(corpus.text(1).alignment, "0-0");
  EXPECT_EQ(corpus.text(1).source, "3");
  EXPECT_EQ(corpus.text(1).target, "6");
  EXPECT_NE(read_file(path).find("\"format\": 5"), std::string::npos);
  write_file(files.alignments[0], "0-1\n\n0-0\n");
  EXPECT_FALSE(has_fitting_corpus(path, files, number_tokenizers(), {}));
  build_corpus(path, files, number_tokenizers(), {});
  EXPECT_EQ(EncodedCorpus(path).text(0).alignment, "0-1") << "not that of the shard before";
}

TEST_F(Encoding, SaysSoInOneLine) {
  write("4\n\n", "4\n5\n");
  CollectedLog log;
  open();
  EXPECT_EQ(log.lines, std::vector<std::string>{"warning: " + files.source[0] + ", " + files.target[0] +
                                                ": 2 pairs, 1 of them kept; left out: 1 with an empty side"});
  std::filesystem::remove(path);
  files.names[files.source[0]] = "standard input";
  open();
  EXPECT_TRUE(log.lines.back().starts_with("warning: standard input, " + files.target[0] + ": 2 pairs"))
      << log.lines.back();
}

TEST_F(Encoding, AVocabularyThatDoesNotCoverTheTextIsWorthAWarning) {
  write("4 5 6 7 8 9 10 11 12 13 x\n", "4\n");
  CollectedLog log;
  open();
  write("4 5 x\n", "4\n");
  open();
  const std::string names = files.source[0] + ", " + files.target[0] +
                            ": 1 pairs, 1 of them kept; not in the vocabulary: 0.0% of the target tokens, ";
  EXPECT_EQ(log.lines[0], names + "9.1% of the source's");
  EXPECT_EQ(log.lines.back(), "warning: " + names + "33.3% of the source's");
}

TEST_F(Encoding, NothingLeftIsAnError) {
  write("\n", "4\n");
  EXPECT_EQ(message_of<InputError>([this] { open(); }),
            files.source[0] + ", " + files.target[0] +
                ": no pair is left: 1 pairs, 0 of them kept; left out: 1 with an empty side");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Encoding, ALanguageModelHasNoSource) {
  write("", "4 5\n");
  build_corpus(path, {.source = {}, .target = files.target, .pairs = {}},
               {.source = nullptr, .target = std::make_shared<NumberTokenizer>()}, {});
  const EncodedCorpus corpus(path);
  EXPECT_FALSE(corpus.has_source());
  EXPECT_TRUE(corpus.source_ids(0).empty());
  EXPECT_EQ(corpus.text(0).target, "4 5");
  EXPECT_EQ(corpus.summary().source_tokens, 0);
}

TEST_F(Encoding, IsTheSameWithAnyNumberOfThreads) {
  const MadeCorpus made(10'000);
  build_corpus(directory.file("one"), made.files, number_tokenizers(), {}, {.threads = 1});
  build_corpus(directory.file("three"), made.files, number_tokenizers(), {}, {.threads = 3});
  EXPECT_EQ(read_file(directory.file("one")), read_file(directory.file("three")));
  EXPECT_EQ(read_file(directory.file("one.0")), read_file(directory.file("three.0")));
}

TEST_F(Encoding, ManyBlocksAreOneCorpus) {
  std::string lines;
  const int64_t pairs = 2 * 65'536 + 3;
  for (int64_t i = 0; i < pairs; ++i) lines += std::to_string(i % 997) + " " + std::to_string(i / 997) + "\n";
  write(lines, lines);
  build_corpus(path, files, number_tokenizers(), {});
  const EncodedCorpus corpus(path);
  ASSERT_EQ(corpus.size(), pairs);
  for (const int64_t pair : {int64_t{0}, int64_t{65'535}, int64_t{65'536}, 2 * int64_t{65'536}, pairs - 1}) {
    EXPECT_EQ(corpus.target_ids(pair), (text::Ids{static_cast<int32_t>(pair % 997), static_cast<int32_t>(pair / 997)}));
  }
}

TEST_F(Encoding, IsReusedOnlyWhereItFits) {
  write("4\n5\n", "4\n5\n");
  open();
  const auto written = [this] { return std::filesystem::last_write_time(path); };
  const auto age = [this] {
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::min() + std::chrono::hours(1));
    return std::filesystem::last_write_time(path);
  };
  auto old = age();
  open();
  EXPECT_EQ(written(), old) << "same text";
  std::filesystem::copy_file(files.source[0], directory.file("moved"));
  open_or_build_corpus(path, {.source = {directory.file("moved")}, .target = files.target, .pairs = {}},
                       number_tokenizers(), {});
  EXPECT_EQ(written(), old) << "same text in another place";
  write("4\n6\n", "4\n5\n");
  EXPECT_EQ(open()->source_ids(1), text::Ids{6});
  EXPECT_NE(written(), old) << "other text of the same size";
  old = age();
  open({.max_source_length = 9});
  EXPECT_NE(written(), old) << "other limits";
  const CorpusOptions filtered{.filters = {.identical_sides = FilterAction::LeaveOut}};
  open(filtered);
  old = age();
  open(filtered);
  EXPECT_EQ(written(), old) << "the same filters";
  open({.max_source_length = 9});
  old = age();
  const auto other = std::make_shared<NumberTokenizer>(false, "other");
  open_or_build_corpus(path, files, {.source = other, .target = other}, {.max_source_length = 9});
  EXPECT_NE(written(), old) << "other tokenizers";
}

TEST_F(Encoding, DamageIsFoundAndRepaired) {
  write("4 5\n6 7 8\n", "4\n9 10\n");
  open();
  const std::string good = read_file(path);
  const std::string message = path + ": is damaged or truncated: not the corpus that was written";
  for (size_t size = 0; size < good.size(); size += 7) {
    overwrite(good.substr(0, size));
    EXPECT_EQ(message_of<CheckpointError>([this] { EncodedCorpus corpus(path); }), message) << size;
  }
  for (size_t byte = 0; byte < good.size(); ++byte) {
    std::string bad = good;
    bad[byte] = static_cast<char>(bad[byte] ^ 0x20);
    overwrite(bad);
    EXPECT_THROW(EncodedCorpus corpus(path), CheckpointError) << byte;
  }
  CollectedLog log;
  EXPECT_EQ(open()->target_ids(1), (text::Ids{9, 10}));
  EXPECT_EQ(log.lines.at(0), "warning: " + message + "; encoding again");
  EXPECT_EQ(read_file(path), good);
}

/// A file of a corpus with another JSON, whose checksum is right.
std::string with_json(const std::string& file, const std::function<void(nlohmann::json&)>& change) {
  FileTrailer trailer;
  const size_t end = file.size() - sizeof trailer;
  std::memcpy(&trailer, file.data() + end, sizeof trailer);
  nlohmann::json json = nlohmann::json::parse(file.substr(trailer.json, end - trailer.json));
  change(json);
  std::string changed = file.substr(0, trailer.json) + json.dump();
  const std::string summed = changed.substr(trailer.blocks);
  trailer.crc = crc32_z(0, reinterpret_cast<const Bytef*>(summed.data()), summed.size());
  changed.append(reinterpret_cast<const char*>(&trailer), sizeof trailer);
  return changed;
}

TEST_F(Encoding, AMissingMemberIsFoundThoughTheChecksumIsRight) {
  write("4 5\n6 7 8\n", "4\n9 10\n");
  open();
  for (const std::string& file : {path, path + ".0"}) {
    const auto overwrite_file = [&](const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; };
    const std::string good = read_file(file);
    std::vector<std::string> members;
    overwrite_file(with_json(good, [&](const nlohmann::json& json) {
      for (const auto& [member, value] : json.items()) members.push_back(member);
    }));
    EXPECT_NO_THROW(EncodedCorpus corpus(path));
    for (const std::string& member : members) {
      overwrite_file(with_json(good, [&](nlohmann::json& json) { json.erase(member); }));
      EXPECT_EQ(message_of<CheckpointError>([this] { EncodedCorpus corpus(path); }),
                file + ": is damaged or truncated: not the corpus that was written")
          << member;
    }
    overwrite_file(good);
  }
}

TEST_F(Encoding, IdsOutOfTheVocabularyAreFoundThoughTheChecksumsAreRight) {
  write("4 5\n6 7 8\n", "4\n9 10\n");
  EXPECT_EQ(open()->source_ids(1), (text::Ids{6, 7, 8}));
  const EncodedCorpus corpus(path, nullptr, {.source = {.first = 0, .last = 7}, .target = {.first = 0, .last = 9}});
  const std::string message = path + ".0: is damaged or truncated: not the corpus that was written";
  EXPECT_EQ(corpus.source_ids(0), (text::Ids{4, 5}));
  EXPECT_EQ(corpus.target_ids(0), (text::Ids{4}));
  EXPECT_EQ(message_of<CheckpointError>([&] { corpus.source_ids(1); }), message);
  EXPECT_EQ(message_of<CheckpointError>([&] { corpus.target_ids(1); }), message);
}

TEST_F(Encoding, IdsAreThoseOfTheTokenizers) {
  const auto size = static_cast<int32_t>(number_tokenizers().target->size());
  const IdRanges ranges = id_ranges(number_tokenizers());
  EXPECT_TRUE(ranges.source.holds(text::Ids{0, size - 1}));
  EXPECT_TRUE(ranges.source.holds(text::Ids{}));
  EXPECT_FALSE(ranges.source.holds(text::Ids{0, size}));
  EXPECT_FALSE(ranges.target.holds(text::Ids{-1}));
}

TEST_F(Encoding, DamageOfAShardIsFoundWhenItIsRead) {
  write("4 5\n6 7 8\n", "4\n9 10\n");
  open();
  const std::string shard = path + ".0", good = read_file(shard);
  const auto overwrite_shard = [&](const std::string& bytes) { std::ofstream(shard, std::ios::binary) << bytes; };
  const std::string message = shard + ": is damaged or truncated: not the corpus that was written";
  for (size_t size = 0; size < good.size(); size += 7) {
    overwrite_shard(good.substr(0, size));
    EXPECT_EQ(message_of<CheckpointError>([this] { EncodedCorpus corpus(path); }), message) << size;
  }
  for (size_t byte = 0; byte < good.size(); ++byte) {
    std::string bad = good;
    bad[byte] = static_cast<char>(bad[byte] ^ 0x20);
    overwrite_shard(bad);
    EXPECT_THROW(EncodedCorpus(path).check_all(), CheckpointError) << byte;
  }
  std::string bad = good;
  bad[16] = static_cast<char>(bad[16] ^ 1);  // the first id
  overwrite_shard(bad);
  const EncodedCorpus corpus(path);
  EXPECT_EQ(corpus.target_length(1), 2) << "lengths stand elsewhere";
  EXPECT_EQ(message_of<CheckpointError>([&] { corpus.source_ids(1); }), message);
  EXPECT_EQ(message_of<CheckpointError>([&] { corpus.text(1); }), message);
}

TEST_F(Encoding, ASecondStartReadsNoTextOfTheSameSizeAndTime) {
  write("4 5\n", "4\n");
  open();
  const auto time = std::filesystem::last_write_time(files.source[0]);
  write_file(files.source[0], "6 7\n");
  std::filesystem::last_write_time(files.source[0], time);
  EXPECT_EQ(open()->source_ids(0), (text::Ids{4, 5})) << "taken for the same";
  EXPECT_NE(checksums(files, "", known_files(path)), checksums(files));
  std::filesystem::last_write_time(files.source[0], time + std::chrono::seconds(1));
  EXPECT_EQ(open()->source_ids(0), (text::Ids{6, 7}));
}

/// Corpora of several shards.
struct LargeEncoding : Encoding {
  static constexpr int64_t kLines = 262'144 + 1000;
  void SetUp() override {
    std::string lines;
    for (int64_t i = 0; i < kLines; ++i) lines += std::to_string(4 + i % 900) + (i % 3 == 0 ? " 5\n" : "\n");
    write(lines, lines);
  }
  CorpusSummary build(const EncodingWork& work) const {
    return build_corpus(path, files, number_tokenizers(), {}, work);
  }
  std::vector<std::string> written() const { return {read_file(path), read_file(path + ".0"), read_file(path + ".1")}; }
};

TEST_F(LargeEncoding, ABrokenOffEncodingGoesOn) {
  build({.threads = 2, .buckets = 3});
  const auto whole = written();
  std::filesystem::remove(path);
  std::filesystem::remove(path + ".1");
  const auto first_time = std::filesystem::last_write_time(path + ".0");
  build({.threads = 1, .buckets = 3});
  EXPECT_EQ(written(), whole);
  EXPECT_EQ(std::filesystem::last_write_time(path + ".0"), first_time);
  EXPECT_FALSE(std::filesystem::exists(path + ".2"));
}

TEST_F(LargeEncoding, ShardsOfOtherTextAreWrittenAnew) {
  build({.buckets = 3});
  const std::string first = read_file(path + ".0");
  std::string lines = read_file(files.source[0]);
  lines.replace(lines.size() - 4, 3, "777");
  write_file(files.source[0], lines);
  build({.buckets = 3});
  EXPECT_EQ(read_file(path + ".0"), first);
  EXPECT_EQ(EncodedCorpus(path).size(), kLines);
  write_file(files.source[0], lines.substr(0, lines.find('\n') + 1));
  write_file(files.target[0], "4\n");
  build({});
  EXPECT_FALSE(std::filesystem::exists(path + ".1")) << "of the corpus before";
}

TEST_F(LargeEncoding, ReplacedLinesOfEachShardCountOnce) {
  for (const std::string* file : {&files.source[0], &files.target[0]}) {
    std::string lines = read_file(*file);
    lines[0] = '\xff';
    lines[lines.size() - 2] = '\xff';
    write_file(*file, lines);
  }
  const CorpusOptions replacing{.format = {.invalid_text = InvalidText::Replace}};
  EXPECT_EQ(build_corpus(path, files, number_tokenizers(), replacing).replaced_lines, 4);
}

TEST_F(LargeEncoding, RanksWriteTheSameTogether) {
  build({});
  const auto alone = written();
  for (int64_t shard = 0; shard < 2; ++shard) std::filesystem::remove(path + "." + std::to_string(shard));
  const auto share = [&](int64_t rank) {
    return encode_shards(path, files, number_tokenizers(), {}, {.rank = rank, .ranks = 2});
  };
  share(0);
  EXPECT_FALSE(std::filesystem::exists(path + ".1"));
  finish_corpus(path, files, share(1));
  EXPECT_EQ(written(), alone);
}

TEST_F(LargeEncoding, BucketsHoldAllPairsOnceAndAreSamplesOfTheWhole) {
  build({.buckets = 4});
  const EncodedCorpus corpus(path);
  ASSERT_EQ(corpus.buckets().size(), 5u);
  ASSERT_EQ(corpus.size(), kLines);
  std::vector<bool> seen(kLines);
  for (size_t bucket = 0; bucket < 4; ++bucket) {
    int64_t early = 0, before = -1;
    const int64_t begin = corpus.buckets()[bucket], end = corpus.buckets()[bucket + 1];
    for (int64_t pair = begin; pair < end; ++pair) {
      const std::string place = corpus.place(pair);
      const int64_t line = std::stoll(place.substr(place.rfind(':') + 1)) - 1;
      EXPECT_LT(before, line) << "the order of the text within a bucket";
      before = line;
      seen[static_cast<size_t>(line)] = true;
      early += line < kLines / 2 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(end - begin), kLines / 4.0, 1500);
    EXPECT_NEAR(static_cast<double>(early) / static_cast<double>(end - begin), 0.5, 0.01);
  }
  EXPECT_EQ(std::ranges::count(seen, false), 0);
  const int64_t pair = corpus.buckets()[2] + 17;
  const std::string place = corpus.place(pair);
  const int64_t line = std::stoll(place.substr(place.rfind(':') + 1)) - 1;
  EXPECT_EQ(corpus.target_ids(pair).front(), 4 + line % 900);
  EXPECT_EQ(corpus.text(pair).source, std::to_string(4 + line % 900) + (line % 3 == 0 ? " 5" : ""));
}

TEST_F(Encoding, SidesNeedTheirTokenizers) {
  write("4\n", "4\n");
  EXPECT_THROW(build_corpus(path, files, {.source = nullptr, .target = std::make_shared<NumberTokenizer>()}, {}),
               std::logic_error);
}

TEST(CorpusLayout, AnOlderCorpusHasNoneOfTheNewerOptions) {
  CorpusIndex index;
  index.shards = 2;
  index.summary = {.read = 5, .kept = 4, .empty = 1};
  index.origin.options.filters.identical_sides = FilterAction::LeaveOut;
  auto json = nlohmann::json::parse(to_json(index));
  json["format"] = 3;
  for (const char* newer : {"double_quotes", "header", "bad_rows_left_out", "duplicates_left_out", "leaking_left_out",
                            "bad_rows", "duplicates", "leaking", "left_out"}) {
    ASSERT_EQ(json.erase(newer), 1u) << newer;
  }
  const CorpusIndex read = index_from_json(json.dump());
  EXPECT_EQ(read.summary, index.summary);
  EXPECT_EQ(read.origin.options, index.origin.options);
  EXPECT_EQ(read.origin.left_out, "");
  json["format"] = 2;
  EXPECT_EQ(message_of<Error>([&] { index_from_json(json.dump()); }), "has format 2, this program reads format 4");
}

}  // namespace
}  // namespace heed::data
