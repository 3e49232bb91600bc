// `heed translate --format`: columns and objects in and out.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/text/unicode.h"

namespace heed::end_to_end {
namespace {

using Json = nlohmann::ordered_json;
/// Of a model that translates numbers and turns them round.
Result translate(const std::string& input, const Words& options) {
  Words command{"translate", "--model", std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1",
                "--threads", "1"};
  command.insert(command.end(), options.begin(), options.end());
  return heed(command, input);
}

const Words kJson{"--format", "json"}, kTsv{"--format", "tsv"};

TEST(LineFormat, ObjectsKeepTheirFieldsAndGetTheTranslation) {
  // Numbers that a parser would change, spaces and escapes stay as they were.
  const std::string one = R"({"id":12345678901234567890123, "source": "one two three", "x" : [1.0,  "\u00e9"] })";
  const Result result = translate(one + "\n\n" + R"({"source":""})" + "\n", kJson);
  ASSERT_EQ(result.code, 0) << result.errors;
  const auto lines = lines_of(result.output);
  ASSERT_EQ(lines.size(), 3U) << result.output;
  EXPECT_TRUE(lines[0].starts_with(one.substr(0, one.size() - 2) + R"(, "translation":"drei zwei eins","score":-)"))
      << lines[0];
  EXPECT_TRUE(lines[0].ends_with(R"("flags":[]})")) << lines[0];
  EXPECT_EQ(lines[1], "");
  EXPECT_EQ(lines[2], R"({"source":"", "translation":"","score":0.0,"flags":[]})");
}

TEST(LineFormat, ObjectsHaveWhatIsAskedFor) {
  const Result result = translate(R"({"source": "one two\nthree"})"
                                  "\n",
                                  kJson + Words{"--json-tokens", "--json-alignment", "--search.n-best", "2"});
  ASSERT_EQ(result.code, 0) << result.errors;
  const Json object = Json::parse(result.output);
  EXPECT_EQ(object.at("translation"), "drei zwei eins");
  EXPECT_EQ(object.at("source_words"), (Words{"one", "two", "three"}));
  EXPECT_EQ(object.at("target_words"), (Words{"drei", "zwei", "eins"}));
  EXPECT_EQ(object.at("alignment").size(), 3U) << "a link for each target word";
  const auto& scores = object.at("token_log_probabilities");
  EXPECT_EQ(scores.size(), object.at("tokens").size() + 1) << "and of the end of the sentence";
  double sum = 0;
  for (const double score : scores) sum += score;
  EXPECT_NEAR(object.at("score").get<double>(), sum / static_cast<double>(scores.size()), 1e-5) << "log p / n";
  ASSERT_EQ(object.at("n_best").size(), 2U);
  EXPECT_EQ(object.at("n_best")[0].at("translation"), object.at("translation"));
  EXPECT_GE(object.at("score"), object.at("n_best")[1].at("score"));
  EXPECT_TRUE(object.at("n_best")[1].contains("alignment"));
}

TEST(LineFormat, EveryObjectOfAListHasTheSameFields) {
  const Result result = translate(R"({"source": "one two"})"
                                  "\n",
                                  kJson + Words{"--json-tokens", "--json-alignment", "--search.n-best", "3"});
  ASSERT_EQ(result.code, 0) << result.errors;
  const Json object = Json::parse(result.output);
  Words fields{"translation", "score", "flags", "tokens", "token_log_probabilities"};
  fields.insert(fields.end(), {"source_words", "target_words", "alignment"});
  ASSERT_EQ(object.at("n_best").size(), 3U);
  for (const Json& one : object.at("n_best")) {
    Words found;
    for (const auto& [name, value] : one.items()) found.push_back(name);
    EXPECT_EQ(found, fields);
  }
  for (const std::string& name : fields) EXPECT_EQ(object.at("n_best")[0].at(name), object.at(name)) << name;
}

TEST(LineFormat, OtherFieldsPassThroughByteForByte) {
  const Words others{R"("x": 1e400)",
                     R"("x" : -1E+99999 ,"y":12345678901234567890123,"z": -0, "w":1.0)",
                     R"("half": "\ud83d", "other half": ["\uDE00 \ude00"])",
                     R"("\ud83d": {"\udc00\ud83d": "\ud83d\u0041"})",
                     R"("pair": "\ud83d\ude00", "e": "\u00e9\/\b")",
                     R"("same": 1, "same": 2, "same": {"same": [ [ ] , { } ]})",
                     "\t\"a\"\t:\t[ ]\t"};
  for (const std::string& other : others) {
    for (const std::string& object :
         {"{" + other + R"(, "source": "one two"})", R"({ "source":"one two",)" + other + " }"}) {
      const Result result = translate(object + "\n", kJson);
      EXPECT_EQ(result.code, 0) << object << result.errors;
      const std::string begin = std::string(strip_right(std::string_view(object).substr(0, object.size() - 1)));
      EXPECT_TRUE(result.output.starts_with(begin + R"(, "translation":"zwei eins",)")) << result.output;
      EXPECT_TRUE(result.output.ends_with("}\n")) << result.output;
    }
  }
}

TEST(LineFormat, HalfASurrogatePairInTheSourceIsInvalidText) {
  const Folder folder;
  const std::string file = folder.file("in", R"({"source": "one"})"
                                             "\n"
                                             R"({"source": "one \ud83d two", "x": "\ud83d"})"
                                             "\n");
  expect_error(translate("", kJson + Words{"--input", file}), 1,
               file + R"(:2: `source` has \ud83d, half of a surrogate pair without the other half; )"
                      "`--invalid-text replace` makes it U+FFFD");
  const Words unknown{"--search.unknown", "--replace-unknown", "--invalid-text", "replace"};
  const Result replaced = translate("", kJson + Words{"--input", file} + unknown);
  ASSERT_EQ(replaced.code, 0) << replaced.errors;
  const std::string line = lines_of(replaced.output).at(1);
  EXPECT_TRUE(line.starts_with(R"({"source": "one \ud83d two", "x": "\ud83d", "translation":)")) << line;
  const Result text = translate("one \uFFFD two\n", unknown);
  EXPECT_EQ(Json::parse(line.substr(line.find(R"("translation")")).insert(0, "{")).at("translation").get<std::string>(),
            lines_of(text.output).at(0));
}

TEST(LineFormat, ASourceMayBeWrittenWithEscapes) {
  const Result result = translate(R"({"sourc\u0065": "one\u0020tw\u006F\nthree"})"
                                  "\n",
                                  kJson);
  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_NE(result.output.find(R"("translation":"drei zwei eins")"), std::string::npos) << result.output;
}

TEST(LineFormat, ColumnsStandBeforeTheTranslation) {
  const Result result = translate("one two three\tid 7\t\nfour five\n\n", kTsv);
  ASSERT_EQ(result.code, 0) << result.errors;
  const auto lines = lines_of(result.output);
  ASSERT_EQ(lines.size(), 3U) << result.output;
  EXPECT_TRUE(lines[0].starts_with("one two three\tid 7\t\tdrei zwei eins\t-")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("four five\tfünf vier\t-")) << lines[1];
  EXPECT_EQ(lines[2], "\t\t0.000000\t");
}

TEST(LineFormat, ScoresAreThoseOfTheList) {
  const Result list = translate("one two three\n", {"--search.n-best", "2"});
  const Result columns = translate("one two three\n", kTsv + Words{"--search.n-best", "2"});
  ASSERT_EQ(columns.code, 0) << columns.errors;
  EXPECT_EQ(lines_of(columns.output).size(), 2U) << columns.output;
  for (const std::string& line : lines_of(columns.output)) {
    const size_t flags = line.rfind('\t'), score = line.rfind('\t', flags - 1);
    const std::string text = line.substr(line.find('\t') + 1, score - line.find('\t') - 1);
    const std::string same = "0 ||| " + text + " ||| " + line.substr(score + 1, flags - score - 1) + "\n";
    EXPECT_NE(list.output.find(same), std::string::npos) << same << list.output;
  }
}

TEST(LineFormat, FlagsTellWhatToLookAt) {
  const Result result = translate("one two three four five six seven eight nine zzz\tx\n",
                                  kTsv + Words{"--search.max-source-length", "8"});
  ASSERT_EQ(result.code, 0) << result.errors;
  const std::string flags = result.output.substr(result.output.rfind('\t') + 1);
  EXPECT_TRUE(flags.starts_with("split,unknown")) << result.output;
  const Result object = translate(R"({"source": "one two three four five six seven eight nine zzz"})"
                                  "\n",
                                  kJson + Words{"--search.max-source-length", "8"});
  ASSERT_EQ(object.code, 0) << object.errors;
  const auto named = Json::parse(object.output).at("flags");
  ASSERT_GE(named.size(), 2U) << object.output;
  EXPECT_EQ(named[0], "split");
  EXPECT_EQ(named[1], "unknown");
}

TEST(LineFormat, OtherLinesAreRefusedBeforeAnyIsTranslated) {
  Folder folder;
  const auto complaint = [&](const std::string& line) {
    const std::string file = folder.file("in", R"({"source": "one"})"
                                               "\n" +
                                                   line + "\n");
    const Result result = translate("", kJson + Words{"--input", file});
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.output, "");
    const std::string place = "heed: " + file + ":2: ";
    EXPECT_TRUE(result.errors.starts_with(place)) << result.errors;
    return result.errors.substr(std::min(place.size(), result.errors.size()));
  };
  const std::string expected = R"(expected an object with the text to translate, {"source": "..."}, found )";
  EXPECT_EQ(complaint("one two"), expected + "what is not JSON: one two\n");
  EXPECT_EQ(complaint(R"({"source": "one", "x": [1,]})"),
            expected + R"(what is not JSON: {"source": "one", "x": [1,]})" + "\n");
  EXPECT_EQ(complaint("[1]"), expected + "a JSON array\n");
  EXPECT_EQ(complaint("{}"), expected + "one without `source`\n");
  EXPECT_EQ(complaint(R"({"source": 1})"), expected + "a `source` that is a number\n");
  EXPECT_EQ(complaint(R"({"source": "one", "score": 1})"),
            "the object has a field `score` already, which a translation is written to\n");
}

TEST(LineFormat, OptionsOfObjectsGoWithObjects) {
  expect_error(translate("", {"--json-tokens"}), 2, "`--json-tokens` goes with `--format json`");
  expect_error(translate("", kTsv + Words{"--json-alignment"}), 2, "`--json-alignment` goes with `--format json`");
}

}  // namespace
}  // namespace heed::end_to_end
