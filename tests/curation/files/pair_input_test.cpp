#include "heed/curation/files/pair_input.h"

#include <gtest/gtest.h>

#include "curation/written.h"
#include "heed/core/error.h"
#include "heed/curation/files/pair_output.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::curation {
namespace {

using Texts = std::vector<std::string>;

class PairInputTest : public ::testing::Test {
 protected:
  CorpusText pairs(const std::string& name, std::string_view content) const {
    return {.files = {.source = {}, .target = {}, .pairs = {written(folder.file(name), content)}}};
  }
  CorpusText sides(std::string_view source, std::string_view target) const {
    return {.files = {.source = {written(folder.file("a.en"), source)},
                      .target = {written(folder.file("a.de"), target)},
                      .pairs = {}}};
  }
  /// "LINE source|target|document" of each pair.
  static Texts read(const CorpusText& corpus) {
    Texts texts;
    const auto input = open_pairs(corpus);
    for (Pair pair; input->next(pair);) {
      texts.push_back(std::to_string(pair.line) + ' ' + pair.source + '|' + pair.target + '|' + pair.document +
                      (pair.ill_formed ? " ill" : ""));
    }
    return texts;
  }
  std::string error(const CorpusText& corpus) const {
    std::string message = testing::message_of<InputError>([&] { read(corpus); });
    for (size_t at; (at = message.find(folder.path() + '/')) != std::string::npos;)
      message.erase(at, folder.path().size() + 1);
    return message;
  }

  testing::TemporaryDirectory folder;
};

TEST_F(PairInputTest, ReadsTwoTexts) {
  EXPECT_EQ(read(sides("a\nb\n", "x\ny")), (Texts{"1 a|x|", "2 b|y|"}));
  EXPECT_EQ(read(sides("a\xff\n", "x\n")), Texts{"1 a\xef\xbf\xbd|x| ill"});
  EXPECT_EQ(error(sides("a\nb\nc\n", "x\n")),
            "a.en has 3 lines, a.de has 1 line: line N of the one must belong to line N of the other");
  EXPECT_EQ(error(sides("a\n", "x\ny\n")),
            "a.en has 1 line, a.de has 2 lines: line N of the one must belong to line N of the other");
}

TEST_F(PairInputTest, RefusesWhatIsNoText) {
  const std::string binary(
      "\x7f"
      "ELF\x02\x01\0\0\0",
      9);
  EXPECT_EQ(
      error(sides(binary, "x\n")),
      "a.en:1: is not text in UTF-8: the line has a NUL character; text in another encoding is converted by `iconv -f "
      "ENCODING -t UTF-8`");
  EXPECT_NE(
      error(sides("\xe4\n\xf6\n\xfc\n", "x\ny\nz\n")).find("a.en:3: is not text in UTF-8: most of its first lines"),
      std::string::npos);
  EXPECT_NE(error(sides("\x1f\x8b\x08junk", "x\n")).find("a.en: "), std::string::npos) << "a damaged archive";
}

TEST_F(PairInputTest, ReadsColumns) {
  EXPECT_EQ(read(pairs("a.tsv", "a\tx\nb\ty\n")), (Texts{"1 a|x|", "2 b|y|"}));
  EXPECT_EQ(error(pairs("a.tsv", "a\tx\nb\n")), "a.tsv:2: expected two columns, source TAB target, found 1");
  EXPECT_EQ(
      error(pairs("a.tsv", "d\ta\tx\n")),
      "a.tsv:1: expected two columns, source TAB target, found 3: `--source-field` and `--target-field` choose columns");
  CorpusText corpus = pairs("a.tsv", "d\ta\tx\ne\tb\ty\n");
  corpus.source_field = "3";
  corpus.target_field = "2";
  corpus.document_field = "1";
  EXPECT_EQ(read(corpus), (Texts{"1 x|a|d", "2 y|b|e"}));
  corpus.source_field = "4";
  EXPECT_EQ(error(corpus), "a.tsv:1: expected column 4 (`--source-field`), found only 3 columns");
  corpus.source_field = "1";
  corpus.document_field = "";
  EXPECT_EQ(read(corpus), (Texts{"1 d|a|", "2 e|b|"})) << "the first two columns of three, if they are named";
}

TEST_F(PairInputTest, FindsColumnsByTheirNames) {
  CorpusText corpus = pairs("a.tsv", "page\ten\tde\nd\ta\tx\n");
  corpus.source_field = "en";
  corpus.target_field = "de";
  EXPECT_EQ(read(corpus), Texts{"2 a|x|"});
  corpus.target_field = "fr";
  EXPECT_EQ(error(corpus), "a.tsv:1: `--target-field` is fr, but no column of the header has that name");
}

TEST_F(PairInputTest, ReadsJsonLines) {
  EXPECT_EQ(read(pairs("a.jsonl", R"({"source": "a\n", "target": "x"})")), Texts{"1 a\n|x|"});
  CorpusText corpus = pairs("a.jsonl", R"({"translation": {"en": "a", "de": "x"}, "id": "d"})");
  corpus.source_field = "translation.en";
  corpus.target_field = "translation.de";
  corpus.document_field = "id";
  EXPECT_EQ(read(corpus), Texts{"1 a|x|d"});
  EXPECT_EQ(error(pairs("a.jsonl", "{\"source\": \"a\"}\n")),
            "a.jsonl:1: expected an object with the member `target`, whose name `--target-field` sets");
  EXPECT_EQ(error(pairs("a.jsonl", "{\"source\": 5, \"target\": \"x\"}\n")),
            "a.jsonl:1: expected text as `source`, found number");
  EXPECT_EQ(error(pairs("a.jsonl", "{\"source\": ")), "a.jsonl:1: expected a JSON object");
}

const std::string kHead = "<?xml version=\"1.0\"?>\n<tmx version=\"1.4\"><header srclang=\"en-US\"/>\n<body>\n";
const std::string kEnd = "</body></tmx>\n";
std::string unit(const std::string& de, const std::string& en) {
  return "<tu tuid=\"1\"><tuv xml:lang=\"de\"><seg>" + de + "</seg></tuv><tuv xml:lang=\"en-US\"><seg>" + en +
         "</seg></tuv></tu>\n";
}

TEST_F(PairInputTest, ReadsTranslationMemories) {
  EXPECT_EQ(read(pairs("a.tmx", kHead + "<!-- <tu> -->" + unit("x &amp; <ph>{0}</ph>z", "a <hi>b</hi> c") +
                                    unit("y", "b") + kEnd)),
            (Texts{"1 a b c|x & z|", "2 b|y|"}))
      << "the header names the source";
  CorpusText corpus = pairs(
      "a.tmx", kHead + unit("x", "a") + "<tu><tuv xml:lang=\"fr\"><seg>f</seg></tuv></tu>" + unit("y", "b") + kEnd);
  corpus.source_field = "DE";
  corpus.target_field = "en";
  EXPECT_EQ(read(corpus), (Texts{"1 x|a|", "3 y|b|"})) << "a unit without one of the languages is left out";
}

TEST_F(PairInputTest, ReadsMemoriesInOtherEncodings) {
  std::string wide("\xff\xfe", 2);
  for (const char c : kHead + unit("x", "a") + kEnd) wide += {c, '\0'};
  EXPECT_EQ(read(pairs("a.tmx", wide)), Texts{"1 a|x|"});
  EXPECT_EQ(read(pairs("b.tmx", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + kHead.substr(21) +
                                    unit("\xfc", "a") + kEnd)),
            Texts{"1 a|ü|"});
}

TEST_F(PairInputTest, BrokenMemoriesAreErrors) {
  std::string deep, end;
  for (int i = 0; i < 200000; ++i) {
    deep += "<hi>";
    end += "</hi>";
  }
  EXPECT_EQ(read(pairs("d.tmx", kHead + unit("x", deep + "a" + end) + kEnd)).size(), 1U) << "no stack overflows";
  EXPECT_EQ(error(pairs("a.tmx", "some text\n")), "a.tmx:1: is not a TMX file: it has no <tmx> with a <body>");
  EXPECT_EQ(error(pairs("a.tmx", kHead + unit("x", "a"))), "a.tmx:4: is truncated: it has no </body> at its end");
  EXPECT_EQ(error(pairs("a.tmx", kHead + unit("x", "a").substr(0, 30))),
            "a.tmx:4: is truncated within a unit, which begins here");
  EXPECT_NE(error(pairs("a.tmx", kHead + "\n" + unit("x<b>", "a") + kEnd)).find("a.tmx:5: is not well-formed XML: "),
            std::string::npos);
  EXPECT_EQ(
      error(
          pairs("a.tmx", kHead + "<tu><tuv xml:lang=\"en\"/><tuv xml:lang=\"de\"/><tuv xml:lang=\"fr\"/></tu>" + kEnd)),
      "a.tmx:4: has a unit with 3 languages (en, de and fr): `--source-field` and `--target-field` name the codes of two");
}

TEST_F(PairInputTest, ReadsMessagesOfPrograms) {
  const std::string header = "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n";
  const std::string messages =
      "msgid \"a\\n\"\n\"b\"\nmsgstr \"x\"\n\n#, fuzzy\nmsgid \"c\"\nmsgstr \"y\"\n\nmsgid \"d\"\nmsgstr \"\"\n\n"
      "msgctxt \"menu\"\nmsgid \"%d file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"%d Datei\"\nmsgstr[1] "
      "\"%d Dateien\"\n\n#~ msgid \"old\"\n#~ msgstr \"alt\"\n";
  EXPECT_EQ(read(pairs("a.po", header + messages)),
            (Texts{"1 a\nb|x|", "4 %d file|%d Datei|", "5 %d files|%d Dateien|"}));
  CorpusText corpus = pairs("a.po", messages);
  corpus.document_field = "msgctxt";
  EXPECT_EQ(read(corpus).back(), "5 %d files|%d Dateien|menu");
  EXPECT_EQ(read(pairs("b.po", "msgid \"\"\nmsgstr \"charset=ISO-8859-1\\n\"\n\nmsgid \"a\"\nmsgstr \"\xfc\"\n")),
            Texts{"1 a|ü|"});
  EXPECT_EQ(read(pairs("c.po", "msgid \"a\"\nmsgstr \"\xfc\"\n")), Texts{"1 a|\xef\xbf\xbd| ill"});
  EXPECT_EQ(error(pairs("a.po", "msgid \"a\"\nmsgstr \"b\n")), "a.po:2: the string has no closing quote");
}

TEST_F(PairInputTest, ReadsXliff) {
  CorpusText corpus = pairs(
      "a.xlf",
      "<xliff version=\"1.2\"><file original=\"page &amp; 1\"><body><group><trans-unit id=\"1\"><source>a <g id=\"1\">b"
      "</g><x id=\"2\"/></source><target>x &lt;<ph id=\"3\">{0}</ph></target></trans-unit></group>"
      "<trans-unit id=\"2\"><source>c</source></trans-unit>"
      "<trans-unit id=\"3\"><source>d</source><target state=\"new\">d</target></trans-unit>"
      "<trans-unit id=\"4\" translate=\"no\"><source>e</source><target>e</target></trans-unit></body></file></xliff>");
  EXPECT_EQ(read(corpus), Texts{"1 a b|x <|"});
  corpus.document_field = "original";
  EXPECT_EQ(read(corpus), Texts{"1 a b|x <|page & 1"});
  EXPECT_EQ(
      read(pairs("b.xliff",
                 "<xliff version=\"2.0\"><file id=\"f\"><unit id=\"1\"><segment><source>a <pc id=\"1\">b</pc></source>"
                 "<target>x</target></segment><segment><source>c</source></segment></unit></file></xliff>")),
      Texts{"1 a b|x|"});
  EXPECT_EQ(error(pairs("a.xlf", "<tmx></tmx>")), "a.xlf: expected XLIFF, found the root element `tmx`");
  EXPECT_EQ(error(pairs("a.xlf", "<xliff>\n<file>")), "a.xlf:2: the element `file` that begins here is not closed");
}

TEST_F(PairInputTest, ControlCharactersAreReplacedInXml) {
  for (const PairFormat format : {PairFormat::Tmx, PairFormat::Xliff, PairFormat::Po, PairFormat::JsonLines}) {
    std::string text;
    PairWriter writer(format, [&](std::string_view part) { text += part; }, {"en", "de"});
    writer.write({.line = 1, .source = "a\x1b[1m\nb", .target = "x\x01"});
    writer.finish();
    const bool is_xml = format == PairFormat::Tmx || format == PairFormat::Xliff;
    EXPECT_EQ(writer.replaced_texts(), is_xml ? 2 : 0);
    const std::string ending(option_names(PairFormat{})[static_cast<size_t>(format)].second);
    EXPECT_EQ(read(pairs("out." + ending, text)),
              Texts{is_xml ? "1 a\xef\xbf\xbd[1m\nb|x\xef\xbf\xbd|" : "1 a\x1b[1m\nb|x\x01|"})
        << text;
  }
}

TEST_F(PairInputTest, SourcesThatComeAgainInPoHaveAContext) {
  std::string text;
  PairWriter writer(PairFormat::Po, [&](std::string_view part) { text += part; }, {"en", "de"});
  for (const auto& [source, target] :
       std::vector<std::pair<std::string, std::string>>{{"a", "x"}, {"a", "y"}, {"", "z"}})
    writer.write({.line = 1, .source = source, .target = target});
  writer.finish();
  EXPECT_NE(text.find("\nmsgctxt \"2\"\nmsgid \"a\"\nmsgstr \"y\"\n"), std::string::npos) << text;
  EXPECT_EQ(read(pairs("a.po", text)), (Texts{"1 a|x|", "2 a|y|", "3 |z|"}));
}

TEST_F(PairInputTest, FilesOfSeveralFormatsFollowEachOther) {
  CorpusText corpus = pairs("a.tsv", "a\tx\n");
  corpus.files.pairs.push_back(written(folder.file("b.jsonl"), R"({"source": "b", "target": "y"})"));
  corpus.files.pairs.push_back(written(folder.file("c.tmx"), kHead + unit("z", "c") + kEnd));
  EXPECT_EQ(read(corpus), (Texts{"1 a|x|", "2 b|y|", "3 c|z|"}));
}

/// What is written in a format is read back.
TEST_F(PairInputTest, OutputsAreInputs) {
  const Pair pair{.line = 1, .source = "a <b> & \"c\"", .target = "x\ty"};
  for (const auto& [format, name] : option_names(PairFormat{})) {
    std::string text;
    PairWriter writer(format, [&](std::string_view part) { text += part; }, {"en", "de"});
    writer.write(pair);
    writer.finish();
    const std::string tabs = format == PairFormat::Tsv ? "x y" : "x\ty";
    EXPECT_EQ(read(pairs("out." + std::string(name), text)), Texts{"1 a <b> & \"c\"|" + tabs + "|"}) << text;
    EXPECT_EQ(writer.changed_texts(), format == PairFormat::Tsv ? 1 : 0);
  }
}

}  // namespace
}  // namespace heed::curation
