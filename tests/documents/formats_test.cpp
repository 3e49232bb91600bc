// XLIFF, PO, TMX, XML, subtitles and Markdown.
#include <gtest/gtest.h>

#include "documents/documents.h"
#include "heed/core/error.h"

namespace heed::documents {
namespace {

using Texts = std::vector<std::string>;

void expect_error(DocumentFormat format, const std::string& source, const std::string& message) {
  try {
    read_document(format, source, "file");
    ADD_FAILURE() << source;
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(Formats, FollowFromTheNameOfTheFile) {
  EXPECT_EQ(format_of_name("a/Page.HTML"), DocumentFormat::Html);
  EXPECT_EQ(format_of_name("x.md"), DocumentFormat::Markdown);
  EXPECT_EQ(format_of_name("x.txt"), std::nullopt);
  EXPECT_EQ(format_of_name("test.en"), std::nullopt);
}

TEST(Formats, OtherFilesAreRefusedInOneSentence) {
  expect_error(DocumentFormat::Html, std::string("<p>\n\x00", 5),
               "file:2: expected text, found a zero byte: is it another kind of file?");
  expect_error(DocumentFormat::Xml, "text", "file:1: expected an element of XML, found text outside of one");
  expect_error(DocumentFormat::Xml, "<a>\n<b></a>", "file:2: expected the end of `b`, found the end of `a`");
  expect_error(DocumentFormat::Xml, "<a>\n<b>", "file:2: the element `b` that begins here is not closed");
  expect_error(DocumentFormat::Xml, "<a b=c/>", "file:1: the value of the attribute `b` has no quotes");
  expect_error(DocumentFormat::Xliff, "<tmx/>", "file:1: expected XLIFF, found the root element `tmx`");
  expect_error(DocumentFormat::Tmx, "<tmx/>",
               "`--target-language` is missing: TMX names the language of each text, such as de");
  expect_error(DocumentFormat::Po, "msgid \"a\n", "file:1: the string has no closing quote");
  expect_error(DocumentFormat::Po, "hello", "file:1: expected a keyword and a string, found `hello`");
  expect_error(DocumentFormat::Vtt, "one\n", "file:1: expected `WEBVTT` in the first line of WebVTT subtitles");
  expect_error(DocumentFormat::Srt, "1\none\n",
               "file:2: expected the times of a subtitle, such as 00:00:01,600 --> 00:00:04,200, found `one`");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  expect_error(DocumentFormat::Xml, deep, "file:1: more than 500 elements are in one another");
}

TEST(Xliff, FillsTargetsAndSetsTheirState) {
  EXPECT_EQ(
      translated(DocumentFormat::Xliff,
                 "<xliff version=\"1.2\"><file><body>\n  <trans-unit id=\"1\">\n    <source>one <g id=\"1\">two</g> "
                 "<x id=\"2\"/> three</source>\n  </trans-unit>\n<trans-unit translate=\"no\"><source>no</source>"
                 "</trans-unit><trans-unit><source>old</source><target state=\"final\">alt</target></trans-unit>"
                 "<trans-unit><source> new </source><target state=\"new\"/></trans-unit></body></file></xliff>",
                 reversed),
      "<xliff version=\"1.2\"><file><body>\n  <trans-unit id=\"1\">\n    <source>one <g id=\"1\">two</g> "
      "<x id=\"2\"/> three</source>\n    <target state=\"needs-review-translation\">THREE <g "
      "id=\"1\">TWO</g> ONE <x id=\"2\"/></target>\n  </trans-unit>\n<trans-unit translate=\"no\"><source>no</source>"
      "</trans-unit><trans-unit><source>old</source><target state=\"final\">alt</target></trans-unit>"
      "<trans-unit><source> new </source><target state=\"new\"> NEW </target></trans-unit></body></file></xliff>");
}

TEST(Xliff, SecondVersionHasTheStateOnTheSegment) {
  EXPECT_EQ(
      translated(DocumentFormat::Xliff,
                 "<xliff version=\"2.0\"><file><unit id=\"1\"><segment state=\"initial\"><source>one <pc id=\"1\">two"
                 "</pc></source></segment></unit></file></xliff>",
                 shouted),
      "<xliff version=\"2.0\"><file><unit id=\"1\"><segment state=\"translated\"><source>one <pc id=\"1\">two"
      "</pc></source><target>ONE <pc id=\"1\">TWO</pc></target></segment></unit></file></xliff>");
}

TEST(Po, FillsEmptyTranslationsAndMarksThemFuzzy) {
  const std::string header = "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\n";
  EXPECT_EQ(
      translated(DocumentFormat::Po,
                 header +
                     "#: a.c:1\n#, c-format\nmsgid \"open %s\\n\"\nmsgstr \"\"\n\nmsgid \"done\"\nmsgstr "
                     "\"fertig\"\n\nmsgctxt \"x\"\nmsgid \"one \\\"file\\\"\"\nmsgid_plural \"%d files\"\nmsgstr[0] "
                     "\"\"\nmsgstr[1] \"\"\n\n#~ msgid \"old\"\n#~ msgstr \"\"\n",
                 shouted),
      header +
          "#: a.c:1\n#, fuzzy, c-format\nmsgid \"open %s\\n\"\nmsgstr \"OPEN %s\\n\"\n\nmsgid \"done\"\nmsgstr "
          "\"fertig\"\n\n#, fuzzy\nmsgctxt \"x\"\nmsgid \"one \\\"file\\\"\"\nmsgid_plural \"%d files\"\nmsgstr[0] "
          "\"ONE \\\"FILE\\\"\"\nmsgstr[1] \"%d FILES\"\n\n#~ msgid \"old\"\n#~ msgstr \"\"\n");
}

TEST(Po, EscapesOfControlCharactersComeBack) {
  EXPECT_EQ(
      translated(DocumentFormat::Po, "msgid \"\\033[1mone\\033[0m two\\a \\x41\\303\\266\"\nmsgstr \"\"\n", shouted),
      "#, fuzzy\nmsgid \"\\033[1mone\\033[0m two\\a \\x41\\303\\266\"\nmsgstr \"\\033[1mONE\\033[0m "
      "TWO\\a A\u00f6\"\n");
  expect_error(DocumentFormat::Po, "msgid \"a\\377\"\n", "file:1: the string has escapes of bytes that are not UTF-8");
}

TEST(Po, TagsAreMarksAndLongTextIsWrapped) {
  const std::string out = translated(
      DocumentFormat::Po,
      "msgid \"\"\n\"first <b>second</b> third <a href=\\\"x\\\">fourth</a> fifth sixth seventh \"\n\"eighth ninth "
      "tenth\\n\"\n\"line\"\nmsgstr \"\"\n",
      reversed);
  EXPECT_NE(out.find("msgstr \"\"\n\"TENTH NINTH EIGHTH SEVENTH SIXTH FIFTH <a href=\\\"x\\\">FOURTH</a> THIRD \"\n"
                     "\"<b>SECOND</b> FIRST\\n\"\n\"LINE\"\n"),
            out.npos)
      << out;
}

TEST(Tmx, AddsATranslationToUnitsWithoutOne) {
  EXPECT_EQ(
      translated(
          DocumentFormat::Tmx,
          "<tmx><header srclang=\"en-US\"/><body><tu>\n <tuv xml:lang=\"en-US\"><seg>one <hi>two</hi></seg></tuv>"
          "\n</tu><tu><tuv xml:lang=\"en\"><seg>x</seg></tuv><tuv xml:lang=\"de-DE\"><seg>y</seg></tuv></tu>"
          "</body></tmx>",
          shouted, {.target_language = "de"}),
      "<tmx><header srclang=\"en-US\"/><body><tu>\n <tuv xml:lang=\"en-US\"><seg>one <hi>two</hi></seg></tuv>\n <tuv "
      "xml:lang=\"de\"><seg>ONE <hi>TWO</hi></seg></tuv>\n</tu><tu><tuv xml:lang=\"en\"><seg>x</seg></tuv><tuv "
      "xml:lang=\"de-DE\"><seg>y</seg></tuv></tu></body></tmx>");
}

TEST(Xml, ElementsWithTextAreSegments) {
  EXPECT_EQ(
      translated(DocumentFormat::Xml,
                 "<?xml version=\"1.0\"?>\n<book><!-- c --><title>one</title><p>two <e>three</e> &amp; four</p><c "
                 "translate=\"no\">five</c><d><![CDATA[six < seven]]></d></book>\n",
                 shouted),
      "<?xml version=\"1.0\"?>\n<book><!-- c --><title>ONE</title><p>TWO <e>THREE</e> &amp; FOUR</p><c "
      "translate=\"no\">five</c><d><![CDATA[SIX < SEVEN]]></d></book>\n");
}

TEST(Subtitles, NewLineBreaksAreThoseOfTheFile) {
  EXPECT_EQ(
      translated(DocumentFormat::Srt, "1\r\n00:00:01,600 --> 00:00:04,200\r\none two\r\nthree four\r\n", reversed),
      "1\r\n00:00:01,600 --> 00:00:04,200\r\nFOUR THREE\r\nTWO ONE\r\n");
}

TEST(Subtitles, CuesKeepTheirTimesMarkupAndNumberOfLines) {
  EXPECT_EQ(
      translated(
          DocumentFormat::Srt,
          "1\r\n00:00:01,600 --> 00:00:04,200\r\none <i>two</i> three\r\nfour five six\r\n\r\n2\r\n00:00:05,000 --> "
          "00:00:06,000\r\n- seven.\r\n- eight.\r\n",
          shouted)
              .find("- SEVEN.\r\n- EIGHT.\r\n") != std::string::npos,
      true);
  EXPECT_EQ(
      translated(
          DocumentFormat::Vtt,
          "WEBVTT\n\nNOTE\nno text\n\nname\n00:01.000 --> 00:02.000 align:left\n<v Ann>one &amp;\n<c.x>two</c> three\n",
          shouted),
      "WEBVTT\n\nNOTE\nno text\n\nname\n00:01.000 --> 00:02.000 align:left\n<v Ann>ONE &amp;\n<c.x>TWO</c> THREE\n");
}

TEST(Markdown, TextIsTranslatedAndMarkupStays) {
  const std::string source =
      "---\ntitle: x\n---\n# One *two*\n\nThree [four **five**](a_b.md \"t\") `six` https://x.y/z_1\nseven.\n\n- eight "
      "\\* nine\n- ![ten](a.png)\n\n> eleven\n> twelve\n\n| a b | `c` |\n|---|---|\n| thirteen | 14 |\n\n```\ncode\n```\n";
  EXPECT_EQ(translated(DocumentFormat::Markdown, source, copied), source);
  EXPECT_EQ(
      translated(DocumentFormat::Markdown, source, shouted),
      "---\ntitle: x\n---\n# ONE *TWO*\n\nTHREE [FOUR **FIVE**](a_b.md \"t\") `six` https://x.y/z_1\nSEVEN.\n\n- EIGHT "
      "\\* NINE\n- ![TEN](a.png)\n\n> ELEVEN\n> TWELVE\n\n| A B | `c` |\n|---|---|\n| THIRTEEN | 14 |\n\n```\ncode\n```\n");
}

TEST(Markdown, TextDoesNotBecomeMarkup) {
  EXPECT_EQ(translated(DocumentFormat::Markdown, "one two\n",
                       [](const std::string&) { return SegmentTranslation{.text = "1. *a* <b> [c]"}; }),
            "1\\. \\*a\\* \\<b> \\[c\\]\n");
}

/// Copies, upper case and other orders of hostile text: no error but InputError, and copies change nothing.
TEST(Formats, AnyBytesAreReadOrRefused) {
  const std::vector<std::string> pieces{"<",
                                        ">",
                                        "</",
                                        "<b>",
                                        "</b>",
                                        "<i>",
                                        "</i>",
                                        "<p>",
                                        "<a href=\"x\">",
                                        "</a>",
                                        "&amp;",
                                        "&",
                                        ";",
                                        "*",
                                        "**",
                                        "_",
                                        "`",
                                        "``",
                                        "[",
                                        "](",
                                        ")",
                                        "!",
                                        "\\",
                                        "one",
                                        "two.",
                                        " ",
                                        "\n",
                                        "\n\n",
                                        "- ",
                                        "> ",
                                        "# ",
                                        "|",
                                        "---",
                                        "<code>",
                                        "</code>",
                                        "%s",
                                        "https://a.b/c",
                                        "{0}",
                                        "é",
                                        "漢字",
                                        "<br>",
                                        "<!--",
                                        "-->",
                                        "1. ",
                                        "\t",
                                        "\"",
                                        "'",
                                        "~~",
                                        "<img alt='x y'>"};
  uint32_t state = 1;
  const auto next = [&](size_t count) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % count;
  };
  int read = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t length = next(40); length > 0; --length) text += pieces[next(pieces.size())];
    for (const DocumentFormat format : {DocumentFormat::Html, DocumentFormat::Markdown, DocumentFormat::Xml}) {
      const std::string whole = format == DocumentFormat::Xml ? "<r>" + text + "</r>" : text;
      try {
        EXPECT_EQ(translated(format, whole, copied), whole);
        translated(format, whole, shouted);
        translated(format, whole, reversed);
        ++read;
      } catch (const InputError&) {}
    }
  }
  EXPECT_GT(read, 1000);
}

}  // namespace
}  // namespace heed::documents
