// Pairs as spreadsheets write them, with a header and quotes, with rows that are no pairs, with pairs that come twice,
// and with pairs of the validation text.
#include <gtest/gtest.h>

#include <string>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"
#include "heed/core/files/gzip_compressor.h"

namespace heed::end_to_end {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Row `i` of the pairs, all of which differ, as plain text or in quotes.
std::string row(int i, bool in_quotes) {
  const std::string number = std::to_string(i);
  if (in_quotes) return "\"say \"\"one\"\" " + number + "\"\t\"sag \"\"eins\"\" " + number + "\"\n";
  return "say \"one\" " + number + "\tsag \"eins\" " + number + "\n";
}

/// 40 rows; `dev` has two of them and another one.
class Table : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const bool in_quotes : {false, true}) {
      std::string rows = in_quotes ? "\"en\"\t\"de\"\n" : "";
      for (int i = 0; i < 40; ++i) rows += row(i, in_quotes);
      folder.file(in_quotes ? "quoted" : "plain", rows);
      const std::string dev = row(7, in_quotes) + row(8, in_quotes) + row(99, in_quotes);
      folder.file(in_quotes ? "quoted.dev" : "dev", in_quotes ? "\"en\"\t\"de\"\n" + dev : dev);
    }
  }
  Words command(const std::string& model, const std::string& pairs, const Words& more = {}) const {
    // clang-format off
    return Words{"train", "--pairs", pairs, "--model", folder.path(model), "--text.type", "words",
                 "--text.minimum-count", "1", "--arch.d-model", "16", "--arch.encoder.layers", "1",
                 "--arch.decoder.layers", "1", "--arch.encoder.heads", "2", "--arch.decoder.heads", "2",
                 "--data.batch-tokens", "60", "--train.max-steps", "3", "--valid.every", "2", "--log.every", "1",
                 "--train.average", "none", "--threads", "1"} + more;
    // clang-format on
  }
  Words with_dev(const std::string& dev = "dev") const { return {"--valid-pairs", folder.path(dev)}; }
  nlohmann::json started(const std::string& model) const { return last_event(folder, model, "start"); }

  Folder folder;
};

const Words kSpreadsheet{"--data.quotes", "double", "--data.header", "true"};

TEST_F(Table, OfASpreadsheetIsNamedWithTheOptionsThatReadIt) {
  const Result trained = heed(command("model", folder.path("quoted")));
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_TRUE(has(trained.errors,
                  "82 fields are in double quotes, as spreadsheets write them; the quotes are read as "
                  "text: `--data.quotes double` reads the text in them"))
      << trained.errors;
  EXPECT_TRUE(has(trained.errors,
                  "quoted:1 `\"en\" TAB \"de\"` looks like a header, but is read as a pair: "
                  "`--data.header true` leaves out the first line of each file of pairs"))
      << trained.errors;
  EXPECT_EQ(started("model")["pairs"], 41);
}

TEST_F(Table, OfASpreadsheetTrainsTheModelOfItsText) {
  ASSERT_EQ(heed(command("plain.model", folder.path("plain"), with_dev())).code, 0);
  const Result trained = heed(command("model", folder.path("quoted"), with_dev("quoted.dev") + kSpreadsheet));
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_TRUE(has(trained.errors, "left out as a header: " + folder.path("quoted") + ":1 `\"en\" TAB \"de\"`"))
      << trained.errors;
  EXPECT_EQ(started("model")["pairs"], 40);
  EXPECT_EQ(folder.read("model/model.safetensors"), folder.read("plain.model/model.safetensors"));
}

TEST_F(Table, CompressedIsReadAlike) {
  GzipCompressor packer;
  const std::string packed = packer.pack(folder.read("quoted"));
  const std::string path = folder.file("quoted.gz", packed + packer.finish());
  ASSERT_EQ(heed(command("model", path, kSpreadsheet)).code, 0);
  EXPECT_EQ(started("model")["pairs"], 40);
}

TEST_F(Table, AsAStreamIsReadAlike) {
  const Result named = heed(command("named", "-", {"--data.shuffle-buffer", "10"}), folder.read("quoted"));
  ASSERT_EQ(named.code, 0) << named.errors;
  EXPECT_TRUE(has(named.errors, "`--data.quotes double` reads the text in them")) << named.errors;
  const Words stream = Words{"--data.shuffle-buffer", "10"} + with_dev("quoted.dev") + kSpreadsheet;
  const Result trained = heed(command("model", "-", stream), folder.read("quoted"));
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_TRUE(has(trained.errors,
                  "standard input: 2 pairs of the first 10 in the validation text too (standard "
                  "input:9 is " +
                      folder.path("quoted.dev") + ":2)"))
      << trained.errors;
  EXPECT_TRUE(has(folder.read("model/source.words"), "say"));
  EXPECT_FALSE(has(folder.read("model/source.words"), "\"say"));
}

TEST_F(Table, ABadRowIsNamedAndCanBeLeftOut) {
  const std::string path = folder.file("bad", folder.read("plain") + "one column\nthree\tcolumns\there\n");
  const Result refused = heed(command("model", path));
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(has(refused.errors, path + ":41: expected two columns, source TAB target, found 1; `--data.bad-rows "
                                         "leave-out` leaves out such lines"))
      << refused.errors;
  const Result trained = heed(command("model", path, {"--data.bad-rows", "leave-out"}));
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_TRUE(has(trained.errors, "left out 2 bad rows: " + path + ":41: expected two columns")) << trained.errors;
  EXPECT_TRUE(has(trained.errors, ": 42 pairs, 40 of them kept; left out: 2 bad rows")) << trained.errors;
}

TEST_F(Table, PairsOfTheValidationTextAreReportedAtEveryStart) {
  for (const int steps : {2, 3}) {
    const Words limit{"--train.max-steps", std::to_string(steps)};
    const Result trained = heed(command("model", folder.path("plain"), with_dev() + limit));
    ASSERT_EQ(trained.code, 0) << trained.errors;
    EXPECT_TRUE(has(trained.errors, "2 of 3 validation pairs are in the training text (" + folder.path("plain") +
                                        ":8 is " + folder.path("dev") + ":1, " + folder.path("plain") + ":9 is " +
                                        folder.path("dev") +
                                        ":2); scores on them do not show how the model does on "
                                        "new text: `--data.leaking leave-out` trains without "
                                        "them"))
        << trained.errors;
    EXPECT_EQ(started("model")["leaking_pairs"], 2);
    EXPECT_EQ(started("model")["valid_pairs_in_training"], 2);
    EXPECT_EQ(started("model")["duplicate_pairs"], 0);
    EXPECT_EQ(started("model")["pairs"], 40);
  }
}

/// Twice the same file, without pairs that repeat others or are in the validation text.
TEST_F(Table, WithoutRepetitionsAndLeaksIsTheSameAfterAStop) {
  const Words cleaned = with_dev() + Words{"--data.duplicates", "leave-out", "--data.leaking", "leave-out"};
  const auto run = [&](const std::string& model, int steps) {
    Words words = command(model, folder.path("plain"), cleaned + Words{"--train.max-steps", std::to_string(steps)});
    words.insert(words.begin() + 2, folder.path("plain"));
    return heed(words);
  };
  const Result whole = run("whole", 6);
  ASSERT_EQ(whole.code, 0) << whole.errors;
  EXPECT_TRUE(
      has(whole.errors,
          ": 80 pairs, 38 of them kept; left out: 4 in the validation text too, 38 others that repeat an earlier "
          "one"))
      << whole.errors;
  EXPECT_EQ(started("whole")["pairs"], 38);
  EXPECT_EQ(started("whole")["duplicate_pairs"], 40);
  EXPECT_EQ(started("whole")["leaking_pairs"], 4);
  ASSERT_EQ(run("parts", 3).code, 0);
  std::filesystem::remove(folder.path("parts/train.corpus"));  // the rest is encoded again
  ASSERT_EQ(run("parts", 6).code, 0);
  EXPECT_TRUE(folder.read("parts/model.safetensors") == folder.read("whole/model.safetensors"));
}

TEST_F(Table, IsScoredByOtherCommandsAlike) {
  ASSERT_EQ(heed(command("model", folder.path("plain"))).code, 0);
  const auto score = [&](const std::string& pairs, const Words& more) {
    return heed(Words{"score", "--model", folder.path("model"), "--threads", "1", "--pairs", folder.path(pairs)} +
                more);
  };
  const Result plain = score("plain", {});
  ASSERT_EQ(plain.code, 0) << plain.errors;
  const Result quoted = score("quoted", {"--quotes", "double", "--header", "true"});
  ASSERT_EQ(quoted.code, 0) << quoted.errors;
  EXPECT_EQ(quoted.output, plain.output);
  const Result named = score("quoted", {});
  EXPECT_TRUE(has(named.errors, "`--quotes double` reads the text in them")) << named.errors;
  EXPECT_TRUE(has(named.errors, "`--header true` leaves out the first line")) << named.errors;
  const Result refused = heed({"score", "--model", folder.path("model"), "--source", folder.path("plain"), "--target",
                               folder.path("plain"), "--quotes", "double"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(has(refused.errors, "`quotes` has no effect without `pairs`")) << refused.errors;
}

TEST_F(Table, OptionsWithoutEffectAreRefused) {
  const auto refusal = [&](const Words& more) {
    const Result refused = heed(command("model", folder.path("plain"), more));
    EXPECT_EQ(refused.code, 2) << refused.errors;
    return refused.errors;
  };
  EXPECT_TRUE(has(refusal({"--data.leaking", "leave-out"}), "`data.leaking` has no effect without validation text"));
  EXPECT_TRUE(has(refusal({"--data.duplicates", "leave-out", "--data.shuffle-buffer", "10"}),
                  "`data.shuffle-buffer` must be none with `data.duplicates` = leave-out"));
}

}  // namespace
}  // namespace heed::end_to_end
