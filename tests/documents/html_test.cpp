// HTML: what is text, where inline tags go, and that the rest stays as it is.
#include <gtest/gtest.h>

#include "documents/documents.h"
#include "heed/core/error.h"

namespace heed::documents {
namespace {

using Texts = std::vector<std::string>;

std::string html(const std::string& source, const TranslateText& translate) {
  return translated(DocumentFormat::Html, source, translate);
}
Texts html_texts(const std::string& source) { return texts_of(DocumentFormat::Html, source); }

TEST(Html, BlocksAreSegmentsAndInlineElementsAreNot) {
  EXPECT_EQ(html_texts("<h1>One</h1><p>Two <b>three</b> four<br>five<ul><li>six<li>seven</ul>"),
            (Texts{"One", "Two three four", "five", "six", "seven"}));
}

TEST(Html, TagsFollowTheirWords) {
  EXPECT_EQ(html("<p>one <b>two</b> three</p>", reversed), "<p>THREE <b>TWO</b> ONE</p>");
  EXPECT_EQ(html("<p><i>one</i> two three</p>", reversed), "<p>THREE TWO <i>ONE</i></p>");
}

TEST(Html, NestedTagsStayNested) {
  EXPECT_EQ(html("<p>one <a href='x'>two <b>three</b></a> four</p>", reversed),
            "<p>FOUR <a href='x'><b>THREE</b> TWO</a> ONE</p>");
  EXPECT_EQ(html("<p>one <b><i>two three</i></b></p>", reversed), "<p><b><i>THREE TWO</i></b> ONE</p>");
}

TEST(Html, CrossingTagsAreAllKept) {
  const std::string out = html("<p>one <b>two <i>three</b> four</i> five</p>", shouted);
  for (const char* tag : {"<b>", "</b>", "<i>", "</i>"}) {
    EXPECT_EQ(out.find(tag), out.rfind(tag)) << out;
    EXPECT_NE(out.find(tag), out.npos) << out;
  }
}

TEST(Html, EmptyTagsStayBetweenTheirWords) {
  EXPECT_EQ(html("<p>one <img src=x> two <a id=y></a>three</p>", shouted),
            "<p>ONE <img src=x> TWO <a id=y></a>THREE</p>");
  EXPECT_EQ(html("<p>one two<sup></sup> three</p>", shouted), "<p>ONE TWO<sup></sup> THREE</p>");
}

TEST(Html, ATagInsideAWordEnclosesTheWholeWord) {
  EXPECT_EQ(html("<p>un<b>believ</b>able story</p>", shouted), "<p><b>UNBELIEVABLE</b> STORY</p>");
  // The translation has the same word.
  EXPECT_EQ(html("<p>the <b>H</b>TML page</p>",
                 [](const std::string& text) { return aligned(text, "die HTML Seite", {0, 1, 2}); }),
            "<p>die <b>H</b>TML Seite</p>");
}

TEST(Html, PunctuationStaysOutsideOfTags) {
  EXPECT_EQ(html("<p>Click <b>OK</b>, then (<i>now</i>) go.</p>", shouted),
            "<p>CLICK <b>OK</b>, THEN (<i>NOW</i>) GO.</p>");
}

TEST(Html, CodeComesBackAsItWasWhateverTheModelMakesOfIt) {
  EXPECT_EQ(html("<p>call <code>f(x)</code> now</p>",
                 [](const std::string& text) {
                   return aligned(text, "jetzt F ( x ) rufen", {2, 1, 1, 1, 1, 0});
                 }).find("<code>f(x)</code>") != std::string::npos,
            true);
  EXPECT_EQ(html("<p>call <code>f(x)</code> now</p>",
                 [](const std::string& text) { return aligned(text, "rufe jetzt", {0, 2}); }),
            "<p>rufe <code>f(x)</code> jetzt</p>");
  EXPECT_EQ(html("<p>see <code>f</code>’s text</p>", shouted), "<p>SEE <code>f</code>’s TEXT</p>");
}

TEST(Html, UrlsAndPlaceholdersComeBackOnce) {
  EXPECT_EQ(
      html("<p>open https://a.b/c%20d or %s</p>",
           [](const std::string& text) { return aligned(text, "%s oder %s Https://A.b öffnen", {3, 2, 3, 1, 0}); }),
      "<p>%s oder https://a.b/c%20d öffnen</p>");
}

TEST(Html, NothingIsTranslatedInScriptsCodeAndProtectedElements) {
  const std::string page =
      "<style>b {}</style><script>var a = '<p>one</p>';</script><pre>two <b>x</b></pre>"
      "<div translate=no>three <div>four</div> five</div><p class='x notranslate'>six</p><p>seven "
      "<span translate=\"no\">Eight Nine</span> ten</p><textarea>eleven</textarea><!-- twelve -->";
  EXPECT_EQ(html_texts(page), (Texts{"seven Eight Nine ten"}));
  EXPECT_NE(html(page, shouted).find("SEVEN <span translate=\"no\">Eight Nine</span> TEN"), std::string::npos);
}

TEST(Html, CodeThatIsNotClosedEndsWithItsBlock) {
  EXPECT_EQ(html_texts("<p>one <code>two</p><p>three <svg><g><text>four</text></g></svg> five</p>"),
            (Texts{"one two", "three five"}));
  EXPECT_EQ(html("<p>one <span translate=no>two <div>three</div></span> four</p>", shouted),
            "<p>ONE <span translate=no>two <div>three</div></span> FOUR</p>");
}

TEST(Html, AttributesWithTextAreTranslated) {
  EXPECT_EQ(
      html("<p>one <img alt='a \"cat\"' src=cat.png title=dog> two</p><meta name=description content=\"it\">", shouted),
      "<p>ONE <img alt='A \"CAT\"' src=cat.png title=\"DOG\"> TWO</p><meta name=description content=\"IT\">");
  EXPECT_EQ(html("<input type=submit value='Go on'><input type=text value='Go on'>", shouted),
            "<input type=submit value='GO ON'><input type=text value='Go on'>");
}

TEST(Html, ReferencesAreReadAndWrittenAsTheyWere) {
  const std::string source = "<p>caf&eacute; &amp; bar&nbsp;&copy; A&B &lt;one</p>";
  EXPECT_EQ(html_texts(source), (Texts{"café & bar\u00A0© A&B <one"}));
  EXPECT_EQ(html(source, copied), source);
  EXPECT_EQ(
      html("<p>x &amp; caf&eacute; y</p>", [](const std::string&) { return SegmentTranslation{.text = "é < & \""}; }),
      "<p>&eacute; &lt; &amp; \"</p>");
}

TEST(Html, ReferencesToWhiteSpaceAreSpaces) {
  EXPECT_EQ(html_texts("<p title=\"one&#10;two\">three&Tab;four</p>"), (Texts{"one two", "three four"}));
}

TEST(Html, TagsInManyOthersArePoints) {
  std::string open, close;
  for (int i = 0; i < 100000; ++i) {
    open += "<b>";
    close += "</b>";
  }
  const std::string page = "<p>" + open + "one" + close + " two</p>";
  EXPECT_EQ(html_texts(page), Texts{"one two"});
  EXPECT_EQ(html(page, copied).size(), page.size());
}

TEST(Html, EmptyScriptsOfXhtmlHaveNoEndTag) {
  EXPECT_EQ(html_texts("<?xml version=\"1.0\"?><html><script src=\"a.js\"/><p>one</p></html>"), Texts{"one"});
}

TEST(Html, WhiteSpaceAroundTextStays) {
  EXPECT_EQ(html("<p>\n  one\n  two <b> three </b>\n</p>", shouted), "<p>\n  ONE TWO <b>THREE</b>\n</p>");
}

TEST(Html, ACutFileIsAnError) {
  for (const auto& [source, message] : std::vector<std::pair<std::string, std::string>>{
           {"<p>one\n<a href=\"x", "file:2: the tag `a` that begins here is not closed"},
           {"<p>one\n<!-- two", "file:2: the comment that begins here is not closed"},
           {"<script>one", "file:1: the element `script` that begins here is not closed"}}) {
    try {
      read_document(DocumentFormat::Html, source, "file");
      ADD_FAILURE() << source;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), message);
    }
  }
}

}  // namespace
}  // namespace heed::documents
