#include "heed/curation/survey/corpus_survey.h"

#include <gtest/gtest.h>

#include <map>

#include <nlohmann/json.hpp>

#include "curation/made_text.h"
#include "curation/written.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/curation/report/data_report.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::curation {
namespace {

std::string tsv(const TextPairs& pairs) {
  std::string text;
  for (const auto& [source, target] : pairs) text += source + '\t' + target + '\n';
  return text;
}

class CorpusSurveyTest : public ::testing::Test {
 protected:
  CorpusText corpus(const std::string& name, const std::string& content) const {
    return {.files = {.source = {}, .target = {}, .pairs = {written(folder.file(name), content)}}};
  }
  CorpusSurvey survey(const TextPairs& text, std::vector<HeldOutText> held_out = {}, int64_t threads = 1) const {
    return {corpus("train.tsv", tsv(text)),
            std::move(held_out),
            {.near_duplicates = true, .threads = threads, .scratch = folder.file("scratch")},
            [](std::string_view, int64_t, std::optional<int64_t>) {}};
  }
  testing::TemporaryDirectory folder;
};

TEST_F(CorpusSurveyTest, FindsRepeatedLines) {
  TextPairs text = made_text(50);
  text.push_back(text[3]);
  text.push_back({text[4].first + "!", text[4].second});
  for (int i = 0; i < 12; ++i)
    text.push_back({text[static_cast<size_t>(i)].first, "Alle Rechte sind vorbehalten hier"});
  text.push_back(text.back());
  auto survey_of_text = survey(text);
  std::map<int64_t, FilterSet> found;
  std::map<int64_t, int64_t> repeated;
  survey_of_text.judge([&](const JudgedPair& pair) {
    found[pair.pair.line] = pair.judgement.found;
    if (pair.repeated) repeated[pair.pair.line] = *pair.repeated;
  });
  EXPECT_TRUE(found[51].contains(Filter::Duplicate));
  EXPECT_EQ(repeated[51], 4);
  EXPECT_TRUE(found[52].contains(Filter::NearDuplicate));
  EXPECT_EQ(repeated[52], 5);
  for (int64_t line = 53; line <= 64; ++line) EXPECT_TRUE(found[line].contains(Filter::Boilerplate)) << line;
  EXPECT_FALSE(found[65].contains(Filter::Boilerplate)) << "a repeated pair is a duplicate";
  EXPECT_TRUE(found[65].contains(Filter::Duplicate));
  EXPECT_FALSE(found[4].contains(Filter::Duplicate)) << "the first stays";
}

TEST_F(CorpusSurveyTest, FindsLeaks) {
  const TextPairs text = made_text(50);
  std::vector<HeldOutText> held_out;
  held_out.emplace_back(
      "validation",
      corpus("dev.tsv", tsv({text[7], {text[8].first + '.', text[8].second}, {text[9].first, "anders"}, {"a", "b"}})),
      0.8);
  auto survey_of_text = survey(text, std::move(held_out));
  std::vector<int64_t> lines;
  survey_of_text.judge([&](const JudgedPair& pair) {
    if (pair.judgement.found.contains(Filter::Leak)) lines.push_back(pair.pair.line * 100 + pair.held_out_line);
  });
  EXPECT_EQ(lines, (std::vector<int64_t>{801, 902}));
  DataReport report("train.tsv", survey_of_text, 1, 1);
  report.finish(survey_of_text);
  ASSERT_EQ(report.overlaps.size(), 1U);
  EXPECT_EQ(report.overlaps[0].equal, 1);
  EXPECT_EQ(report.overlaps[0].near, 1);
  EXPECT_EQ(report.overlaps[0].source_only, 1);
}

TEST_F(CorpusSurveyTest, LinesCountTheHeader) {
  CorpusText text = corpus("train.tsv", "en\tde\n" + tsv(made_text(10)) + tsv({made_text(10)[3]}));
  text.source_field = "en";
  text.target_field = "de";
  CorpusSurvey with_header(text, {}, {.scratch = folder.file("scratch")},
                           [](std::string_view, int64_t, std::optional<int64_t>) {});
  std::vector<int64_t> found;
  with_header.judge([&](const JudgedPair& pair) {
    if (pair.repeated) found = {pair.pair.line, pair.number, *pair.repeated};
  });
  EXPECT_EQ(found, (std::vector<int64_t>{12, 11, 5}));
}

TEST_F(CorpusSurveyTest, ThreadsChangeNothing) {
  TextPairs text = made_text(9000);
  const auto judged_by = [&](int64_t threads) {
    std::vector<std::pair<std::vector<std::string>, double>> all;
    survey(text, {}, threads).judge([&](const JudgedPair& pair) {
      all.emplace_back(pair.judgement.found.names(), pair.judgement.alignment);
    });
    return all;
  };
  const auto one = judged_by(1);
  EXPECT_EQ(one.size(), text.size());
  EXPECT_EQ(one, judged_by(3));
}

TEST_F(CorpusSurveyTest, AnEmptyTextIsAnError) {
  EXPECT_EQ(testing::message_of<InputError>([&] { survey({}); }), folder.file("train.tsv") + " has no pairs");
}

TEST_F(CorpusSurveyTest, ReportsNameShiftedLines) {
  TextPairs text = made_text(400);
  RandomStream random(3, Purpose::Test);
  for (auto& [source, target] : text) {
    for (uint64_t more = random.below(5); more > 0; --more) {
      source += " And so on.";
      target += " Und so weiter.";
    }
  }
  for (size_t i = 150; i + 1 < text.size(); ++i) text[i].second = text[i + 1].second;
  auto survey_of_text = survey(text);
  DataReport report("train.tsv", survey_of_text, 2, 1);
  survey_of_text.judge([&](const JudgedPair& pair) { report.add(pair); });
  report.finish(survey_of_text);
  ASSERT_EQ(report.shifts().size(), 1U);
  const auto json = nlohmann::json::parse(json_report(report));
  EXPECT_EQ(json["shifts"][0]["offset"], -1);
  EXPECT_NEAR(json["shifts"][0]["line"].get<double>(), 151, 25);
  const std::string line = std::to_string(report.shifts()[0].line);
  const std::string remark = "From line " + line +
                             " on, the lines fit better if the target is moved down by 1 line: is a line missing or "
                             "doubled near line " +
                             line + "?";
  EXPECT_NE(text_report(report).find(remark + "\n"), std::string::npos) << text_report(report);
  EXPECT_NE(html_report(report).find(remark), std::string::npos);
}

TEST_F(CorpusSurveyTest, ReportsSayWhyCopiesAreNotFound) {
  TextPairs text = made_text(100);
  for (auto& [source, target] : text) target = source;
  std::vector<std::string> messages;
  set_log_sink([&](LogLevel, std::string_view message) { messages.emplace_back(message); });
  auto survey_of_text = survey(text);
  set_log_sink({});
  EXPECT_EQ(messages, std::vector{folder.file("train.tsv") +
                                  ": source and target are the same text in 100 of 100 pairs: is one of them the wrong "
                                  "column?"});
  DataReport report("train.tsv", survey_of_text, 2, 1);
  survey_of_text.judge([&](const JudgedPair& pair) { report.add(pair); });
  report.finish(survey_of_text);
  EXPECT_EQ(report.of(Filter::Copied).pairs, 0);
  EXPECT_EQ(report.equal, 100);
  const std::string plain = text_report(report);
  EXPECT_NE(plain.find("Source and target are equal in 100 of 100 pairs. The filter `copied` finds those"),
            std::string::npos)
      << plain;
}

TEST_F(CorpusSurveyTest, ReportsHaveTheSameCounts) {
  TextPairs text = made_text(40);
  text.push_back({"<b>a</b>", ""});
  text.push_back(text[0]);
  auto survey_of_text = survey(text);
  DataReport report("a & b", survey_of_text, 2, 1);
  survey_of_text.judge([&](const JudgedPair& pair) { report.add(pair); });
  report.finish(survey_of_text);
  EXPECT_EQ(report.judged, 42);
  EXPECT_EQ(report.of(Filter::Empty).pairs, 1);
  EXPECT_EQ(report.of(Filter::Empty).only, 1);
  EXPECT_EQ(report.of(Filter::Duplicate).by_position[97], 1) << "pair 42 of 42 is in the 98th of 100 parts";
  EXPECT_EQ(report.removed, 2);
  const auto json = nlohmann::json::parse(json_report(report));
  EXPECT_EQ(json["filters"]["empty"]["pairs"], 1);
  EXPECT_EQ(json["filters"]["empty"]["examples"][0]["line"], 41);
  EXPECT_EQ(json["filters"]["duplicate"]["examples"][0]["note"], "line 1");
  EXPECT_EQ(json["removed_by_default"], 2);
  const std::string plain = text_report(report);
  EXPECT_TRUE(plain.starts_with("a & b: 42 pairs\n")) << plain;
  EXPECT_NE(plain.find("line 42 (line 1)"), std::string::npos) << plain;
  const std::string page = html_report(report);
  EXPECT_NE(page.find("<title>a &amp; b</title>"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;a&lt;/b&gt;"), std::string::npos) << "text is escaped";
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

}  // namespace
}  // namespace heed::curation
