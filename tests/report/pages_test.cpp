#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/short_names.h"
#include "heed/report/json_lines_observer.h"
#include "heed/report/page.h"
#include "heed/report/page_observer.h"
#include "heed/report/run_comparison.h"
#include "heed/report/run_history.h"
#include "heed/report/run_page.h"
#include "report/reports.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

size_t occurrences(const std::string& text, const std::string& of) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(of, at)) != std::string::npos; at += of.size()) ++count;
  return count;
}

/// The data in a page.
json data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const size_t at = page.find(begin) + begin.size();
  return json::parse(page.substr(at, page.find("</script>", at) - at));
}

json members_of(const RunHistory& history, size_t most_points = 1500) {
  return json::parse("{" + history.members(most_points) + "}");
}

TEST(ScriptJson, IsTheSameJsonWithoutCharactersThatEndAScriptOrHideText) {
  const std::string hostile =
      "</script><!--<b> &amp; \u2028 \u202Egnp.exe\u202C \u2066 \u200F \uFEFF \u061C \x1B[31m \x7F \u0085 ü 日本 \U0001F600";
  const std::string plain = json(hostile).dump(), safe = script_json(plain);
  EXPECT_EQ(json::parse(safe).get<std::string>(), hostile);
  for (const char* gone : {"<", ">", "&", "\u2028", "\u202E", "\u202C", "\u2066", "\u200F", "\uFEFF", "\u061C", "\x1B",
                           "\x7F", "\u0085"}) {
    EXPECT_EQ(safe.find(gone), std::string::npos) << gone;
  }
  EXPECT_NE(safe.find("ü 日本 \U0001F600"), std::string::npos) << "other text stays readable";
}

TEST(HtmlPage, IsNotChangedByWhatItQuotes) {
  const std::string plain = html_page("run", "a", "{}");
  const std::string page =
      html_page("run", "{data} </title><script>alert(1)</script>", json("{style} </script> {title}").dump());
  EXPECT_EQ(occurrences(page, "</script>"), occurrences(plain, "</script>"));
  EXPECT_NE(page.find("<title>{data} &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>"), std::string::npos);
  EXPECT_EQ(data_of(page), "{style} </script> {title}");
  EXPECT_EQ(page.find("http://www.w3.org/2000/svg"), page.rfind("http")) << "no other address";
  EXPECT_THROW(html_page("none", "", ""), std::logic_error);
}

TEST(RunHistory, ReadsCurves) {
  RunHistory history;
  EXPECT_TRUE(history.empty());
  history.add_all(
      R"({"type":"start","step":0,"parameters":7,"products":"by hand"}
{"type":"train","step":100,"tokens":1000,"epochs":0.5,"elapsed":10,"loss":5.1234567,"objective":6,"learning_rate":0.001,"gradient_norm":null,"source_tokens_per_second":90,"target_tokens_per_second":100,"seconds":{"forward":3,"update":1}}
not an event
{"type":"train","update":200,"tokens":2000,"epochs":1,"elapsed":20,"loss":4,"seconds":{"forward":4,"optimizer":2}}
{"type":"validation","step":200,"tokens":2000,"epochs":1,"elapsed":25,"scores":{"bleu":12.5,"loss":4},"best":true,"seconds":5,"metric":"bleu","samples":[{"source":"s","reference":"r","hypothesis":"h"}]}
{"type":"validation","step":300,"scores":{"bleu":12},"best":false,"samples":[{"source":"s","reference":"r","hypothesis":"h"}]}
{"type":"validation","step":400,"scores":{"bleu":13},"best":true,"samples":[{"source":"s","reference":"r","hypothesis":"i"}]}
{"type":"warning","step":400,"message":"w"}
{"type":"stop","step":400,"reason":"a half line)");
  EXPECT_FALSE(history.empty());
  EXPECT_EQ(history.best_step(), 400);
  const json run = members_of(history);
  EXPECT_EQ(run["starts"][0]["matmul"], "by hand") << "its name in earlier versions";
  EXPECT_EQ(run["train"]["step"], json({100, 200}));
  EXPECT_EQ(run["train"]["loss"], json({5.12346, 4}));
  EXPECT_EQ(run["train"]["gradient_norm"], json({nullptr, nullptr}));
  EXPECT_EQ(run["time"], json({{"forward", 7}, {"optimizer", 3}, {"validation", 5}}));
  EXPECT_EQ(run["validation"]["scores"]["bleu"], json({12.5, 12, 13}));
  EXPECT_EQ(run["validation"]["scores"]["loss"], json({4, nullptr, nullptr}));
  EXPECT_EQ(run["validation"]["best"], json({true, false, true}));
  EXPECT_EQ(run["samples"], json::parse(R"([{"source":"s","reference":"r","hypotheses":[[200,"h"],[400,"i"]]}])"))
      << "each text once";
  EXPECT_EQ(run["warnings"][0]["message"], "w");
  EXPECT_FALSE(run.contains("stop"));
  EXPECT_FALSE(run["last_validation"].contains("samples"));
}

TEST(RunHistory, ThinsLongCurves) {
  RunHistory history;
  for (int step = 1; step <= 10; ++step)
    history.add(fmt::format(R"({{"type":"train","step":{},"loss":{}}})", step, 10 * step));
  EXPECT_EQ(members_of(history, 10)["train"]["loss"].size(), 10U);
  const json train = members_of(history, 4)["train"];
  EXPECT_EQ(train["step"], json({3, 6, 9, 10}));
  EXPECT_EQ(train["loss"], json({20, 50, 80, 100})) << "means of three";
}

TEST(RunHistory, KeepsSomeAttentionMapsOfManyValidations) {
  RunHistory history;
  for (int step = 1; step <= 200; ++step) {
    history.add(fmt::format(
        R"({{"type":"validation","step":{},"samples":[{{"source":"s","reference":"r","hypothesis":"h","attention":{{"source":["s"],"target":["h"],"weights":[[0.5]]}}}}]}})",
        step));
  }
  const json maps = members_of(history)["samples"][0]["attention"];
  EXPECT_GE(maps.size(), 32U);
  EXPECT_LE(maps.size(), 64U);
  EXPECT_EQ(maps[0][0], 1);
  EXPECT_GT(maps.back()[0], 190) << "the newest are there";
  EXPECT_EQ(maps[0][1]["weights"], json({{0.5}}));
}

TEST(RunPage, NamesADirectoryWithoutTraining) {
  const testing::TemporaryDirectory folder;
  EXPECT_EQ(testing::message_of<InputError>([&] { read_run(folder.path(), "x"); }),
            folder.path() + ": has no training: it has no metrics.jsonl");
  EXPECT_EQ(testing::message_of<FileError>([&] { read_run(folder.file("none"), "x"); }),
            folder.file("none") + ": cannot open: No such file or directory");
  write_file(folder.file("metrics.jsonl"), "nothing\n");
  EXPECT_THROW(read_run(folder.path(), "x"), InputError);
  EXPECT_THROW(read_run(folder.file("gone"), "x"), FileError);
}

/// A model directory with these translations of the references "a b c d e", ...
Run run_in(const std::string& path, const std::vector<std::string>& translations,
           const std::string& references = "a b c d e\nf g h i j\n") {
  fs::create_directories(path);
  write_file(path + "/metrics.jsonl", "{\"type\":\"start\",\"step\":0}\n");
  std::string text;
  for (const std::string& line : translations) text += line + "\n";
  write_file(path + "/valid.references", references);
  write_file(path + "/valid.translations", text);
  return read_run(path, fs::path(path).filename().string());
}

TEST(RunComparison, TestsTranslationsOfTheSameText) {
  const testing::TemporaryDirectory folder;
  const std::vector<report::Run> runs{run_in(folder.file("one"), {"a b c d x", "f g h x j"}),
                                      run_in(folder.file("two"), {"a b c d e", "f g h i j"}),
                                      run_in(folder.file("other"), {"a"}, "another text\n")};
  const json made = json::parse(compare_runs(runs));
  ASSERT_EQ(made["systems"].size(), 2U) << "the third has other references";
  EXPECT_EQ(made["lines"], 2);
  const json& bleu = made["metrics"][0];
  EXPECT_EQ(bleu["name"], "BLEU");
  EXPECT_NEAR(bleu["results"][1]["score"], 100, 1e-9);
  EXPECT_TRUE(bleu["results"][0]["p"].is_null());
  EXPECT_LT(bleu["results"][1]["p"], 0.05);
  EXPECT_TRUE(json::parse(compare_runs(std::span(runs).first(1))).contains("reason"));
  write_file(folder.file("two/valid.translations"), "one line\n");
  EXPECT_EQ(testing::message_of<InputError>([&] { compare_runs(runs); }),
            folder.file("two/valid.translations") + ": has 1 line, but valid.references has 2");
}

TEST(RunComparison, ScoresAsTheTrainingDid) {
  const testing::TemporaryDirectory folder;
  const std::vector<report::Run> runs{run_in(folder.file("one"), {"A B C D E", "f g h i j"}),
                                      run_in(folder.file("two"), {"a b c d e", "f g h i j"})};
  EXPECT_LT(json::parse(compare_runs(runs))["metrics"][0]["results"][0]["score"], 90);
  write_file(folder.file("one/config.toml"), "[valid]\nlowercase = true\nevery = \"5\"\n");
  EXPECT_NEAR(json::parse(compare_runs(runs))["metrics"][0]["results"][0]["score"], 100, 1e-9);
}

TEST(PageObserver, RenewsThePageAndKeepsTheBestTranslations) {
  const testing::TemporaryDirectory folder;
  const std::string model = folder.path(), page = folder.file("report.html");
  write_file(folder.file("metrics.jsonl"),
             "{\"type\":\"start\",\"step\":0}\n{\"type\":\"train\",\"step\":100,\"loss\":3}\n");
  JsonLinesObserver history(folder.file("metrics.jsonl"));
  PageObserver page_observer(model);
  training::ObserverGroup observer({&history, &page_observer});
  training::StartReport start = start_report();
  start.resumed = true;
  start.progress.steps = 100;
  observer.on_start(start);
  EXPECT_EQ(data_of(read_file(page))["runs"][0]["train"]["loss"], json({3})) << "of before";
  training::ValidationReport report = validation_report();
  report.translations = {"das Haus", "</script>"};
  report.references = {"ein Haus", "x"};
  observer.on_training(training_report());
  observer.on_validation(report);
  const json run = data_of(read_file(page))["runs"][0];
  EXPECT_EQ(run["train"]["loss"], json({3, 2}));
  EXPECT_EQ(run["validation"]["scores"]["bleu"], json({31.416}));
  EXPECT_EQ(read_file(folder.file("valid.translations")), "das Haus\n</script>\n");
  EXPECT_EQ(read_file(folder.file("valid.references")), "ein Haus\nx\n");
  report.best = false;
  report.translations = {"worse", "worse"};
  observer.on_validation(report);
  EXPECT_EQ(read_file(folder.file("valid.translations")), "das Haus\n</script>\n");
  observer.on_finish(final_report());
  EXPECT_EQ(data_of(read_file(page))["runs"][0]["finish"]["chosen"], "averaged");
}

TEST(PageObserver, ShowsTheOptionsThatAStartWritesAfterItsChanges) {
  const testing::TemporaryDirectory folder;
  const std::string page = folder.file("report.html"), config = folder.file("config.toml");
  write_file(folder.file("metrics.jsonl"), "{\"type\":\"start\",\"step\":0}\n");
  write_file(config, "seed = 1\n");
  PageObserver observer(folder.path());
  observer.on_start(start_report());
  EXPECT_EQ(data_of(read_file(page))["runs"][0]["config"], json::array({json::array({"seed", "1"})}));
  write_file(config, "seed = 2\n");
  observer.on_training(training_report());
  EXPECT_EQ(data_of(read_file(page))["runs"][0]["config"], json::array({json::array({"seed", "2"})}));
}

TEST(PageObserver, MakesUpForWhatCouldNotBeReadOrWritten) {
  const testing::TemporaryDirectory folder;
  const std::string page = folder.file("report.html");
  PageObserver observer(folder.path());
  EXPECT_THROW(observer.on_start(start_report()), InputError) << "there is no history";
  EXPECT_NO_THROW(observer.on_training(training_report())) << "reported already";
  training::ValidationReport report = validation_report();
  report.translations = {"das Haus"};
  report.references = {"ein Haus"};
  fs::create_directory(folder.file("valid.translations"));
  observer.on_validation(report);
  fs::remove(folder.file("valid.translations"));
  write_file(folder.file("metrics.jsonl"), "{\"type\":\"train\",\"step\":100,\"loss\":3}\n");
  observer.on_stop("2000 steps are done", final_report().progress);
  EXPECT_EQ(read_file(folder.file("valid.translations")), "das Haus\n");
  EXPECT_EQ(read_file(folder.file("valid.references")), "ein Haus\n");
  EXPECT_EQ(data_of(read_file(page))["runs"][0]["train"]["loss"], json({3}));
}

TEST(PageObserver, ReportsAFailureOnce) {
  const testing::TemporaryDirectory folder;
  const std::string model = folder.file("model");
  fs::create_directory(model);
  write_file(model + "/metrics.jsonl", "{\"type\":\"start\",\"step\":0}\n");
  PageObserver observer(model);
  observer.on_start(start_report());
  observer.on_training(training_report());
  fs::remove_all(model);
  EXPECT_THROW(observer.on_validation(validation_report()), FileError);
  EXPECT_NO_THROW(observer.on_validation(validation_report()));
  fs::create_directory(model);
  observer.on_validation(validation_report());
  EXPECT_TRUE(fs::exists(model + "/report.html"));
}

TEST(ShortNames, AreDistinct) {
  EXPECT_EQ(short_names({"runs/a/model", "runs/b/model/"}), (std::vector<std::string>{"a/model", "b/model"}));
  EXPECT_EQ(short_names({"models/x/"}), std::vector<std::string>{"x"});
  EXPECT_EQ(short_names({"./x", "y"}), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(short_names({"."}), std::vector<std::string>{fs::current_path().filename().string()});
  EXPECT_EQ(short_names({"x", "x"}), (std::vector<std::string>{"x", "x"}));
}

}  // namespace
}  // namespace heed::report
