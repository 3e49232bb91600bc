// Constraints on translations: prefixes, terms, forbidden words; and other ways of searching.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

/// A model that translates numbers.
std::string stored_model() { return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1"; }

const std::string kText = "one two three\n\nfour five\nsix\n";

Result translate(const Words& options) {
  Words command{"translate", "--model", stored_model(), "--threads", "1"};
  command.insert(command.end(), options.begin(), options.end());
  return heed(command, kText);
}

/// The translations without their scores, whose last digits follow the order of sums.
Words without_scores(const Result& result) {
  Words lines = lines_of(result.output);
  for (std::string& line : lines) line.resize(std::min(line.rfind(" ||| "), line.size()));
  return lines;
}

/// The same by the engine and, as an ensemble of the model with itself, with tensors.
Words lines_by_both_backends(Words options) {
  const Result fast = translate(options);
  EXPECT_EQ(fast.code, 0) << fast.errors;
  options.insert(options.end(), {"--ensemble", stored_model()});
  const Result plain = translate(options);
  EXPECT_EQ(plain.code, 0) << plain.errors;
  EXPECT_EQ(without_scores(plain), without_scores(fast));
  return lines_of(fast.output);
}

TEST(TranslationConstraints, APrefixBeginsTheTranslation) {
  const Folder folder;
  const Words lines = lines_by_both_backends({"--prefix", folder.file("begins", "zwei  vierzig\nneun\n\nzehn zehn\n")});
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[0].starts_with("zwei  vierzig ")) << "as it was given, known or not: " << lines[0];
  EXPECT_EQ(lines[1], "") << "a blank line stays blank";
  EXPECT_EQ(lines[2], lines_of(translate({}).output)[2]) << "a blank prefix leaves it free";
  EXPECT_TRUE(lines[3].starts_with("zehn zehn")) << lines[3];
}

TEST(TranslationConstraints, ThereIsAPrefixForEachLine) {
  const Folder folder;
  const std::string few = folder.file("few", "zwei\n"), many = folder.file("many", "\n\n\n\n\n"),
                    text = folder.file("text", kText);
  expect_error(translate({"--prefix", few}), 1, few + ": has 1 prefixes, fewer than there are lines to translate");
  expect_error(translate({"--prefix", many}), 1, many + ": has more prefixes than the 4 lines to translate");
  const std::string output = folder.path("output");
  expect_error(translate({"--prefix", few, "--input", text, "--output", output}), 1,
               few + ": has 1 prefixes, but there are 4 lines to translate");
  EXPECT_FALSE(std::filesystem::exists(output));
  expect_error(translate({"--prefix", "-"}), 2, "standard input (-) is named twice; it can be read only once");
}

TEST(TranslationConstraints, TermsStandInTheTranslationAndForbiddenWordsDoNot) {
  const Folder folder;
  const Words lines = lines_by_both_backends({"--terminology", folder.file("terms", "two\tneun zehn\nsix\tacht\n"),
                                              "--forbid", folder.file("never", "eins\nvier\n")});
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_NE(lines[0].find("neun zehn"), std::string::npos) << lines[0];
  EXPECT_NE(lines[3].find("acht"), std::string::npos) << lines[3];
  for (const std::string& line : lines) {
    EXPECT_EQ(line.find("eins"), std::string::npos) << line;
    EXPECT_EQ(line.find("vier"), std::string::npos) << line;
  }
  const std::string terms = folder.file("wrong", "two\tzwei\nthree\n");
  expect_error(translate({"--terminology", terms}), 1, terms + ":2: expected SOURCE TAB TARGET, found no tab");
}

TEST(TranslationConstraints, TermsWithSwappedColumnsAreNoticed) {
  const Folder folder;
  const auto errors = [&](const std::string& terms) {
    return translate({"--terminology", folder.file("terms", terms)}).errors;
  };
  EXPECT_NE(errors("acht\tsix\nzehn\tnowhere\n")
                .find("terms: its source terms occur in none of 4 lines, but its targets occur in 1: are the columns "
                      "swapped? A line is SOURCE TAB TARGET"),
            std::string::npos);
  EXPECT_EQ(errors("six\tacht\n").find("swapped"), std::string::npos);
  EXPECT_EQ(errors("nowhere\tacht\n").find("swapped"), std::string::npos);
}

TEST(TranslationConstraints, ATagIsNotWritten) {
  const Folder folder;
  const std::string begins = folder.file("begins", "zehn\n\nzehn\nzehn\n");
  Words expected = lines_by_both_backends({"--prefix", begins});
  for (std::string& line : expected) line.erase(0, line.empty() ? 0 : std::string("zehn ").size());
  EXPECT_EQ(lines_by_both_backends({"--target-tag", "zehn"}), expected);
  const Words with_prefix = lines_by_both_backends({"--target-tag", "zehn", "--prefix", begins});
  EXPECT_TRUE(with_prefix[0].starts_with("zehn ")) << with_prefix[0];
  expect_error(translate({"--target-tag", "<2de>"}), 2,
               "`--target-tag` '<2de>' cannot be written with the model's vocabulary");
}

TEST(TranslationConstraints, SamplesAreDrawnForEachLine) {
  const Words options{"--search.method", "sample", "--search.temperature", "2", "--search.n-best", "4"};
  const Words lines = lines_by_both_backends(options);
  EXPECT_EQ(lines.size(), 13U) << "four a line, one for the blank line";
  Words other = options;
  other.insert(other.end(), {"--search.seed", "2"});
  EXPECT_NE(translate(other).output, translate(options).output);
  expect_error(translate({"--search.method", "sample", "--terminology", "none"}), 2,
               "`--terminology` needs beam search, which finds the place for a term; `search.method` is sample");
}

TEST(TranslationConstraints, MinimumBayesRiskChoosesAmongSamples) {
  const Words samples{"--search.method", "sample", "--search.temperature", "1.5", "--search.n-best", "30"};
  const Words list = lines_by_both_backends(samples);
  Words options = samples;
  options.insert(options.end(), {"--mbr", "chrf"});
  const Words chosen = lines_by_both_backends(options);
  ASSERT_EQ(chosen.size(), 4U) << "the best alone";
  EXPECT_TRUE(std::ranges::any_of(list, [&](const std::string& line) {
    return line.starts_with("0 ||| " + chosen[0] + " ||| ");
  })) << chosen[0];
  EXPECT_EQ(chosen[1], "");
  const auto scaled = [&](const char* scale) {
    return lines_of(translate(options + Words{"--mbr-scale", scale}).output);
  };
  EXPECT_EQ(scaled("0"), chosen) << "each sample counts once";
  EXPECT_NE(scaled("1"), chosen);
  const Folder folder;
  options.insert(options.end(), {"--alignment", folder.path("links")});
  EXPECT_EQ(lines_of(translate(options).output), chosen);
  EXPECT_EQ(lines_of(folder.read("links")).size(), 4U) << "a record for each line of output";
  expect_error(translate({"--mbr", "bleu"}), 2,
               "`--mbr` chooses among several translations: `search.n-best` must be above 1");
}

TEST(TranslationConstraints, OtherWaysOfSearchingAreTheSameByBothBackends) {
  for (const Words& options : {Words{"--search.groups", "5", "--search.diversity", "2"}, Words{"--search.stop", "best"},
                               Words{"--search.patience", "3"}, Words{"--search.coverage-penalty", "0.4"},
                               Words{"--search.no-repeat-ngram", "1"}, Words{"--search.repetition-penalty", "2"},
                               Words{"--search.word-reward", "3"}}) {
    Words with_list = options;
    with_list.insert(with_list.end(), {"--search.n-best", "3"});
    lines_by_both_backends(with_list);
  }
}

}  // namespace
}  // namespace heed::end_to_end
