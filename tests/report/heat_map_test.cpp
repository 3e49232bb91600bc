#include "heed/report/heat_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/markup_check.h"

namespace heed::report {
namespace {

const text::Alignment kAlignment{
    .source = {"the", "house"}, .target = {"das", "<Haus>"}, .weights = {{0.75F, 0.25F}, {0, 1}}};

TEST(HeatColor, GoesFromWhiteToDarkBlue) {
  EXPECT_EQ(heat_color(0), "#ffffff");
  EXPECT_EQ(heat_color(1), "#08306b");
  EXPECT_EQ(heat_color(0.5F), "#6baed6");
  EXPECT_EQ(heat_color(0.0625F), "#eff5fb");  // half of the way to 222, 235, 247
  EXPECT_EQ(heat_color(-1), "#ffffff");
  EXPECT_EQ(heat_color(1.5F), "#08306b");
  EXPECT_EQ(heat_color(std::nanf("")), "#ffffff");
}

TEST(HeatMap, EveryVisibleWeightIsACellThatTellsItsWordsAndWeight) {
  const Drawing cells = draw_cells(kAlignment.weights, 10, &kAlignment);
  EXPECT_EQ(cells.width, 20);
  EXPECT_EQ(cells.height, 20);
  EXPECT_EQ(markup_error(cells.elements), "");
  EXPECT_EQ(count_of(cells.elements, "<rect"), 3U);  // a weight of 0 is white anyway
  EXPECT_NE(cells.elements.find("<rect x=\"10\" y=\"10\" width=\"10\" height=\"10\" fill=\"#08306b\">"
                                "<title>house – &lt;Haus&gt;: 1.00</title></rect>"),
            std::string::npos)
      << cells.elements;
}

TEST(HeatMap, WordsStandBesideTheirCells) {
  const std::vector<text::Link> links{{0, 0}, {1, 1}};
  const Drawing map = draw_heat_map(kAlignment, links);
  EXPECT_EQ(markup_error(map.elements), "");
  for (const std::string word : {">the<", ">house<", ">das<", ">&lt;Haus&gt;<"}) {
    EXPECT_EQ(count_of(map.elements, word), 1U) << word;
  }
  const HeatMapFrame frame(kAlignment.source, kAlignment.target);
  EXPECT_GE(frame.corner_x, text_width("<Haus>") * 13);
  EXPECT_EQ(map.height, frame.corner_y + 2 * frame.cell + 1);
  EXPECT_GT(map.width, frame.corner_x + 2 * frame.cell);
}

TEST(HeatMap, LinksHaveAnOutline) {
  EXPECT_EQ(draw_links({}, 10), "");
  const std::vector<text::Link> links{{1, 0}};
  EXPECT_NE(draw_links(links, 10).find("d=\"M11.5 1.5h7v7h-7z\""), std::string::npos) << draw_links(links, 10);
}

TEST(HeatMap, ALongWordIsShortenedAndToldWhole) {
  const std::string word(80, 'w');
  const Drawing map = draw_heat_map({.source = {word}, .target = {"x"}, .weights = {{1}}}, {});
  EXPECT_LT(map.height, 300);
  EXPECT_EQ(count_of(map.elements, word), 1U);
}

TEST(HeatMap, HeadsStandInRowsOfLayers) {
  const text::AlignmentWeights weights{{1}};
  const Drawing heads = draw_heads({{weights, weights, weights}, {weights}});
  EXPECT_EQ(markup_error(heads.elements), "");
  EXPECT_EQ(count_of(heads.elements, "<rect"), 4U);
  EXPECT_EQ(count_of(heads.elements, ">head 3<"), 1U);
  EXPECT_EQ(count_of(heads.elements, ">layer 2<"), 1U);
}

TEST(HeatMap, ABlankPairIsAnEmptyMap) {
  EXPECT_EQ(markup_error(draw_heat_map({.source = {}, .target = {}, .weights = {}}, {}).elements), "");
  EXPECT_EQ(markup_error(draw_heat_map({.source = {}, .target = {"a"}, .weights = {{}}}, {}).elements), "");
}

TEST(HeatMap, AScaleOfColorsGoesFromWhiteToDarkBlue) {
  const Drawing scale = draw_color_scale("a < b");
  EXPECT_EQ(markup_error(scale.elements), "");
  for (const std::string text : {">a &lt; b<", ">0<", ">0.5<", ">1<", "#ffffff", "#08306b"}) {
    EXPECT_NE(scale.elements.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(scale.elements.find(">link<"), std::string::npos);
  EXPECT_NE(draw_heat_legend().elements.find(">link<"), std::string::npos);
}

TEST(DescribeLinks, TellsWordsAndWeights) {
  const std::vector<text::Link> links{{0, 0}, {1, 1}};
  EXPECT_EQ(describe_links(kAlignment, links), "das: the (0.75); <Haus>: house (1.00)");
}

}  // namespace
}  // namespace heed::report
