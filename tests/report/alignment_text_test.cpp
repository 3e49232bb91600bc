#include "heed/report/alignment_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace heed::report {
namespace {

const text::Alignment kAlignment{
    .source = {"a", "\"b\"", "日"}, .target = {"x", "本本"}, .weights = {{0.1F, 0.25F, 0.6F}, {0.50004F, 0.3F, 0}}};

TEST(AlignmentText, PharaohLinksAreSourceFirst) {
  const std::vector<text::Link> links{{0, 1}, {12, 0}};
  EXPECT_EQ(pharaoh(links), "0-1 12-0");
  EXPECT_EQ(pharaoh({}), "");
}

TEST(AlignmentText, SoftWeightsAreThoseOfEachTargetWord) {
  EXPECT_EQ(soft_weights(kAlignment.weights), "0.1,0.25,0.6 0.5,0.3,0");
  EXPECT_EQ(soft_weights({}), "");
}

TEST(AlignmentText, JsonHoldsAll) {
  text::Alignment alignment = kAlignment;
  const std::vector<text::Link> links{{0, 1}, {2, 0}};
  const std::string line = alignment_json(alignment, links);
  EXPECT_EQ(line, R"({"source":["a","\"b\"","日"],"target":["x","本本"],"links":[[0,1],[2,0]],)"
                  R"("weights":[[0.1,0.25,0.6],[0.5,0.3,0]]})");
  alignment.heads = {{{{1, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, {0, 0.5F, 0}}}};
  const auto json = nlohmann::json::parse(alignment_json(alignment, links));
  EXPECT_EQ(json["heads"][0][1][1][1], 0.5);
  EXPECT_EQ(alignment_json({.source = {}, .target = {}, .weights = {}}, {}),
            R"({"source":[],"target":[],"links":[],"weights":[]})");
}

TEST(AlignmentText, BlocksStandBelowTheirSourceWords) {
  EXPECT_EQ(alignment_blocks(kAlignment),
            "     ┌ a\n"
            "     │ ┌ \"b\"\n"
            "     │ │ ┌ 日\n"
            "x    ░░▒▒██\n"
            "本本 ██▓▓  \n");
  EXPECT_EQ(alignment_blocks({.source = {}, .target = {}, .weights = {}}), "");
  EXPECT_EQ(alignment_blocks({.source = {"\x1b[31m"}, .target = {"\u009b1m"}, .weights = {{1}}}),
            "    ┌ \uFFFD[31m\n\uFFFD1m ██\n");
}

}  // namespace
}  // namespace heed::report
