#include "heed/report/alignment_report.h"

#include <gtest/gtest.h>

#include "report/markup_check.h"

namespace heed::report {
namespace {

const text::Alignment kPair{.source = {"a", "<b>"}, .target = {"x", "y"}, .weights = {{0.75F, 0.25F}, {0.5F, 0.5F}}};
const text::Alignment kBlank{.source = {}, .target = {}, .weights = {}};

text::Alignment with_heads() {
  text::Alignment alignment = kPair;
  alignment.heads = {{kPair.weights, kPair.weights}, {kPair.weights, kPair.weights}};
  return alignment;
}

std::string report_of(AlignmentReportOptions options, const std::vector<text::Alignment>& alignments) {
  AlignmentReport report(std::move(options));
  std::string text;
  for (const text::Alignment& alignment : alignments) text += report.add(alignment);
  return text + report.finish();
}

/// Without what only HTML has: elements that are not closed.
std::string as_xml(std::string page) {
  const auto remove = [&page](size_t begin, std::string_view end) {
    page.erase(begin, page.find(end, begin) + end.size() - begin);
  };
  remove(page.find("<!DOCTYPE"), ">");
  for (size_t at; (at = page.find("<style")) != std::string::npos;) remove(at, "</style>");
  for (const std::string_view element : {"<meta", "<input"}) {
    for (size_t at; (at = page.find(element)) != std::string::npos;) remove(at, ">");
  }
  return page;
}

TEST(AlignmentReport, FormatsAreKnownByTheirFilesEnding) {
  EXPECT_EQ(alignment_format_of("a.b/c.html"), AlignmentFormat::Html);
  EXPECT_EQ(alignment_format_of("x.svg"), AlignmentFormat::Svg);
  EXPECT_EQ(alignment_format_of("X.SVG"), AlignmentFormat::Svg);
  EXPECT_EQ(alignment_format_of("x.jsonl"), AlignmentFormat::Json);
  EXPECT_EQ(alignment_format_of("x.svg/links"), std::nullopt);
  EXPECT_EQ(alignment_format_of("-"), std::nullopt);
}

TEST(AlignmentReport, TextHasARecordForEveryPair) {
  const std::vector<text::Alignment> pairs{kPair, kBlank, kPair};
  EXPECT_EQ(report_of({.format = AlignmentFormat::Pharaoh}, pairs), "0-0 0-1\n\n0-0 0-1\n");
  EXPECT_EQ(report_of({.format = AlignmentFormat::Pharaoh, .threshold = 0.5}, pairs), "0-0 0-1 1-1\n\n0-0 0-1 1-1\n");
  EXPECT_EQ(report_of({.format = AlignmentFormat::Soft}, pairs), "0.75,0.25 0.5,0.5\n\n0.75,0.25 0.5,0.5\n");
  EXPECT_EQ(count_of(report_of({.format = AlignmentFormat::Json}, pairs), "\n"), 3U);
  EXPECT_EQ(report_of({.format = AlignmentFormat::Blocks}, {kBlank, kPair}), "\n  ┌ a\n  │ ┌ <b>\nx ██▒▒\ny ████\n\n");
}

TEST(AlignmentReport, APictureHasAMapForEveryPairAndOneLegend) {
  const std::string svg = report_of({.format = AlignmentFormat::Svg, .title = "A & B"}, {kPair, kBlank, with_heads()});
  EXPECT_EQ(markup_error(svg), "");
  EXPECT_EQ(count_of(svg, "<title>A &amp; B</title>"), 1U);
  EXPECT_EQ(count_of(svg, ">&lt;b&gt;</text>"), 2U);
  EXPECT_EQ(count_of(svg, ">link<"), 1U);
  EXPECT_EQ(count_of(svg, ">layer 2<"), 1U);
  EXPECT_EQ(markup_error(report_of({.format = AlignmentFormat::Svg}, {})), "");
  const std::string of_head = report_of({.format = AlignmentFormat::Svg, .shown = "layer 1, head 2"}, {kPair});
  EXPECT_EQ(count_of(of_head, ", layer 1, head 2<"), 1U);
}

TEST(AlignmentReport, APageHasASectionForEveryPair) {
  const AlignmentReportOptions options{.format = AlignmentFormat::Html, .title = "<A>", .shown = "layer 1 & 2"};
  const std::string page = report_of(options, {kPair, kBlank, kPair});
  EXPECT_EQ(markup_error(as_xml(page)), "");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_EQ(count_of(page, "<title>&lt;A&gt;</title>\n<style>"), 1U);
  EXPECT_EQ(count_of(page, "layer 1 &amp; 2"), 1U);
  EXPECT_EQ(count_of(page, "<section"), 3U);
  EXPECT_EQ(count_of(page, "<figure"), 2U);
  EXPECT_EQ(count_of(page, "<script"), 0U);
  EXPECT_EQ(count_of(page, "http"), 0U);  // it needs nothing but itself
  EXPECT_EQ(count_of(page, "<fieldset"), 0U);
  EXPECT_EQ(markup_error(as_xml(report_of(options, {}))), "");
}

TEST(AlignmentReport, APageLetsOneChooseAmongHeads) {
  const std::string page = report_of({.format = AlignmentFormat::Html}, {kBlank, with_heads(), with_heads()});
  EXPECT_EQ(markup_error(as_xml(page)), "");
  EXPECT_EQ(count_of(page, "@supports"), 1U);
  EXPECT_EQ(count_of(page, ".pair:has(.c2-2:checked) .m2-2 { display: block; }"), 1U);
  EXPECT_EQ(count_of(page, "<figure"), 10U);
  EXPECT_EQ(count_of(page, "type=\"radio\""), 10U);
  EXPECT_EQ(count_of(page, "<use href=\"#p2-1-2\"/>"), 1U);
  EXPECT_EQ(count_of(page, "id=\"p2-1-2\""), 1U);
}

}  // namespace
}  // namespace heed::report
