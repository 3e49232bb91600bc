// Maps of items: what stands in them, by hand, and that the markup is sound.
#include "heed/report/source_attention_map.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include <nlohmann/json.hpp>

#include "heed/report/alignment_report.h"
#include "heed/report/markup.h"
#include "report/markup_check.h"

namespace heed::report {
namespace {

/// Two words over a grid of two rows and three columns.
SourceAttentionMap grid_map() {
  return {.words = {.source = {}, .target = {"a", "<red>"}, .weights = {{}, {}}},
          .is_grid = true,
          .item = {.rows = 2, .columns = 3},
          .shape = {.rows = 2, .columns = 3},
          .weights = {{0, 0.5F, 0, 0.25F, 0, 0}, {0, 0, 0, 0, 0, 1}},
          .picture = "a PNG file"};
}

SourceAttentionMap sequence_map() {
  SourceAttentionMap map = grid_map();
  map.is_grid = false;
  map.item = map.shape = {.rows = 1, .columns = 6};
  return map;
}

std::string elements_of(const SourceAttentionMap& map) { return draw_item_map(map, "item").elements; }

TEST(SourceAttentionMap, OfAGridLiesDarkOverWhatWasNotLookedAt) {
  const std::string drawn = elements_of(grid_map());
  EXPECT_EQ(count_of(drawn, "<use href=\"#item\"/>"), 3U) << "the picture itself, and below each word's map";
  EXPECT_EQ(count_of(drawn, "data:image/png;base64,YSBQTkcgZmlsZQ=="), 1U) << "it stands there once";
  EXPECT_EQ(count_of(drawn, "fill-opacity=\"0\""), 2U) << "each word's largest weight is in full light";
  EXPECT_EQ(count_of(drawn, "fill-opacity=\"0.41\""), 1U) << "half of the largest";
  EXPECT_EQ(count_of(drawn, "fill-opacity=\"0.82\""), 9U);
  EXPECT_EQ(count_of(drawn, ">a 0.50<"), 1U);
  EXPECT_EQ(count_of(drawn, ">&lt;red&gt; 1.00<"), 1U);
}

TEST(SourceAttentionMap, ManyWordsStandInRows) {
  SourceAttentionMap map = grid_map();
  map.words.target.assign(9, "a");
  map.weights.assign(9, map.weights[0]);
  const std::string drawn = elements_of(map);  // ten maps with the picture, seven side by side
  std::set<std::string> heights;
  const std::regex text(R"re(<text[^>]* y="([0-9.]+)"[^>]*>a 0.50<)re");
  for (auto found = std::sregex_iterator(drawn.begin(), drawn.end(), text); found != std::sregex_iterator(); ++found) {
    heights.insert((*found)[1]);
  }
  EXPECT_EQ(heights.size(), 2U) << drawn;
}

TEST(SourceAttentionMap, OfAGridThatCannotBeSeenIsAHeatMap) {
  SourceAttentionMap map = grid_map();
  map.picture = "";
  const std::string drawn = elements_of(map);
  EXPECT_EQ(count_of(drawn, "<use"), 0U);
  EXPECT_EQ(count_of(drawn, "fill=\"#08306b\""), 3U) << "the darkest of the scale, which is drawn below";
}

TEST(SourceAttentionMap, HasEachPositionWhereWhatItStandsForIs) {
  SourceAttentionMap map = grid_map();
  map.item = {.rows = 4, .columns = 8};
  map.step = 3;
  map.begin = -1;  // positions stand for vectors 0-2, 2-5 and 5-8
  map.weights = {{0, 1, 0, 0, 0, 0}};
  map.words.target = {"a"};
  const std::string drawn = elements_of(map);  // a vector is 16 wide
  EXPECT_EQ(count_of(drawn, "<rect x=\"32\" y=\"0\" width=\"48\" height=\"32\" fill-opacity=\"0\"/>"), 1U) << drawn;
  EXPECT_EQ(count_of(drawn, "<rect x=\"80\" y=\"32\" width=\"48\" height=\"32\" fill-opacity=\"0.82\"/>"), 1U);
  map.is_grid = false;
  map.item = {.rows = 1, .columns = 8};
  map.shape = {.rows = 1, .columns = 3};
  map.weights = {{0, 1, 0}};
  EXPECT_EQ(count_of(elements_of(map), "width=\"90\" height=\"18\" fill=\"#08306b\""), 1U) << "3 of 8 frames of 240";
}

TEST(SourceAttentionMap, OfASequenceHasARowForEachWord) {
  const Drawing drawing = draw_item_map(sequence_map(), "item");
  EXPECT_EQ(count_of(drawing.elements, "<use href=\"#item\"/>"), 1U);
  EXPECT_EQ(count_of(drawing.elements, "fill=\"#08306b\""), 3U) << "each word, and the end of the scale";
  EXPECT_EQ(count_of(drawing.elements, "fill=\"#6baed6\""), 1U) << "half of the largest";
  EXPECT_GT(drawing.width, 240);
  EXPECT_LT(draw_item_map(grid_map(), "item").width, 3 * 141) << "three maps side by side";
}

TEST(SourceAttentionMap, OfASequenceHasAnAxisAndAScale) {
  SourceAttentionMap map = sequence_map();
  map.item = {.rows = 1, .columns = 154};
  const std::string drawn = elements_of(map);
  for (const char* number : {">0</text>", ">50</text>", ">100</text>", ">150</text>"}) {
    EXPECT_GE(count_of(drawn, number), 1U) << number << drawn;
  }
  EXPECT_EQ(count_of(drawn, ">200</text>"), 0U) << "behind the end";
  EXPECT_EQ(count_of(drawn, ">position in the source, in vectors</text>"), 1U);
  EXPECT_EQ(count_of(drawn, "share of the word&#39;s largest weight"), 1U);
}

TEST(SourceAttentionMap, KeepsTheColorsOfImagesOnDarkPages) {
  EXPECT_EQ(count_of(elements_of(grid_map()), "<g class=\"as-is\">"), 3U) << "the image, and a map for each word";
  EXPECT_EQ(count_of(elements_of(sequence_map()), "<g class=\"as-is\">"), 1U) << "the image, not the rows";
  SourceAttentionMap without = grid_map();
  without.picture = "";
  EXPECT_EQ(count_of(elements_of(without), "as-is"), 0U) << "the colors of a scale are inverted with it";
}

/// Two layers over a grid of 4 by 8 pixels: the first leaves 2 by 4 places, the second 1 by 2.
SourceAttentionMap layers_map() {
  SourceAttentionMap map = grid_map();
  map.item = {.rows = 4, .columns = 8};
  map.layers = {{.channels = {0.25F, 0.75F, 0.5F},
                 .places = {0.5F, 0.5F, 0.5F, 1, 0.5F, 0.5F, 0.5F, 0.5F},
                 .shape = {.rows = 2, .columns = 4},
                 .step = 2,
                 .begin = -0.5},
                {.channels = {1, 0, 0.5F},
                 .places = {0.25F, 0.5F},
                 .shape = {.rows = 1, .columns = 2},
                 .step = 4,
                 .begin = -1.5}};
  return map;
}

TEST(ItemMapLayers, HaveACellForEachFeatureMap) {
  const std::string drawn = elements_of(layers_map());
  EXPECT_EQ(count_of(drawn, "<title>feature map 2 – layer 1: 0.75</title>"), 1U) << drawn;
  EXPECT_EQ(count_of(drawn, "<title>feature map 1 – layer 2: 1.00</title>"), 1U);
  EXPECT_EQ(count_of(drawn, ">layer 1<"), 1U);
  EXPECT_EQ(count_of(drawn, ">weights of the feature maps of each layer (channel attention)<"), 1U);
  EXPECT_EQ(count_of(elements_of(grid_map()), "feature map"), 0U) << "of a model without channel attention";
  SourceAttentionMap wide = grid_map();
  wide.layers = {{.channels = std::vector<float>(200, 0.5F)}};
  EXPECT_EQ(count_of(elements_of(wide), "<title>feature map 200 – layer 1: 0.50</title>"), 1U);
  EXPECT_LT(draw_item_map(wide, "item").width, 800) << "in several rows";
}

TEST(ItemMapLayers, HaveAMapOfPlacesWithSpatialAttention) {
  const std::string drawn = elements_of(layers_map());
  EXPECT_EQ(count_of(drawn, "<use href=\"#item\"/>"), 5U) << "the picture, two words and two layers";
  EXPECT_EQ(count_of(drawn, ">layer 1 places 1.00<"), 1U);
  EXPECT_EQ(count_of(drawn, ">layer 2 places 0.50<"), 1U);
  // A pixel is 16 wide: of layer 2 the first place stands for what lies before 2.5.
  EXPECT_EQ(count_of(drawn, "<rect x=\"0\" y=\"0\" width=\"40\" height=\"64\" fill-opacity=\"0.41\"/>"), 1U) << drawn;
  SourceAttentionMap sequence = sequence_map();
  sequence.layers = layers_map().layers;
  sequence.layers[0].shape = {.rows = 1, .columns = 8};
  EXPECT_EQ(count_of(elements_of(sequence), ">layer 2 places 0.50<"), 1U) << "a row over time";
  SourceAttentionMap squeezed = layers_map();
  for (LayerMap& layer : squeezed.layers) layer.places.clear();
  EXPECT_EQ(count_of(elements_of(squeezed), "places"), 0U);
  EXPECT_EQ(count_of(elements_of(squeezed), "<title>feature map"), 5U) << "a weight of 0 has no color";
}

TEST(ItemMapLayers, AreShownWithoutWords) {
  SourceAttentionMap map = layers_map();
  map.weights.clear();
  EXPECT_EQ(count_of(elements_of(map), "<use href=\"#item\"/>"), 3U);
  EXPECT_EQ(count_of(elements_of(map), "feature map 2 – layer 1: 0.75"), 1U);
}

TEST(ItemMapLayers, AreToldInWords) {
  EXPECT_EQ(describe_item_map(layers_map()),
            "a: row 1, column 2 (0.50); <red>: row 2, column 3 (1.00); layer 1 places: row 1, column 4 (1.00); "
            "layer 2 places: row 1, column 2 (0.50); layer 1: feature map 2 (0.75); layer 2: feature map 1 (1.00)");
}

TEST(ItemMapLayers, AreWrittenAsJson) {
  auto written = nlohmann::json::parse(item_json(layers_map()));
  EXPECT_EQ(written["channel_attention"], nlohmann::json::parse("[[0.25, 0.75, 0.5], [1, 0, 0.5]]"));
  ASSERT_EQ(written["spatial_attention"].size(), 2);
  EXPECT_EQ(written["spatial_attention"][1],
            nlohmann::json::parse(R"({"rows": 1, "columns": 2, "step": 4, "begin": -1.5, "attention": [0.25, 0.5]})"));
  SourceAttentionMap squeezed = layers_map();
  for (LayerMap& layer : squeezed.layers) layer.places.clear();
  written = nlohmann::json::parse(item_json(squeezed));
  EXPECT_TRUE(written.contains("channel_attention"));
  EXPECT_FALSE(written.contains("spatial_attention"));
}

TEST(SourceAttentionMap, OfNothingIsEmpty) {
  const SourceAttentionMap nothing;
  EXPECT_EQ(draw_item_map(nothing, "item").elements, "");
  EXPECT_EQ(describe_item_map(nothing), "");
}

TEST(SourceAttentionMap, IsToldInWords) {
  EXPECT_EQ(describe_item_map(grid_map()), "a: row 1, column 2 (0.50); <red>: row 2, column 3 (1.00)");
  EXPECT_EQ(describe_item_map(sequence_map()), "a: position 2 (0.50); <red>: position 6 (1.00)");
}

TEST(SourceAttentionMap, IsWrittenAsJson) {
  const auto alone = nlohmann::json::parse(item_json(grid_map()));
  EXPECT_EQ(alone, nlohmann::json::parse(R"({"target": ["a", "<red>"], "rows": 2, "columns": 3, "step": 1, "begin": 0,
                                             "attention": [[0, 0.5, 0, 0.25, 0, 0], [0, 0, 0, 0, 0, 1]]})"));
  SourceAttentionMap asked = grid_map();
  asked.words.source = {"what"};
  asked.words.weights = {{0.25F}, {0}};
  const auto both = nlohmann::json::parse(item_json(asked));
  EXPECT_EQ(both["source"], nlohmann::json::parse(R"(["what"])"));
  EXPECT_EQ(both["weights"], nlohmann::json::parse("[[0.25], [0]]"));
}

std::string report_of(AlignmentFormat format, const std::vector<SourceAttentionMap>& maps) {
  AlignmentReport report({.format = format, .title = "Maps", .of_items = true});
  std::string text;
  for (const SourceAttentionMap& map : maps) text += report.add(map);
  return text + report.finish();
}

TEST(ItemMapReport, HasEachItemInEveryFormatThatShowsMaps) {
  SourceAttentionMap asked = grid_map();
  asked.words.source = {"what", "&"};
  asked.words.weights = {{0.25F, 0}, {0, 0}};
  const std::vector<SourceAttentionMap> maps{grid_map(), SourceAttentionMap{}, asked, sequence_map(), layers_map()};
  EXPECT_EQ(count_of(report_of(AlignmentFormat::Json, maps), "\n"), 5U);
  const std::string svg = report_of(AlignmentFormat::Svg, maps);
  EXPECT_EQ(markup_error(svg), "");
  EXPECT_EQ(count_of(svg, "<image id=\"item"), 4U);
  EXPECT_EQ(count_of(svg, escaped(describe_item_map(maps.front()) + " | ")), 2U) << "each is described, two alike";
  EXPECT_EQ(count_of(svg, "source word"), 0U) << "the legend of words is not theirs";
  const std::string page = report_of(AlignmentFormat::Html, maps);
  EXPECT_EQ(count_of(page, "<section"), 5U);
  EXPECT_EQ(count_of(page, "feature map 2 – layer 1: 0.75"), 1U);
  for (const char* name : {"item1", "item3", "item4", "item5"})
    EXPECT_EQ(count_of(page, std::string("id=\"") + name), 1U) << name;
  EXPECT_EQ(count_of(page, "<bdi>what &amp;</bdi>"), 1U);
  EXPECT_EQ(count_of(page, "– a: 0.25"), 1U) << "the heat map of the text beside";
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
  EXPECT_EQ(report_of(AlignmentFormat::Html, {}).find("<section"), std::string::npos);
}

TEST(ItemMapReport, IsNotWrittenInFormatsOfWords) {
  for (const AlignmentFormat format : {AlignmentFormat::Pharaoh, AlignmentFormat::Soft, AlignmentFormat::Blocks}) {
    EXPECT_FALSE(shows_maps(format));
    EXPECT_THROW(report_of(format, {grid_map()}), std::logic_error);
  }
}

}  // namespace
}  // namespace heed::report
