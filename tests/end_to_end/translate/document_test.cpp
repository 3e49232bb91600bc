// `heed translate` with documents and protected text, by a model that translates numbers and turns them round.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

Result translate_with(const Words& options, const std::string& input = "") {
  return heed(Words{"translate", "--model", std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1",
                    "--threads", "1"} +
                  options,
              input);
}

TEST(TranslateDocument, TheFormatFollowsFromTheName) {
  const Folder folder;
  const std::string page = folder.file("page.html", "<p class=x>one <b>two</b> three</p>\n<!-- one -->\n");
  const Result result = translate_with({"--input", page, "--output", folder.path("out.html")});
  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_EQ(folder.read("out.html"), "<p class=x>drei <b>zwei</b> eins</p>\n<!-- one -->\n");
  EXPECT_EQ(result.errors.find("is translated as a document"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("1 segment translated, 1 different"), std::string::npos) << result.errors;
  EXPECT_EQ(lines_of(translate_with({"--input", page, "--format", "text"}).output).size(), 2U);
}

TEST(TranslateDocument, ItIsSaidWhereLinesMayBeMeant) {
  const Folder folder;
  const std::string text = folder.file("notes.md", "one *two*\n"), said = "notes.md is translated as a document; ";
  EXPECT_NE(translate_with({"--input", text}).errors.find(said), std::string::npos);
  EXPECT_EQ(translate_with({"--input", text, "--format", "markdown"}).errors.find(said), std::string::npos);
  const Result wrong = translate_with({"--input", text, "--checkpoint", "7"});
  EXPECT_NE(wrong.code, 0);
  EXPECT_EQ(wrong.errors.find(said), std::string::npos) << "only if it is translated: " << wrong.errors;
}

TEST(TranslateDocument, TheFormatCanBeNamed) {
  EXPECT_EQ(translate_with({"--format", "po"}, "msgid \"one two\"\nmsgstr \"\"\n").output,
            "#, fuzzy\nmsgid \"one two\"\nmsgstr \"zwei eins\"\n");
  EXPECT_EQ(translate_with({"--format", "markdown"}, "# one *two*\n\n`code`\n").output, "# *zwei* eins\n\n`code`\n");
  EXPECT_EQ(translate_with({"--format", "srt"}, "1\n00:00:01,600 --> 00:00:04,200\none two\n").output,
            "1\n00:00:01,600 --> 00:00:04,200\nzwei eins\n");
}

TEST(TranslateDocument, ABrokenOneIsOneLineAndNoOutput) {
  const Folder folder;
  const std::string page = folder.file("page.html", "<p>one</p>\n<p>two <a href=\"x");
  const Result result = translate_with({"--input", page, "--format", "html", "--output", folder.path("out.html")});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.errors, "heed: " + page + ":2: the tag `a` that begins here is not closed\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path("out.html")));
}

TEST(TranslateDocument, OptionsForLinesAreRefused) {
  for (const Words& options : {Words{"--shard", "1/2"}, Words{"--prefix", "x"}, Words{"--alignment", "x"}}) {
    const Result result = translate_with(Words{"--format", "html"} + options);
    EXPECT_EQ(result.code, 2);
    EXPECT_NE(result.errors.find("`" + options[0] + "` does not go with a document"), std::string::npos)
        << result.errors;
  }
  EXPECT_EQ(translate_with({"--format", "html", "--search.n-best", "2"}, "<p>one").code, 2);
}

TEST(ProtectedLines, ComeBackExactly) {
  EXPECT_EQ(translate_with({"--protect", "placeholder", "url"}, "one %s two\none https://a.b/c\n").output.find("%s") !=
                std::string::npos,
            true);
  const Result result = translate_with({"--protect-pattern", "@[a-z]+"}, "one @ab two\n");
  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_NE(result.output.find("@ab"), std::string::npos) << result.output;
  EXPECT_EQ(translate_with({"--protect", "urls"}, "one\n").errors,
            "heed: `--protect` must be url, mail, placeholder, reference, tag or number, but is `urls`\n");
  EXPECT_EQ(translate_with({"--protect-pattern", "("}, "one\n").code, 2);
}

TEST(ProtectedLines, LostTextHasFlags) {
  const std::string output = translate_with({"--format", "tsv"}, "one %s\none 5\none\n").output;
  const auto lines = lines_of(output);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_NE(lines[0].find("placeholder-lost"), std::string::npos) << output;
  EXPECT_NE(lines[1].find("number-lost"), std::string::npos) << output;
  EXPECT_EQ(lines[2].find("lost"), std::string::npos) << output;
}

TEST(ProtectedLines, PlainTextThatLooksLikeMarkupGetsAWarning) {
  EXPECT_NE(translate_with({}, "one\n<p>two</p>\n")
                .errors.find("line 2 looks like HTML or XML, with `<p>`: `--format` translates documents"),
            std::string::npos);
  EXPECT_EQ(translate_with({}, "<2de> one\n").errors.find("looks like"), std::string::npos);
}

}  // namespace
}  // namespace heed::end_to_end
