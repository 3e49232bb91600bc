// heed data: from raw parallel text to training, validation and test text.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

class Data : public ::testing::Test {
 protected:
  /// A text of 60 good pairs and some bad ones. Line 61: empty, 62: repeats line 1, 63: misread, 64: good.
  void SetUp() override {
    for (int i = 0; i < 60; ++i) {
      const std::string number = std::string(1, static_cast<char>('a' + i % 26)) + static_cast<char>('a' + i / 26 * 7);
      add("The cat " + number + " sleeps under the tree " + number + number,
          "Die Katze " + number + " schläft unter dem Baum " + number + number);
    }
    add("nothing", "");
    add(source[0], target[0]);
    add("The door is open", "Die TÃ¼r ist offen");
    add("OK", "OK");
    write("a.en", source);
    write("a.de", target);
  }
  void add(const std::string& english, const std::string& german) {
    source.push_back(english);
    target.push_back(german);
  }
  std::string write(const std::string& name, const Words& lines) const {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return folder.file(name, text);
  }
  Words input() const { return {"--source", folder.path("a.en"), "--target", folder.path("a.de")}; }
  Words output(const std::string& name) const {
    return {"--output-source", folder.path(name + ".en"), "--output-target", folder.path(name + ".de")};
  }
  static Result data(const std::string& command, const Words& more) { return heed(Words{"data", command} + more); }

  Folder folder;
  Words source, target;
};

TEST_F(Data, FilterRemovesAndRestorePutsBack) {
  const Result result = data("filter", input() + output("b") + Words{"--log", folder.path("log.jsonl")});
  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(result.errors.starts_with("heed: 3 of 64 pairs removed, 61 kept\n")) << result.errors;
  EXPECT_NE(result.errors.find("heed:   encoding                 1  bytes that are not UTF-8"), std::string::npos)
      << result.errors;
  const Words log = lines_of(folder.read("log.jsonl"));
  ASSERT_EQ(log.size(), 3U);
  EXPECT_EQ(log[0], R"({"line":61,"reasons":["empty"],"source":"nothing","target":""})");
  EXPECT_EQ(nlohmann::json::parse(log[1])["repeats"], 1);
  Words kept(source.begin(), source.begin() + 60);
  EXPECT_EQ(lines_of(folder.read("b.en")), kept + Words{"OK"});

  const Words filtered{"--source", folder.path("b.en"),     "--target", folder.path("b.de"),
                       "--log",    folder.path("log.jsonl")};
  ASSERT_EQ(data("restore", filtered + output("c")).code, 0);
  EXPECT_EQ(folder.read("c.en"), folder.read("a.en"));
  EXPECT_EQ(folder.read("c.de"), folder.read("a.de"));
  ASSERT_EQ(data("restore", filtered + output("d") + Words{"--reasons", "encoding", "duplicate"}).code, 0);
  EXPECT_EQ(lines_of(folder.read("d.en")), (kept + Words{source[61], source[62], "OK"}));
  expect_error(data("restore", input() + Words{"--log", folder.path("none")} + output("e")), 1,
               folder.path("none") + ": cannot open: No such file or directory");
  expect_error(
      data("restore", {"--source", folder.file("s", "a\n"), "--target", folder.file("t", "b\n"), "--log",
                       folder.path("log.jsonl"), "--output-pairs", folder.path("p")}),
      1,
      folder.path("log.jsonl") + " has the removed pair 61, but the text has only 1 pair: they do not belong together");
}

TEST_F(Data, FiltersAreChosen) {
  const auto kept = [&](const Words& options) {
    const Result result = data("filter", input() + output("b") + options);
    EXPECT_EQ(result.code, 0) << result.errors;
    return lines_of(folder.read("b.en")).size();
  };
  EXPECT_EQ(kept({"--filters", "empty"}), 63U);
  EXPECT_EQ(kept({"--without", "empty", "duplicate"}), 63U);
  EXPECT_EQ(kept({"--max-words", "3"}), 1U);
  expect_error(data("filter", input() + output("b") + Words{"--with", "LanguageIDFilter"}), 2,
               "`--with` must name heed's filters: `language` is the closest to OpusFilter's `LanguageIDFilter`");
  expect_error(
      data("filter", input()), 2,
      "`--output-source` and `--output-target` name the files for both sides, or `--output-pairs` one for pairs");
  expect_error(
      data("filter", input() + Words{"--output-source", folder.path("a.en"), "--output-target", folder.path("b.de")}),
      2, "`--output-source` must be another file than `" + folder.path("a.en") + "`, which is read");
  expect_error(data("filter", input() + output("b") + Words{"--log", folder.path("b.en")}), 2,
               "`--log` must be another file than that of `--output-source`");
}

TEST_F(Data, OfNearDuplicatesTheFirstWithoutAnotherReasonStays) {
  const std::string english = "There are many small villages along the northern coast of the island",
                    german = "An der nördlichen Küste der Insel gibt es viele kleine Dörfer";
  add(english + ".", german + " TÃ¼r.");  // line 65: misread
  add(english + "!", german + ".");
  add(english + "?", german + "!");
  write("a.en", source);
  write("a.de", target);
  const Result result = data("filter", input() + output("b") +
                                           Words{"--filters", "encoding", "near-duplicate", "--similarity", "0.6",
                                                 "--log", folder.path("log.jsonl")});
  ASSERT_EQ(result.code, 0) << result.errors;
  const Words kept = lines_of(folder.read("b.en"));
  EXPECT_EQ(std::ranges::count(kept, english + "!"), 1) << "the first that is not removed for another reason";
  EXPECT_EQ(std::ranges::count(kept, english + "?"), 0);
  EXPECT_EQ(std::ranges::count(kept, english + "."), 0);
}

TEST_F(Data, ReportIsTextJsonOrAPage) {
  const Result text = data("report", input() + Words{"--valid-source", folder.file("v.en", source[2] + "\n"),
                                                     "--valid-target", folder.file("v.de", target[2] + "\n")});
  ASSERT_EQ(text.code, 0) << text.errors;
  EXPECT_EQ(text.errors, "");
  EXPECT_NE(text.output.find("validation text: of 1 pairs, 1 are in the training text"), std::string::npos)
      << text.output;
  EXPECT_NE(text.output.find("\nleak "), std::string::npos) << text.output;
  const auto json = nlohmann::json::parse(data("report", input() + Words{"--format", "json"}).output);
  EXPECT_EQ(json["pairs"], 64);
  EXPECT_EQ(json["filters"]["encoding"]["examples"][0]["line"], 63);
  ASSERT_EQ(data("report", input() + Words{"--output", folder.path("page.html")}).code, 0);
  EXPECT_TRUE(folder.read("page.html").starts_with("<!DOCTYPE html>"));
}

TEST_F(Data, ASplitThatIsRefusedLeavesNoFolder) {
  const Result result =
      data("split", input() + Words{"--valid", "1000000", "--test", "1", "--output", folder.path("none")});
  EXPECT_EQ(result.code, 1) << result.errors;
  EXPECT_FALSE(std::filesystem::exists(folder.path("none")));
}

TEST_F(Data, SplitSharesNothing) {
  const Words sizes{"--valid", "6", "--test", "6", "--output", folder.path("out"), "--similarity", "0.95"};
  const Result result = data("split", input() + sizes);
  ASSERT_EQ(result.code, 0) << result.errors;
  std::multiset<std::string> all;
  for (const std::string name : {"train", "valid", "test"}) {
    const Words english = lines_of(folder.read("out/" + name + ".en"));
    all.insert(english.begin(), english.end());
    EXPECT_EQ(english.size(), lines_of(folder.read("out/" + name + ".de")).size());
    if (name != "train") {
      EXPECT_EQ(english.size(), 6U) << name;
    }
  }
  EXPECT_EQ(all, std::multiset<std::string>(source.begin(), source.end()));
  const std::string before = folder.read("out/test.en");
  ASSERT_EQ(data("split", input() + sizes + Words{"--overwrite"}).code, 0);
  EXPECT_EQ(folder.read("out/test.en"), before);
  ASSERT_EQ(data("split", input() + sizes + Words{"--seed", "2", "--overwrite"}).code, 0);
  EXPECT_NE(folder.read("out/test.en"), before);
}

TEST_F(Data, SplitReplacesNoFileWhoseNameWasNotTyped) {
  const std::string theirs = folder.file("valid.de", "somebody's text\n");
  const Words split = input() + Words{"--valid", "6", "--test", "6", "--output", folder.path("")};
  expect_error(data("split", split), 2, theirs + " exists: name another folder with `--output`, or add `--overwrite`");
  EXPECT_EQ(folder.read("valid.de"), "somebody's text\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path("train.en")));
  ASSERT_EQ(data("split", split + Words{"--overwrite"}).code, 0);
  EXPECT_EQ(lines_of(folder.read("valid.de")).size(), 6U);
}

TEST_F(Data, ShuffleAndSampleKeepPairsTogether) {
  ASSERT_EQ(data("shuffle", input() + output("b")).code, 0);
  const Words english = lines_of(folder.read("b.en")), german = lines_of(folder.read("b.de"));
  ASSERT_EQ(english.size(), source.size());
  EXPECT_NE(english, source);
  for (size_t i = 0; i < english.size(); ++i) {
    const auto at = static_cast<size_t>(std::ranges::find(source, english[i]) - source.begin());
    EXPECT_EQ(german[i], target[at]);
  }
  ASSERT_EQ(data("sample", input() + output("c") + Words{"--size", "10"}).code, 0);
  EXPECT_EQ(lines_of(folder.read("c.en")).size(), 10U);
  expect_error(data("sample", input() + output("c") + Words{"--size", "65"}), 2,
               "`--size` is 65, but the text has only 64 pairs");
}

TEST_F(Data, DedupKeepsTheFirst) {
  const Result result = data("dedup", input() + output("b"));
  EXPECT_EQ(result.errors, "heed: 1 of 64 pairs removed, 63 kept\n");
  ASSERT_EQ(data("dedup", input() + output("b") + Words{"--near", "--similarity", "0.3"}).code, 0);
  EXPECT_LT(lines_of(folder.read("b.en")).size(), 63U);
}

TEST_F(Data, FormatsAreConverted) {
  const std::string memory = folder.path("a.tmx"), json = folder.path("a.jsonl");
  ASSERT_EQ(data("convert", input() + Words{"--output-pairs", memory}).code, 0);
  ASSERT_EQ(data("convert", {"--pairs", memory, "--output-pairs", json + ".gz"}).code, 0);
  const Result back = data("convert", Words{"--pairs", json + ".gz"} + output("b"));
  ASSERT_EQ(back.code, 0) << back.errors;
  EXPECT_EQ(folder.read("b.en"), folder.read("a.en"));
  EXPECT_EQ(folder.read("b.de"), folder.read("a.de"));
  const Result from_pipe = heed({"data", "report", "--pairs", "-", "--format", "json"}, "a\tb\nc\td\n");
  EXPECT_EQ(nlohmann::json::parse(from_pipe.output)["pairs"], 2) << from_pipe.errors;
}

TEST_F(Data, PerturbChangesPairs) {
  const Result result = data("perturb", input() + output("b") + Words{"--kinds", "upper-case"});
  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_EQ(result.errors, "heed: 63 of 64 pairs changed\n") << "OK is in capitals already";
  EXPECT_EQ(lines_of(folder.read("b.en"))[0], "THE CAT AA SLEEPS UNDER THE TREE AAAA");
  EXPECT_EQ(lines_of(folder.read("b.de"))[0], "DIE KATZE AA SCHLÄFT UNTER DEM BAUM AAAA");
  ASSERT_EQ(data("perturb", input() + output("c") + Words{"--kinds", "typos=0.5", "join", "--seed", "3"}).code, 0);
  ASSERT_EQ(data("perturb", input() + output("d") + Words{"--kinds", "join", "typos=0.5", "--seed", "3"}).code, 0);
  EXPECT_EQ(folder.read("c.en"), folder.read("d.en")) << "in the order of the kinds";
  EXPECT_EQ(lines_of(folder.read("c.de"))[0], target[0] + " " + target[1]);
  EXPECT_EQ(lines_of(folder.read("c.de")).back(), target.back() + " " + target[0]) << "the first follows the last";
  expect_error(data("perturb", input() + output("b")), 2, "`--kinds` is missing: name the changes, such as typos");
  expect_error(data("perturb", input() + output("b") + Words{"--kinds", "typos=2"}), 2,
               "`--kinds` must have entries KIND or KIND=RATE with a rate above 0 and at most 1, but has `typos=2`");
}

TEST_F(Data, MessagesOfProgramsAreConverted) {
  const std::string po = folder.file("de.po", "msgid \"one\"\nmsgstr \"eins\"\n\nmsgid \"two\"\nmsgstr \"\"\n");
  const Result result = data("convert", {"--pairs", po, "--source-field", "en", "--target-field", "de",
                                         "--output-pairs", folder.path("a.xlf")});
  EXPECT_EQ(result.errors, "heed: " + po + ": 1 message without a translation left out\nheed: 1 pair\n");
  EXPECT_EQ(data("convert", {"--pairs", folder.path("a.xlf"), "--output-pairs", "-"}).output, "one\teins\n");
  const Result memory = data("convert", {"--source", folder.file("s.en", "a\x1b\n"), "--target",
                                         folder.file("s.de", "x\n"), "--output-pairs", folder.path("a.tmx")});
  EXPECT_EQ(memory.errors,
            "heed: warning: 1 text had control characters, which XML cannot have: they became U+FFFD\nheed: 1 pair\n");
  expect_error(data("convert", {"--pairs", po, "--output-pairs", folder.path("b.xlf")}), 2,
               "`--source-field` and `--target-field` name the languages for XLIFF, such as en and de");
}

TEST_F(Data, LineBreaksBecomeSpaces) {
  const std::string json = folder.file("a.jsonl", R"({"source": "a\nb", "target": "x\ty"})");
  const Result result = data("convert", {"--pairs", json, "--output-pairs", "-"});
  EXPECT_EQ(result.output, "a b\tx y\n");
  EXPECT_EQ(result.errors,
            "heed: warning: 2 texts had line breaks or TABs, which the output cannot have: they became spaces\n"
            "heed: 1 pair\n");
}

TEST_F(Data, BadInputIsOneSentence) {
  std::string packed = folder.file("x", "");
  ASSERT_EQ(data("convert", input() + Words{"--output-pairs", folder.path("a.tsv.gz")}).code, 0);
  packed = folder.read("a.tsv.gz");
  const Result cut = data("report", {"--pairs", folder.file("cut.tsv.gz", packed.substr(0, packed.size() / 2))});
  EXPECT_EQ(cut.code, 1);
  EXPECT_EQ(lines_of(cut.errors).size(), 1U) << cut.errors;
  expect_error(data("report", {}), 2, "`target` is missing: give `source` and `target`, or `pairs`");
  expect_error(data("report", {"--source", folder.path("a.en"), "--target", folder.file("b.de", "x\n")}), 1,
               folder.path("a.en") + " has 64 lines, " + folder.path("b.de") +
                   " has 1 line: line N of the one must belong to line N of the other");
  expect_error(
      data("report", {"--pairs", folder.file("wide.tsv", "a\tb\tc\n")}), 1,
      folder.path("wide.tsv") +
          ":1: expected two columns, source TAB target, found 3: `--source-field` and `--target-field` choose columns");
}

}  // namespace
}  // namespace heed::end_to_end
