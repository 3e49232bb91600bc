#include "heed/data/corpus/corpus_files.h"
#include "heed/data/encoded/index_file.h"

#include <gtest/gtest.h>

#include <zlib.h>
#include <string>
#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/checksum.h"
#include "heed/core/log.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::data {
namespace {

using testing::message_of;

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct Corpus : ::testing::Test {
  std::string write(const std::string& name, const std::string& content) {
    write_file(directory.file(name), content);
    return directory.file(name);
  }
  std::string write_gz(const std::string& name, const std::string& content) {
    gzFile file = gzopen(directory.file(name).c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    return directory.file(name);
  }
  testing::TemporaryDirectory directory;
};

Pairs all_pairs(const CorpusFiles& files, const TextFormat& format = {}) {
  PairReader reader(files, format);
  Pairs pairs;
  for (TextPair pair; reader.next(pair);) pairs.emplace_back(pair.source, pair.target);
  return pairs;
}

CorpusFiles sides(std::vector<std::string> source, std::vector<std::string> target) {
  return {.source = std::move(source), .target = std::move(target), .pairs = {}};
}
CorpusFiles columns(std::vector<std::string> pairs) { return {.source = {}, .target = {}, .pairs = std::move(pairs)}; }

TEST_F(Corpus, SidesAreReadInStep) {
  const auto files = sides({write("a", "one\n\ntwo\n")}, {write("b", "eins\nleer\nzwei")});
  EXPECT_EQ(all_pairs(files), (Pairs{{"one", "eins"}, {"", "leer"}, {"two", "zwei"}}));
  EXPECT_EQ(count_pairs(files), 3);
}

TEST_F(Corpus, FilesOfASideAreOneText) {
  const auto files = sides({write("a", "one\ntwo\n"), write_gz("c.gz", "three\n")},
                           {write("b", "eins\n"), write("d", "zwei\n"), write("e", "drei\n")});
  EXPECT_EQ(all_pairs(files), (Pairs{{"one", "eins"}, {"two", "zwei"}, {"three", "drei"}}));
}

TEST_F(Corpus, ColumnsAreSplitAtTheTab) {
  const auto files = columns({write("a.tsv", "one\teins\r\n\tleer\n"), write_gz("b", "two words\tzwei Wörter\n")});
  EXPECT_EQ(all_pairs(files), (Pairs{{"one", "eins"}, {"", "leer"}, {"two words", "zwei Wörter"}}));
}

TEST_F(Corpus, ALanguageModelHasATargetOnly) {
  EXPECT_EQ(all_pairs(sides({}, {write("b", "eins\nzwei\n")})), (Pairs{{"", "eins"}, {"", "zwei"}}));
}

TEST_F(Corpus, DifferentLineCountsAreNamed) {
  const auto en = write("train.en", "1\n2\n3\n4\n");
  const auto de = write("train.de", "1\n");
  const std::string rule = "; line n of the one must belong to line n of the other";
  EXPECT_EQ(message_of<InputError>([&] { count_pairs(sides({en}, {de})); }),
            en + " has 4 lines, " + de + " has 1 line" + rule);
  EXPECT_EQ(message_of<InputError>([&] { count_pairs(sides({de}, {en})); }),
            de + " has 1 line, " + en + " has 4 lines" + rule);
  EXPECT_EQ(message_of<InputError>([&] { count_pairs(sides({en, en}, {de})); }),
            en + ", " + en + " together have 8 lines, " + de + " has 1 line" + rule);
  EXPECT_EQ(message_of<InputError>([&] { count_pairs(sides({en, en, de}, {en, de, de})); }),
            en + " has 4 lines, " + de + " has 1 line" + rule)
      << "the second of three files";
  EXPECT_EQ(message_of<InputError>([&] { count_pairs(sides({en, de}, {de, en})); }),
            en + " has 4 lines, " + de + " has 1 line" + rule)
      << "though the sides are as long";
  EXPECT_EQ(count_pairs(sides({en, de}, {write("all.de", "1\n2\n3\n4\n5\n")})), 5) << "files need not be as many";
}

TEST_F(Corpus, AnythingButTwoColumnsIsAnError) {
  const auto one = write("one", "a\tb\nno tab\n");
  const auto three = write("three", "a\tb\tc\n");
  EXPECT_EQ(message_of<InputError>([&] { count_pairs(columns({one})); }),
            one + ":2: expected two columns, source TAB target, found 1");
  EXPECT_EQ(message_of<BadRow>([&] { count_pairs(columns({one, three})); }),
            one + ":2: expected two columns, source TAB target, found 1");
}

TEST_F(Corpus, RowsThatAllHaveAnotherFormAreNamedWithTheCommandThatConvertsThem) {
  const auto error = [&](const std::string& path, const TextFormat& format = {}, bool weights = false) {
    CorpusFiles files = columns({path});
    files.weight_column = weights;
    return message_of<InputError>([&] { count_pairs(files, format); });
  };
  const std::string two = ":1: expected two columns, source TAB target, found ";
  const auto four = write("four.tsv", "p\t1\tone word\tein Wort\np\t2\ttwo words\tzwei Worte\n");
  EXPECT_EQ(error(four), four + two + "4, as in the rows after it; `cut -f3,4 " + four +
                             " > pairs.tsv` keeps the two with the most text");
  const auto packed = write_gz("four of.gz", "one word\tein Wort\tx\ty\na\tb\tx\ty\n");
  EXPECT_EQ(error(packed), packed + two + "4, as in the rows after it; `zcat '" + packed +
                               "' | cut -f1,2 > pairs.tsv` keeps the two with the most text");
  const auto weighted = write("weighted.tsv", "one\teins\t0.5\ntwo\tzwei\t1\n");
  EXPECT_EQ(error(weighted),
            weighted + two + "3, as in the rows after it; `cut -f1,2 " + weighted +
                " > pairs.tsv` keeps the two with the most text; `--weight-column true` reads the third column of the "
                "training pairs as weights");
  const auto noted = write("noted.tsv", "one\teins\tn\ntwo\tzwei\tm\n");
  EXPECT_EQ(error(noted, {}, true),
            noted +
                ":1: expected a weight, a number of at least 0, found `n`, and no weight in the rows after it; leave "
                "out `--weight-column true`: `cut -f1,2 " +
                noted + " > pairs.tsv` keeps the two sides");
  const auto sides = write("sides.tsv", "one\teins\ntwo\tzwei\n");
  EXPECT_EQ(error(sides, {}, true),
            sides +
                ":1: expected three columns, source TAB target TAB weight, found 2, and no weights in the rows after "
                "it; leave out `--weight-column true`");
  const auto commas = write("commas.csv", "\"one, two\",eins\nthree,drei\n");
  EXPECT_EQ(error(commas), commas + two + "1, but commas in each row, as in a CSV file; `cat " + commas +
                               " | python3 -c \"import csv, sys; [print('\\t'.join(' '.join(field.split()) for field "
                               "in row)) for row in csv.reader(sys.stdin)]\" > pairs.tsv` converts it");
  const auto semicolons = write("semicolons.csv", "one;eins\nthree;drei\n");
  EXPECT_NE(error(semicolons).find("csv.reader(sys.stdin, delimiter=';')"), std::string::npos);
  const auto lines = write("lines", "one\ntwo, three\n");
  EXPECT_EQ(error(lines), lines + two +
                              "1, and no tab in the rows after it; `--source` and `--target` read one file per "
                              "side");
}

TEST_F(Corpus, RowsOfSeveralFormsAreNamedOneByOne) {
  for (const char* rows : {"a\tb\tc\nd\te\n", "a\nb\tc\n", "a\tb\tc\nd\te\tf\tg\n"}) {
    const auto path = write("rows", rows);
    EXPECT_TRUE(
        message_of<BadRow>([&] { count_pairs(columns({path})); }).starts_with(path + ":1: expected two columns"));
  }
  CorpusFiles files = columns({write("rows", "a\tb\tx\nc\td\t1\n")});
  files.weight_column = true;
  EXPECT_EQ(message_of<BadRow>([&] { count_pairs(files); }),
            files.pairs[0] + ":1: expected a weight, a number of at least 0, found `x`");
}

TEST_F(Corpus, RowsOfASpreadsheetAreReadWithoutQuotesAndHeader) {
  const auto files =
      columns({write("a.tsv", "\"en\"\t\"de\"\r\n\"a \"\"b\"\"\"\t\"A\tB\"\r\n"), write_gz("b.gz", "en\tde\nc\tC\n"),
               write("empty", ""), write("d.tsv", "en\tde\nd\tD\n")});
  const TextFormat format{.quotes = Quotes::Double, .header = true};
  EXPECT_EQ(all_pairs(files, format), (Pairs{{"a \"b\"", "A\tB"}, {"c", "C"}, {"d", "D"}}));
  PairReader reader(files, format);
  for (TextPair pair; reader.next(pair);) {}
  EXPECT_EQ(reader.lines(), (std::vector<int64_t>{1, 1, 0, 1}));
  EXPECT_EQ(reader.places().of(0), files.pairs[0] + ":2");
  EXPECT_EQ(reader.places().of(2), files.pairs[3] + ":2");
  EXPECT_EQ(reader.error_at(1, false, "no").what(), files.pairs[1] + ":2: no");
}

TEST_F(Corpus, AFieldInQuotesEndsOnItsLine) {
  const auto file = write("a.tsv", "a\tA\nb\t\"B\nB\"\n");
  EXPECT_EQ(message_of<BadRow>([&] { count_pairs(columns({file}), {.quotes = Quotes::Double}); }),
            file + ":2: with `quotes double` column 2 must end with its quote on this line");
}

TEST_F(Corpus, BadRowsAreLeftOutWithTheirLineNumbers) {
  CorpusFiles files = columns({write("a.tsv", "a\tA\t1\nb\tB\t1\tx\nc\tC\tmuch\n\"d\tD\t1\ne\tE\t2\n")});
  files.weight_column = true;
  const TextFormat format{.quotes = Quotes::Double, .bad_rows = BadRows::LeaveOut};
  PairReader reader(files, format);
  std::vector<bool> bad;
  std::string sources;
  for (TextPair pair; reader.next(pair);) {
    bad.push_back(pair.bad);
    sources += pair.source;
  }
  EXPECT_EQ(bad, (std::vector<bool>{false, true, true, true, false}));
  EXPECT_EQ(sources, "ae") << "bad rows have no text";
  EXPECT_EQ(reader.places().of(4), files.pairs[0] + ":5");
}

TEST_F(Corpus, OptionsForRowsNeedFilesOfPairs) {
  EXPECT_NO_THROW(validate(TextFormat{.quotes = Quotes::Double, .header = true}, true, "data."));
  EXPECT_NO_THROW(validate(TextFormat{.invalid_text = InvalidText::Replace}, false, "data."));
  const auto refusal = [](const TextFormat& format) {
    return message_of<ConfigError>([&] { validate(format, false, "data."); });
  };
  const std::string reason = " has no effect without `pairs`: it is about lines of SOURCE TAB TARGET";
  EXPECT_EQ(refusal({.quotes = Quotes::Double}), "`data.quotes`" + reason);
  EXPECT_EQ(refusal({.header = true}), "`data.header`" + reason);
  EXPECT_EQ(refusal({.bad_rows = BadRows::LeaveOut}), "`data.bad-rows`" + reason);
}

/// The messages of a text's inspection.
std::vector<std::string> advice_on(const CorpusFiles& files, const TextFormat& format = {}) {
  std::vector<std::string> messages;
  set_log_sink([&](LogLevel, std::string_view message) { messages.emplace_back(message); });
  inspect_pairs(files, format, "data.");
  set_log_sink({});
  return messages;
}

TEST_F(Corpus, ASpreadsheetThatIsReadAsPlainRowsIsNamed) {
  const auto file = write("a.tsv", "en\tde\n\"one\"\t\"eins\"\n\"two\"\t\"zwei\"\n");
  EXPECT_EQ(advice_on(columns({file})),
            (std::vector<std::string>{
                file + ": 4 fields are in double quotes, as spreadsheets write them; the quotes are read as text: "
                       "`--data.quotes double` reads the text in them",
                file + ":1 `en TAB de` looks like a header, but is read as a pair: `--data.header true` leaves out the "
                       "first line of each file of pairs"}));
  EXPECT_EQ(advice_on(columns({file}), {.quotes = Quotes::Double, .header = true}),
            (std::vector<std::string>{"left out as a header: " + file + ":1 `en TAB de`"}));
  EXPECT_TRUE(advice_on(columns({write("plain.tsv", "one\teins\n")})).empty());
}

TEST_F(Corpus, BadRowsThatAreLeftOutAreNamed) {
  const auto file = write("a.tsv", "a\n\nb\tB\nc\nd\n");
  const std::string found = ": expected two columns, source TAB target, found 1";
  EXPECT_EQ(advice_on(columns({file}), {.bad_rows = BadRows::LeaveOut}),
            (std::vector<std::string>{file + ": left out 4 bad rows: " + file + ":1" + found + "; " + file + ":2" +
                                      found + "; " + file + ":4" + found + "; ..."}));
}

std::vector<float> all_weights(const CorpusFiles& files) {
  PairReader reader(files);
  std::vector<float> weights;
  for (TextPair pair; reader.next(pair);) weights.push_back(pair.weight);
  return weights;
}

TEST_F(Corpus, WeightsStandInAThirdColumnOrInFilesOfTheirOwn) {
  const std::vector<float> expected{0.5f, 0, 2};
  CorpusFiles files = columns({write("a.tsv", "a\tb\t0.5\nc\td\t0\n"), write("b.tsv", "e\tf\t2e0\n")});
  files.weight_column = true;
  EXPECT_EQ(all_weights(files), expected);
  EXPECT_EQ(all_pairs(files), (Pairs{{"a", "b"}, {"c", "d"}, {"e", "f"}}));
  CorpusFiles beside = sides({write("s", "a\nc\ne\n")}, {write("t", "b\nd\nf\n")});
  EXPECT_EQ(all_weights(beside), (std::vector<float>{1, 1, 1}));
  beside.weights = {write("v", "0.5\n"), write("w", "0\n2\n")};
  EXPECT_EQ(all_weights(beside), expected);
  PairReader reader(beside);
  for (TextPair pair; reader.next(pair);) {}
  EXPECT_EQ(reader.lines(), (std::vector<int64_t>{3, 3, 1, 2}));
}

TEST_F(Corpus, AWeightIsANumberOfAtLeast0AndThereIsOneForEveryPair) {
  CorpusFiles files = sides({write("s", "a\nb\n")}, {write("t", "c\nd\n")});
  for (const std::string wrong : {"-1", "nan", "inf", "1e99", "x", "1 2", ""}) {
    files.weights = {write("w", "1\n" + wrong + "\n")};
    EXPECT_EQ(message_of<InputError>([&] { count_pairs(files); }),
              files.weights[0] + ":2: expected a weight, a number of at least 0, found `" + wrong + "`");
  }
  for (const std::string lines : {"1\n", "1\n1\n1\n"}) {
    files.weights = {write("w", lines)};
    EXPECT_NE(message_of<InputError>([&] { count_pairs(files); }).find("line n of the one must belong"),
              std::string::npos);
  }
  // As many lines, but other files: which are of which?
  CorpusFiles parted = sides({write("s1", "a\n"), write("s2", "b\n")}, {write("t1", "c\n"), write("t2", "d\n")});
  parted.weights = {write("w1", "1\n1\n"), write("w2", "")};
  EXPECT_NE(message_of<InputError>([&] { count_pairs(parted); }).find("line n of the one must belong"),
            std::string::npos);
  CorpusFiles three = columns({write("p", "a\tb\n")});
  three.weight_column = true;
  EXPECT_EQ(message_of<InputError>([&] { count_pairs(three); }),
            three.pairs[0] + ":1: expected three columns, source TAB target TAB weight, found 2");
  three.weights = {"w"};
  EXPECT_EQ(message_of<ConfigError>([&] { validate(three); }),
            "`weights` does not go with `weight-column`: give one of them");
  files.weight_column = true;
  EXPECT_EQ(message_of<ConfigError>([&] { validate(files); }),
            "`weight-column` is of lines of `pairs`: with `source` and `target` give `weights`");
}

TEST_F(Corpus, AlignmentsLinkTheWordsOfAPair) {
  CorpusFiles files = sides({write("s", "a b\n\nc\n")}, {write("t", "d e f\n\ng\n")});
  files.alignments = {write("l", "0-0 1-2\n\n"), write("m", "0-0\n")};
  PairReader reader(files);
  std::vector<std::string> alignments;
  for (TextPair pair; reader.next(pair);) alignments.push_back(pair.alignment);
  EXPECT_EQ(alignments, (std::vector<std::string>{"0-0 1-2", "", "0-0"}));
  EXPECT_EQ(reader.lines(), (std::vector<int64_t>{3, 3, 2, 1}));
  EXPECT_EQ(all_files(files).back().side, "alignments");
  CorpusFiles rows = columns({write("p", "a b\tc\nbad\n")});
  rows.alignments = {write("n", "1-0\n5-5\n")};
  EXPECT_EQ(count_pairs(rows, {.bad_rows = BadRows::LeaveOut}), 2) << "a bad row has no words that a link could leave";
}

TEST_F(Corpus, AnAlignmentThatDoesNotFitIsRefused) {
  CorpusFiles files = sides({write("s", "a b\nc\n")}, {write("t", "d e f\ng\n")});
  const auto error = [&](const std::string& lines) {
    files.alignments = {write("l", lines)};
    return message_of<InputError>([&] { count_pairs(files); });
  };
  const std::string file = directory.file("l");
  EXPECT_EQ(error("0-0\n0-0 x\n"), file + ":2: expected links such as 0-0, 3?4 or 3p4, found `x`");
  for (const std::string link : {"2-0", "0-3"}) {
    EXPECT_EQ(error(link + "\n\n"), file + ":1: the link " + link +
                                        " leaves its pair, which has 2 source and 3 target words; words are separated "
                                        "by white space and counted from 0");
  }
  EXPECT_EQ(error("0-0\n"), file + " has 1 line, " + files.target[0] +
                                " has 2 lines; line n of the one must belong to line n of the other");
  CorpusFiles target{.source = {}, .target = files.target, .pairs = {}};
  target.alignments = {file};
  EXPECT_EQ(message_of<ConfigError>([&] { validate(target); }),
            "`alignments` need text on both sides: give `source` and `target`, or `pairs`");
}

TEST_F(Corpus, APairIsNamedByTheFileAndLineOfEitherSide) {
  const auto files = sides({write("a", "1\n2\n"), write("c", ""), write("d", "3\n4\n5\n")},
                           {write("b", "1\n2\n3\n"), write("e", "4\n5\n")});
  PairReader reader(files);
  TextPair pair;
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(reader.next(pair));
  EXPECT_EQ(reader.error_at(3, true, "is odd").what(), files.source[2] + ":2: is odd");
  EXPECT_EQ(reader.error_at(3, false, "is odd").what(), files.target[1] + ":1: is odd");
  EXPECT_EQ(reader.error_at(1, true, "is odd").what(), files.source[0] + ":2: is odd");
  EXPECT_THROW(reader.error_at(4, true, "is not read yet"), std::logic_error);
  const auto both = columns({write("f", "1\t1\n2\t2\n")});
  PairReader pairs(both);
  while (pairs.next(pair)) {}
  EXPECT_EQ(pairs.error_at(1, true, "is odd").what(), both.pairs[0] + ":2: is odd");
}

TEST_F(Corpus, InvalidTextIsAnErrorOrReplaced) {
  const auto files = sides({write("a", "good\nbad\xFF\n")}, {write("b", "\xC3\nb\n")});
  EXPECT_EQ(message_of<InputError>([&] { count_pairs(sides(files.source, files.source)); }),
            files.source[0] + ":2: expected UTF-8 text, found the byte 0xFF at byte 4 of the line");
  PairReader reader(files, {.invalid_text = InvalidText::Replace});
  TextPair pair;
  ASSERT_TRUE(reader.next(pair));
  EXPECT_EQ(pair.target, "\xEF\xBF\xBD");
  ASSERT_TRUE(reader.next(pair));
  EXPECT_EQ(pair.source, "bad\xEF\xBF\xBD");
  EXPECT_FALSE(reader.next(pair));
  EXPECT_EQ(reader.replaced_lines(), 2);
  EXPECT_EQ(reader.pairs(), 2);
}

TEST_F(Corpus, ListsMustMakeACorpus) {
  EXPECT_EQ(message_of<ConfigError>([] { validate(CorpusFiles{}); }),
            "`target` is missing: give `source` and `target`, or `pairs`");
  EXPECT_EQ(message_of<ConfigError>([] { validate(sides({"a"}, {}), "valid-"); }),
            "`valid-target` is missing: give `valid-source` and `valid-target`, or `valid-pairs`");
  EXPECT_EQ(message_of<ConfigError>([] { validate({.source = {"a"}, .target = {"b"}, .pairs = {"c"}}); }),
            "`pairs` holds both sides: leave out `source` and `target`");
  EXPECT_EQ(message_of<ConfigError>([] { validate(sides({"-"}, {"-"})); }),
            "standard input (-) is named twice; it can be read only once");
  EXPECT_THROW(PairReader(sides({"nowhere"}, {"none"})), FileError);
}

TEST_F(Corpus, ChecksumsTellFilesBySideAndNumber) {
  const auto a = write("a", "abc");
  const auto b = write("b", "");
  const auto sums = checksums(sides({a}, {a, b}), "valid-");
  EXPECT_EQ(sums.size(), 3U);
  EXPECT_EQ(sums.at("valid-source file 1"), sha256("abc"));
  EXPECT_EQ(sums.at("valid-target file 1"), sha256("abc"));
  EXPECT_EQ(sums.at("valid-target file 2"), sha256(""));
}

}  // namespace
}  // namespace heed::data
