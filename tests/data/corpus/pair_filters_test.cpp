#include "heed/data/corpus/pair_filters.h"

#include <gtest/gtest.h>

#include "data/number_tokenizer.h"
#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::data {
namespace {

using testing::message_of;
using testing::number_tokenizers;

TEST(Scripts, HalfOfTheLettersDecide) {
  EXPECT_TRUE(is_in_scripts("abc", {"Latin"}));
  EXPECT_TRUE(is_in_scripts("ab \u0430\u0431", {"Latin"})) << "half";
  EXPECT_FALSE(is_in_scripts("a \u0430\u0431", {"Latin"}));
  EXPECT_TRUE(is_in_scripts("a \u0430\u0431", {"Cyrillic"}));
  EXPECT_TRUE(is_in_scripts("12 + 3 = 15", {"Latin"})) << "no letters";
  EXPECT_TRUE(is_in_scripts("\u6f22\u5b57\u304b\u306a", {"Han", "Hiragana"}));
  EXPECT_FALSE(is_in_scripts("\u6f22\u304b\u306a\u306a", {"Han"}));
}

TEST(Scripts, AreUnicodes) {
  EXPECT_NO_THROW(validate(PairFilters{.source_script = {"Latin", "Cyrl"}}));
  EXPECT_EQ(message_of<ConfigError>([] { validate(PairFilters{.target_script = {"Klingonese"}}); }),
            "`data.target-script` must be names of scripts, such as Latin or Cyrillic, but has `Klingonese`");
}

struct Filtering : ::testing::Test {
  CorpusSummary summary_of(const std::string& source, const std::string& target, const PairFilters& filters) {
    write_file(files.source[0], source);
    write_file(files.target[0], target);
    return build_corpus(directory.file("corpus"), files, number_tokenizers(), {.filters = filters});
  }
  testing::TemporaryDirectory directory;
  CorpusFiles files{.source = {directory.file("source")}, .target = {directory.file("target")}, .pairs = {}};
};

TEST_F(Filtering, CountsEachReason) {
  const PairFilters filters{.max_length_ratio = 2,
                            .identical_sides = FilterAction::LeaveOut,
                            .source_script = {"Latin"},
                            .target_script = {"Latin"}};
  const CorpusSummary summary =
      summary_of("4 5\n4 5\n4\n 7 \n\u0430\n9\n", "6\n6 7 8 9\n6 7 8\n7\n6\n\u0430\n", filters);
  EXPECT_EQ(summary.read, 6);
  EXPECT_EQ(summary.kept, 2) << "2 to 1 and 2 to 4 tokens";
  EXPECT_EQ(summary.unlike_lengths, 1);
  EXPECT_EQ(summary.identical, 1);
  EXPECT_EQ(summary.other_script, 2);
  const std::string text = summary_text(summary, {.filters = filters}, {.has_source = true});
  EXPECT_NE(
      text.find("2 of them kept; left out: 1 with lengths that differ more than 2 times, 1 with identical sides, 2 "
                "in other scripts"),
      std::string::npos)
      << text;
}

TEST_F(Filtering, OtherFiltersMakeAnotherCorpus) {
  summary_of("4 5\n4\n", "4\n4\n", {});
  const auto with = [&](const PairFilters& filters) {
    return has_fitting_corpus(directory.file("corpus"), files, number_tokenizers(), {.filters = filters});
  };
  EXPECT_TRUE(with({}));
  EXPECT_FALSE(with({.max_length_ratio = 1.5}));
  EXPECT_FALSE(with({.identical_sides = FilterAction::LeaveOut}));
  EXPECT_FALSE(with({.source_script = {"Latin"}}));
  EXPECT_FALSE(with({.target_script = {"Latin"}}));
  EXPECT_FALSE(with({.duplicates = FilterAction::LeaveOut}));
  EXPECT_FALSE(with({.leaking = FilterAction::LeaveOut}));
  build_corpus(directory.file("corpus"), files, number_tokenizers(), {.filters = {.max_length_ratio = 2.5}});
  EXPECT_TRUE(with({.max_length_ratio = 2.5}));
}

TEST_F(Filtering, AnotherFormatOfRowsMakesAnotherCorpus) {
  const std::string table = directory.file("table");
  write_file(table, "4\t5\n6\t7\n");
  const CorpusFiles pairs{.source = {}, .target = {}, .pairs = {table}};
  const auto with = [&](const TextFormat& format) {
    return has_fitting_corpus(directory.file("corpus"), pairs, number_tokenizers(), {.format = format});
  };
  for (const TextFormat& format : {TextFormat{}, TextFormat{.quotes = Quotes::Double}, TextFormat{.header = true},
                                   TextFormat{.bad_rows = BadRows::LeaveOut}}) {
    build_corpus(directory.file("corpus"), pairs, number_tokenizers(), {.format = format});
    EXPECT_TRUE(with(format));
    EXPECT_EQ(with({}), format == TextFormat{});
  }
}

TEST_F(Filtering, LinesThatAreLeftOutMakeAnotherCorpus) {
  write_file(files.source[0], "4\n5\n6\n");
  write_file(files.target[0], "4\n5\n6\n");
  const CorpusOptions options{.filters = {.duplicates = FilterAction::LeaveOut, .leaking = FilterAction::LeaveOut}};
  ExcludedLines lines{.origin = "these"};
  lines.duplicates.add(1);
  lines.leaking.add(2);
  const std::string path = directory.file("corpus");
  const CorpusSummary summary = build_corpus(path, files, number_tokenizers(), options, {}, nullptr, lines);
  EXPECT_EQ(summary.kept, 1);
  EXPECT_EQ(summary.duplicates, 1);
  EXPECT_EQ(summary.leaking, 1);
  EXPECT_NE(summary_text(summary, options, {.has_source = true})
                .find("left out: 1 in the validation text too, 1 others that repeat an earlier one"),
            std::string::npos);
  EXPECT_NE(summary_text({.read = 2, .kept = 1, .duplicates = 1}, options, {.has_source = true})
                .find("left out: 1 that repeat an earlier one"),
            std::string::npos);
  EXPECT_TRUE(has_fitting_corpus(path, files, number_tokenizers(), options, "these"));
  EXPECT_FALSE(has_fitting_corpus(path, files, number_tokenizers(), options, "others"));
}

}  // namespace
}  // namespace heed::data
