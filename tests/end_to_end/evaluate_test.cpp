#include <gtest/gtest.h>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

const std::string kReference = "The cat sat on the mat.\nIt was warm, and the dog slept.\nNobody came.\n";
const std::string kSystem = "The cat sat on a mat.\nIt was warm and the dog slept.\nNobody came.\n";

class Evaluate : public testing::Test {
 protected:
  Folder folder;
  std::string reference = folder.file("reference", kReference);
  std::string system = folder.file("system", kSystem);
};

TEST_F(Evaluate, OneSystemIsSacrebleusLine) {
  const Result result = heed({"evaluate", "--reference", reference, system});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.output, 
            "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 58.6 94.4/80.0/58.3/33.3 "
            "(BP = 0.946 ratio = 0.947 hyp_len = 18 ref_len = 19)\n");
}

TEST_F(Evaluate, OptionsChangeScoreAndSignature) {
  const Result result = heed({"evaluate", "--reference", reference, "--tokenize", "none", "--lowercase", "--smooth",
                              "floor", "--smooth-value", "0.5", "--decimals=4", system});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.output, 
            "BLEU|nrefs:1|case:lc|eff:no|tok:none|smooth:floor[0.50]|version:2.6.0 = 52.0448 86.7/66.7/44.4/28.6 "
            "(BP = 1.000 ratio = 1.000 hyp_len = 15 ref_len = 15)\n");
}

TEST_F(Evaluate, SeveralSystemsAndReferences) {
  const Result result = heed({"evaluate", "--reference", reference, "--reference", system, reference, system});
  EXPECT_EQ(result.code, 0);
  const std::vector<std::string> lines = lines_of(result.output);
  ASSERT_EQ(lines.size(), 2u);
  const std::string perfect = "BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 100.0 ";
  EXPECT_TRUE(lines[0].starts_with(reference + ": " + perfect)) << lines[0];
  EXPECT_TRUE(lines[1].starts_with(system + ": " + perfect)) << lines[1];
}

TEST_F(Evaluate, StandardInputIsADash) {
  EXPECT_EQ(heed({"evaluate", "--reference", reference, "-"}, kSystem).output,
            heed({"evaluate", "--reference", reference, system}).output);
}

TEST_F(Evaluate, UnequalLineCountsNameBoth) {
  const std::string shorter = folder.file("short", "one line\n");
  expect_error(heed({"evaluate", "--reference", reference, shorter}), 1,
               shorter + ": has 1 lines, but " + reference + " has 3");
  expect_error(heed({"evaluate", "--reference", reference, "--reference", shorter, system}), 1,
               shorter + ": has 1 lines, but " + reference + " has 3");
}

TEST_F(Evaluate, BadInputIsNamed) {
  const std::string empty = folder.file("empty", "");
  const std::string invalid = folder.file("invalid", "fine\nnot \xff fine\nfine\n");
  expect_error(heed({"evaluate", "--reference", empty, empty}), 1, empty + ": has no lines");
  expect_error(heed({"evaluate", "--reference", reference, folder.path("none")}), 1,
               folder.path("none") + ": cannot open: No such file or directory");
  const Result result = heed({"evaluate", "--reference", reference, invalid});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(result.errors.starts_with("heed: " + invalid + ":2: ")) << result.errors;
}

TEST_F(Evaluate, WrongUseIsExplained) {
  expect_error(heed({"evaluate", system}), 2, "`--reference` is missing: name the file with the true translations");
  expect_error(heed({"evaluate", "--reference", reference}), 2,
               "no translations given: name their file behind the options");
  expect_error(heed({"evaluate", "--reference", reference, "--tokenise", "none", system}), 2,
               "`--tokenise` is not an option; did you mean `--tokenize`?");
  expect_error(heed({"evaluate", "--reference", reference, "--tokenize", "zh", system}), 2,
               "`--tokenize` must be one of 13a, none, but is `zh`");
  expect_error(heed({"evaluate", "--reference", reference, "--smooth-value", "1", system}), 2,
               "`--smooth-value` applies only when `smooth` is `floor` or `add-k`, but it is `exp`");
}

}  // namespace
}  // namespace heed::end_to_end
