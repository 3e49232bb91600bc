// The rules of byte-pair encoding one by one, with results worked out by hand.
#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/random.h"
#include "heed/text/bpe/learn_bpe.h"
#include "heed/text/bpe/segment_text.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::text {
namespace {

using heed::testing::message_of;
using Units = std::vector<std::string>;

WordCounts counts_of(std::string_view text, LineEnds ends = LineEnds::Unicode) {
  WordCounts counts;
  counts.add_block(text, ends);
  return counts;
}

Units strings(const UnitList& list) {
  Units units;
  for (size_t i = 0; i < list.size(); ++i) units.emplace_back(list[i]);
  return units;
}

Units segmented(const BpeSegmenter& segmenter, std::string_view word) {
  UnitList units;
  segmenter.segment(word, units);
  return strings(units);
}

BpeCodes codes_of(const std::string& merges) { return parse_codes("codes", "#version: 0.2\n" + merges); }

// As subword-nmt's table of merges by what they give, which is filled from the last line to the first.
TEST(BpeSegmenter, OfTwoMergesThatGiveAUnitTheOneListedFirstIsUndone) {
  const std::string two = "b c</w>\na bc</w>\na b\nab c</w>\n";
  const BpeVocabulary vocabulary{"a@@", "bc", "ab@@", "c"};
  EXPECT_EQ(segmented(BpeSegmenter(codes_of(two), {}), "abc"), Units{"abc"});
  EXPECT_EQ(segmented(BpeSegmenter(codes_of(two), {.vocabulary = vocabulary}), "abc"), (Units{"a", "bc"}));
  EXPECT_EQ(segmented(BpeSegmenter(codes_of(two + "a bc</w>\n"), {.vocabulary = vocabulary}), "abc"),
            (Units{"ab", "c"}))
      << "a merge that is listed again stands where it is listed last";
}

TEST(LearnBpe, TakesTheMostFrequentPairFirst) {
  const BpeCodes codes = learn_bpe(counts_of("low low low lower lower newest"), {.symbols = 3});
  // l-o: 5 times; then w-e and lo-w</w>: 3 times each, of which w-e is the greater.
  EXPECT_EQ(format_codes(codes), "#version: 0.2\nl o\nw e\nlo w</w>\n");
}

TEST(LearnBpe, CountsCharactersOfTheTextOnRequest) {
  Units notes;
  const BpeCodes codes = learn_bpe(counts_of("ab ab ab cab cab"), {.symbols = 5, .total_symbols = true},
                                   [&](const std::string& line) { notes.push_back(line); });
  EXPECT_EQ(notes, (Units{"Number of word-internal characters: 2", "Number of word-final characters: 1",
                          "Reducing number of merge operations by 3"}));
  EXPECT_EQ(codes.merges, (std::vector<Merge>{{"a", "b</w>"}, {"c", "ab</w>"}}));
}

TEST(LearnBpe, RefusesTextWithoutPairs) {
  EXPECT_EQ(message_of<Error>([] { learn_bpe(counts_of("a b c\n"), {}); }),
            "no merge can be learned: no word of the text has two characters");
}

/// Text whose bytes are letters of Latin-1 without white space.
std::string latin_text(RandomStream& random) {
  std::string text;
  for (int word = 0; word < 80; ++word) {
    for (uint64_t i = 0; i <= random.below(6); ++i) {
      text += static_cast<char>(random.below(2) == 0 ? 'a' + random.below(3) : 0xC0 + random.below(4));
    }
    text += word % 9 == 0 ? '\n' : ' ';
  }
  return text;
}
std::string utf8_of_latin(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80)
      text += c;
    else
      (text += static_cast<char>(0xC0U | byte >> 6U)) += static_cast<char>(0x80U | (byte & 0x3FU));
  }
  return text;
}

TEST(LearnBpe, BytesAreLearnedAndSegmentedAsLatinLettersAre) {
  RandomStream random(4, Purpose::Test);
  for (int round = 0; round < 20; ++round) {
    const std::string bytes = latin_text(random);
    const LearnBpeOptions options{.symbols = 40};
    LearnBpeOptions byte_options = options;
    byte_options.bytes = true;
    const BpeCodes text_codes = learn_bpe(counts_of(utf8_of_latin(bytes)), options);
    const BpeCodes byte_codes = learn_bpe(counts_of(bytes, LineEnds::Bytes), byte_options);
    const std::string file = format_codes(byte_codes);
    EXPECT_TRUE(file.starts_with("#version: 0.2 byte\n"));
    EXPECT_EQ(parse_codes("codes", file), byte_codes);
    EXPECT_EQ(utf8_of_latin(file.substr(file.find('\n'))), format_codes(text_codes).substr(13));
    const BpeSegmenter text_units(text_codes, {});
    const BpeSegmenter byte_units(byte_codes, {});
    TextBuffer of_text;
    TextBuffer of_bytes;
    LineSegmenter(text_units).add_block(utf8_of_latin(bytes), LineEnds::Bytes, of_text);
    LineSegmenter(byte_units).add_block(bytes, LineEnds::Bytes, of_bytes);
    EXPECT_EQ(utf8_of_latin(of_bytes.text()), of_text.text());
  }
}

TEST(BpeSegmenter, MergesByRankAndLeftToRight) {
  const BpeSegmenter segmenter(codes_of("a a\nb a\naa b</w>\n"), {});
  EXPECT_EQ(segmented(segmenter, "aaaab"), (Units{"aa", "aab"}));
  EXPECT_EQ(segmented(segmenter, "aaab"), (Units{"aa", "a", "b"}));
  EXPECT_EQ(segmented(segmenter, "baa"), (Units{"ba", "a"}));  // the last a is another symbol: a</w>
  EXPECT_EQ(segmented(segmenter, "x"), (Units{"x"}));
}

TEST(BpeSegmenter, LongWordsAreMergedAsShortOnesAre) {
  // Rank 0 lets the pair of rank 1 arise; all places of a rank are merged before those of a lower one that arise from
  // it.
  const BpeSegmenter segmenter(codes_of("ab a\na b\nab b\nabb ab\n"), {});
  std::string word;
  Units expected;
  for (const std::string_view part : {"abb", "ab", "ba", "b"}) (word += part), expected.emplace_back(part);
  const Units piece = segmented(segmenter, word + "z");
  std::string long_word;
  for (int i = 0; i < 100; ++i) long_word += word + "z";
  Units repeated;
  for (int i = 0; i < 100; ++i) repeated.insert(repeated.end(), piece.begin(), piece.end());
  EXPECT_EQ(segmented(segmenter, long_word), repeated);
}

TEST(BpeSegmenter, RandomLongWordsComeBackWhole) {
  RandomStream random(6, Purpose::Test);
  std::string text;
  for (int i = 0; i < 300; ++i) {
    for (uint64_t k = 0; k <= random.below(9); ++k) text += static_cast<char>('a' + random.below(4));
    text += ' ';
  }
  const BpeSegmenter segmenter(learn_bpe(counts_of(text), {.symbols = 60}), {});
  for (const size_t size : {2U, 63U, 64U, 65U, 66U, 1000U}) {
    std::string word;
    while (word.size() < size) word += static_cast<char>('a' + random.below(4));
    std::string whole;
    for (const std::string& unit : segmented(segmenter, word)) whole += unit;
    EXPECT_EQ(whole, word);
  }
}

// Codes in any order, where a merge may bring a lower rank, as learned ones seldom do.
TEST(BpeSegmenter, WordsAreMergedRoundByRoundWhateverTheOrderOfTheCodes) {
  RandomStream random(7, Purpose::Test);
  const UniformSource none_left_out = [] { return 0.5; };
  const auto some = [&](uint64_t longest) {
    std::string text;
    for (uint64_t i = 0; i <= random.below(longest); ++i) text += static_cast<char>('a' + random.below(2));
    return text;
  };
  for (int i = 0; i < 200; ++i) {
    std::string codes;
    for (int merge = 0; merge < 30; ++merge)
      codes += some(4) + " " + some(4) + (random.below(4) == 0 ? "</w>\n" : "\n");
    const BpeSegmenter segmenter(codes_of(codes), {});
    for (int k = 0; k < 30; ++k) {
      const std::string word = some(k == 0 ? 200 : 30);
      UnitList units;
      segmenter.segment(word, {.probability = 0, .uniform = none_left_out}, units);
      ASSERT_EQ(segmented(segmenter, word), strings(units)) << codes << word;
    }
  }
}

TEST(BpeSegmenter, DropoutAsksForEveryPairInEveryRound) {
  const BpeSegmenter segmenter(codes_of("a b\nab c</w>\n"), {});
  int64_t asked = 0;
  const UniformSource always = [&] { return ++asked, 0.9; };
  UnitList units;
  segmenter.segment("abc", {.probability = 0.5, .uniform = always}, units);
  EXPECT_EQ(strings(units), (Units{"abc"}));
  EXPECT_EQ(asked, 3);                             // two pairs, then one
  const UniformSource never = [] { return 0.5; };  // a merge stays only above the probability
  units.clear();
  segmenter.segment("abc", {.probability = 0.5, .uniform = never}, units);
  EXPECT_EQ(strings(units), (Units{"a", "b", "c"}));
}

TEST(BpeSegmenter, UndoesMergesOutsideTheVocabulary) {
  const BpeCodes codes = codes_of("l o\nlo w</w>\nlo w\ne r</w>\n");
  EXPECT_EQ(segmented(BpeSegmenter(codes, {}), "lower"), (Units{"low", "er"}));
  EXPECT_EQ(segmented(BpeSegmenter(codes, {.vocabulary = {"low@@", "er"}}), "lower"), (Units{"low", "er"}));
  EXPECT_EQ(segmented(BpeSegmenter(codes, {.vocabulary = {"lo@@", "er"}}), "lower"), (Units{"lo", "w", "er"}));
  EXPECT_EQ(segmented(BpeSegmenter(codes, {.vocabulary = {"lo@@", "er@@", "low"}}), "lower"),
            (Units{"lo", "w", "e", "r"}));
  EXPECT_EQ(segmented(BpeSegmenter(codes, {.vocabulary = {"w"}}), "low"), (Units{"l", "o", "w"}));
  EXPECT_EQ(segmented(BpeSegmenter(codes, {.separator = "_", .vocabulary = {"low_", "er"}}), "lower"),
            (Units{"low", "er"}));
}

TEST(BpeCodesFile, FaultsAreNamed) {
  const auto error = [](const std::string& content) {
    return message_of<InputError>([&] { parse_codes("codes", content); });
  };
  EXPECT_EQ(error("#version: 0.2\na b\nabc\n"),
            "codes:3: expected exactly two symbols with a space between them, found 'abc'");
  EXPECT_EQ(error("a b c\n"), "codes:1: expected exactly two symbols with a space between them, found 'a b c'");
  EXPECT_EQ(error("#version: 0.2\n"), "codes:2: expected exactly two symbols with a space between them, found ''");
  EXPECT_EQ(error("#version: 0.3\na b\n"), "codes:1: expected codes of version 0.1 or 0.2, found '#version: 0.3'");
  EXPECT_EQ(error("#version: 0.2\na \xff\n"), "codes:2: expected UTF-8 text");
}

TEST(BpeCodesFile, EveryCharacterOfOurOwnFileCounts) {
  const BpeCodes codes{.merges = {{"c", "\r"}, {"\r", "d</w>"}, {"\r", "\r"}, {"\u2028", "\u0085</w>"}}};
  EXPECT_EQ(parse_formatted_codes("codes", format_codes(codes), 0), codes);
  BpeCodes old = codes;
  old.version = BpeCodes::Version::V01;
  EXPECT_EQ(parse_formatted_codes("codes", format_codes(old), 0), old);
  EXPECT_EQ(parse_codes("codes", "#version: 0.2\n c d\r\n").merges, (std::vector<Merge>{{"c", "d"}}))
      << "subword-nmt ignores spaces and CR at both ends";
  EXPECT_EQ(message_of<InputError>([] { parse_formatted_codes("codes", "#version: 0.2\na b\nc \n", 7); }),
            "codes:10: expected exactly two symbols with a space between them, found 'c '");
}

TEST(BpeCodesFile, OnlyTheFirstMergesAreReadOnRequest) {
  EXPECT_EQ(parse_codes("codes", "#version: 0.2\na b\nc d\nfault\n", 2).merges,
            (std::vector<Merge>{{"a", "b"}, {"c", "d"}}));
  EXPECT_TRUE(parse_codes("codes", "#version: 0.2\n", 0).merges.empty());
}

/// Python's int() reads them.
TEST(Dictionary, CountsMayBeAnyOfPythonsWholeNumbers) {
  const heed::testing::TemporaryDirectory directory;
  write_file(directory.file("d"), "a 1_0\nb +3\nc \t7\t\nd 0012\ne \u0664\u0662\n");
  EXPECT_EQ(format_dictionary(read_dictionary(directory.file("d"), LineEnds::Unicode)), "e 42\nd 12\na 10\nc 7\nb 3\n");
}

TEST(Dictionary, FaultsAreNamed) {
  const heed::testing::TemporaryDirectory directory;
  const std::string path = directory.file("words");
  for (const std::string line :
       {"low", "low  5", "low 5 6", "low many", "low 1__0", "low _1", "low 1_", "low 1.0", ""}) {
    write_file(path, "fine 3\n" + line + "\n");
    EXPECT_EQ(message_of<InputError>([&] { read_dictionary(path, LineEnds::Unicode); }),
              path + ":2: expected a word, a space and its count, found '" + line + "'");
  }
}

TEST(Dictionary, EqualCountsStayInTheirOrder) {
  EXPECT_EQ(format_dictionary(counts_of("b a c c a b d\n")), "b 2\na 2\nc 2\nd 1\n");
}

TEST(Glossaries, PythonsPatternsMeanWhatTheyMeanThere) {
  const auto parts = [](const std::string& pattern, std::string_view word) {
    return Glossaries({pattern}, false).isolate(word);
  };
  EXPECT_EQ(parts("USA", "1934USABUSA"), (Units{"1934", "USA", "B", "USA"}));
  EXPECT_EQ(parts("USA", "USA"), (Units{"USA"}));
  EXPECT_EQ(parts("USA", "UdSSR"), (Units{"UdSSR"}));
  EXPECT_EQ(parts(R"(\w+)", "e\u0301a"), (Units{"e", "\u0301", "a"}));  // ICU's own \w has combining marks
  EXPECT_EQ(parts(R"(\s)",
                  "a\x1f\u0085"
                  "b"),
            (Units{"a", "\x1f", "\u0085", "b"}));
  EXPECT_EQ(parts(R"(\bb)", "ab-b"), (Units{"ab-", "b"}));
  EXPECT_EQ(parts("[a&&b]", "a&bc"), (Units{"a", "&", "b", "c"}));  // ICU's own && is an intersection
  EXPECT_EQ(parts("[][]", "a[b]"), (Units{"a", "[", "b", "]"}));
  EXPECT_EQ(parts("a{", "xa{"), (Units{"x", "a{"}));
  EXPECT_EQ(parts("a{,2}b", "xaaab"), (Units{"xa", "aab"}));
  EXPECT_EQ(parts("(?P<c>.)(?P=c)", "abbc"), (Units{"a", "bb", "b", "c"}));  // groups are parts of their own
  EXPECT_EQ(parts(R"(b\Z)", "bab"), (Units{"ba", "b"}));
  EXPECT_EQ(parts("[:alpha:]+", "xalph:1"), (Units{"x", "alph:", "1"}));  // no class in Python
  EXPECT_EQ(parts("a{,}b", "xaab"), (Units{"x", "aab"}));
  EXPECT_EQ(parts(R"([\101])", "xAy"), (Units{"x", "A", "y"}));
  EXPECT_EQ(parts(R"(\101)", "xAy"), (Units{"x", "A", "y"}));
  EXPECT_EQ(parts("(?P<n_1>a)(?P=n_1)", "baab"), (Units{"b", "aa", "a", "b"}));
  EXPECT_EQ(parts(R"(\N{DIGIT ONE}\N{euro sign})", "x1\u20acy"), (Units{"x", "1\u20ac", "y"}));
  EXPECT_EQ(parts(R"([\N{CJK UNIFIED IDEOGRAPH-4F60}\N{HANGUL SYLLABLE GAG}]+)", "a\u4f60\uac01"),
            (Units{"a", "\u4f60\uac01"}));
  EXPECT_EQ(parts(R"(\x41\u00df\U0001F600[\x42-\u0043])", "xA\u00df\U0001f600C"), (Units{"x", "A\u00df\U0001f600C"}));
  EXPECT_EQ(parts(R"(\v)", "a\n\vb"), (Units{"a\n", "\v", "b"}));  // ICU's own \v is all vertical white space
}

TEST(Glossaries, APatternThatDoesNotComeToAnEndIsAnError) {
  const Glossaries glossaries({"(a|)+?c"}, false);
  EXPECT_EQ(message_of<Error>([&] { glossaries.isolate("baab"); }),
            "the glossaries' `^(a|)+?c$` cannot be matched with a word of 4 characters: it takes too long");
}

TEST(BpeVocabulary, EachLineIsHeldAgainstTheThresholdAlone) {
  const heed::testing::TemporaryDirectory directory;
  write_file(directory.file("v"), "ab@@ 3\ncd 9\nab@@ 4\n");
  EXPECT_EQ(read_bpe_vocabulary(directory.file("v"), 5), BpeVocabulary{"cd"});
  EXPECT_EQ(read_bpe_vocabulary(directory.file("v"), 4), (BpeVocabulary{"ab@@", "cd"}));
}

TEST(Glossaries, FaultyPatternsAreNamed) {
  EXPECT_EQ(message_of<ConfigError>([] { Glossaries({"(a"}, false); }),
            "`glossaries` must be regular expressions, found '(a' (a parenthesis lacks its other half)");
  const auto problem = [](const std::string& pattern, bool bytes = false) {
    const std::string start = "`glossaries` must be regular expressions, found '" + pattern + "' (";
    const std::string message = message_of<ConfigError>([&] { Glossaries({pattern}, bytes); });
    EXPECT_TRUE(message.starts_with(start)) << message;
    return message.substr(start.size());
  };
  EXPECT_EQ(problem("[a"), "a set lacks its closing bracket)");
  EXPECT_EQ(problem("[b-a]"), "a range of characters ends before it begins)");
  EXPECT_EQ(problem(R"((a)\2)"), "a group that is referred to does not exist)");
  EXPECT_EQ(problem("(?<=a+)b"), "a look-behind has no limited length)");
  EXPECT_EQ(problem("*a"), "the syntax is wrong)");
  EXPECT_EQ(problem("(a)?(?(1)b|c)"), "conditional groups, (?(...)a|b), are not supported)");
  EXPECT_EQ(problem("(?P<x>a)?(?(x)b|c)"), "conditional groups, (?(...)a|b), are not supported)");
  EXPECT_EQ(problem(R"(\N{DIGIT 1})"), "no character has the name `DIGIT 1`)");
  EXPECT_EQ(problem(R"(\Na)"), "\\N needs the name of a character, such as \\N{DIGIT ONE})");
  EXPECT_EQ(problem(R"(\x4)"), "\\x needs 2 hexadecimal digits of a character, but has `4`)");
  EXPECT_EQ(problem(R"(\U00110000)"), "\\U needs 8 hexadecimal digits of a character, but has `00110000`)");
  // What ICU knows and Python does not.
  for (const char* letter : {"p", "R", "X", "Q", "G", "h", "z", "e", "q"}) {
    EXPECT_EQ(problem(std::string("a\\") + letter), std::string("\\") + letter + " is not an escape)");
    EXPECT_EQ(problem(std::string("[\\") + letter + "]"), std::string("\\") + letter + " is not an escape)");
  }
  EXPECT_EQ(problem(R"([\A])"), "\\A is not an escape)");
  EXPECT_EQ(problem(R"(\N{DIGIT ONE})", true), "\\N is not an escape)");  // a pattern for bytes
  EXPECT_EQ(problem(R"(\u0041)", true), "\\u is not an escape)");
}

}  // namespace
}  // namespace heed::text
