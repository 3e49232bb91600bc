#include "heed/report/markup.h"

#include <gtest/gtest.h>

#include "report/markup_check.h"

namespace heed::report {
namespace {

TEST(Escaped, LeavesNothingThatMarkupMeansSomethingBy) {
  EXPECT_EQ(escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(escaped("</title><script>"), "&lt;/title&gt;&lt;script&gt;");
  EXPECT_EQ(escaped("Größe 日本 😀"), "Größe 日本 😀");
}

TEST(Escaped, CharactersThatXmlCannotHoldAreReplaced) {
  EXPECT_EQ(escaped(std::string_view("a\0b\x01\x1f\t", 6)), "a�b��\t");
  EXPECT_EQ(escaped("\uFFFE\uFFFF"), "��");
}

TEST(Escaped, HiddenCharactersAreShown) {
  EXPECT_EQ(escaped("\u202Egnp.exe\u2069 \u0085\x7F"), "⟨U+202E⟩gnp.exe⟨U+2069⟩ ⟨U+0085⟩⟨U+007F⟩");
  EXPECT_EQ(escaped("שלום\u200F नि\u200Dत"), "שלום\u200F नि\u200Dत");  // marks and joiners that text needs
}

TEST(ShortNumber, HasNoMoreDigitsThanItNeeds) {
  EXPECT_EQ(short_number(12.5), "12.5");
  EXPECT_EQ(short_number(3), "3");
  EXPECT_EQ(short_number(100), "100");
  EXPECT_EQ(short_number(-0.001), "0");
  EXPECT_EQ(short_number(0.126), "0.13");
  EXPECT_EQ(short_number(0.12344, 4), "0.1234");
  EXPECT_EQ(short_number(120, 0), "120");
}

TEST(TextWidth, KnowsNarrowWideAndCombiningCharacters) {
  EXPECT_LT(text_width("ill"), text_width("moon") / 2);
  EXPECT_DOUBLE_EQ(text_width("日本"), 2);
  EXPECT_DOUBLE_EQ(text_width("e\u0301"), text_width("e"));
}

TEST(Shortened, EndsInAnEllipsisWhereItIsTooWide) {
  EXPECT_EQ(shortened_to_width("house", 14), "house");
  const std::string cut = shortened_to_width("Donaudampfschifffahrtsgesellschaft", 8);
  EXPECT_TRUE(cut.ends_with("…")) << cut;
  EXPECT_TRUE(cut.starts_with("Donaudampf")) << cut;
  EXPECT_LE(text_width(cut), 8.0);
  EXPECT_EQ(shortened_to_width("日本語日本語", 4), "日本語…");
}

TEST(Stacked, DrawingsStandBelowEachOther) {
  const std::vector<Drawing> drawings{{10, 20, "<a/>"}, {30, 5, "<b/>"}};
  const Drawing all = stacked(drawings, 7);
  EXPECT_EQ(all.width, 30);
  EXPECT_EQ(all.height, 32);
  EXPECT_NE(all.elements.find("translate(0 27)\">\n<b/>"), std::string::npos) << all.elements;
}

TEST(SvgDocument, IsOneWellFormedPictureWithTitleAndDescription) {
  const Drawing drawing{.width = 100, .height = 50, .elements = svg_text(1, 2, "a < b")};
  const std::string svg = svg_document(drawing, "T & t", "d<");
  EXPECT_EQ(count_of(svg, "<style>@media (prefers-color-scheme:dark){svg{filter:"), 1U);
  EXPECT_EQ(markup_error(svg), "");
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"124\" height=\"74\"")) << svg;
  EXPECT_NE(svg.find("<title>T &amp; t</title>\n<desc>d&lt;</desc>"), std::string::npos);
  EXPECT_NE(svg.find("<text x=\"1\" y=\"2\">a &lt; b</text>"), std::string::npos);
}

}  // namespace
}  // namespace heed::report
