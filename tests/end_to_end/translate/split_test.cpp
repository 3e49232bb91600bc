// `heed translate --split`: several sentences on a line.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/checksum.h"

namespace heed::end_to_end {
namespace {

/// A model that translates numbers and turns them round, and whose manifest says how long lines usually were.
class Split : public testing::Test {
 protected:
  Split() {
    std::filesystem::copy(std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1", model);
    nlohmann::json manifest = nlohmann::json::parse(read_file(model + "/manifest.json"));
    manifest["usual_source_length"] = 4;
    write_file(model + "/manifest.json", manifest.dump());
  }
  Result translate(const std::string& input, const Words& options = {}) const {
    Words command{"translate", "--model", model, "--threads", "1", "--search.unknown"};
    command.insert(command.end(), options.begin(), options.end());
    return heed(command, input);
  }

  Folder folder;
  std::string model = folder.path("model");
};

TEST_F(Split, UnusuallyLongLinesAreCutWithAWarning) {
  const Result result = translate("one two three four\none two three! Four five six\n");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(lines_of(result.output)[0], "vier drei zwei eins");
  EXPECT_EQ(result.errors,
            "heed: warning: line 2 has more than 4 tokens, which few lines have that the model was trained on: "
            "translated in 2 parts; heed counts further lines like it\n");
  const std::string first = translate("one two three!\n").output, second = translate("Four five six\n").output;
  EXPECT_EQ(lines_of(result.output)[1], lines_of(first)[0] + " " + lines_of(second)[0]);
}

TEST_F(Split, WhereThereIsNoPlaceTheyAreNot) {
  const Result result = translate("one two three four five\n");
  EXPECT_EQ(result.output, translate("one two three four five\n", {"--split", "none"}).output);
  EXPECT_EQ(result.errors,
            "heed: warning: line 1 has more than 4 tokens, which few lines have that the model was trained on, and no "
            "place to cut it: translated whole; heed counts further lines like it\n");
}

TEST_F(Split, ManyLinesHaveOneWarningOfEachKindAndATotal) {
  std::string input;
  for (int i = 0; i < 1000; ++i) input += "one two three! Four five six\none\none two three four five\n";
  const Words errors = lines_of(translate(input).errors);
  ASSERT_EQ(errors.size(), 4U);
  const std::string limit = "more than 4 tokens, which few lines have that the model was trained on";
  EXPECT_TRUE(errors[0].starts_with("heed: warning: line 1 has " + limit)) << errors[0];
  EXPECT_TRUE(errors[1].starts_with("heed: warning: line 3 has " + limit)) << errors[1];
  EXPECT_EQ(errors[2], "heed: warning: 1,000 of 3,000 lines have " + limit + ": translated in parts");
  EXPECT_EQ(errors[3],
            "heed: warning: 1,000 of 3,000 lines have " + limit + ", and no place to cut them: translated whole");
}

TEST_F(Split, OnRequestEverySentenceIsTranslatedByItself) {
  const Result result = translate("one. Two. Three\n", {"--split", "sentences"});
  EXPECT_EQ(result.errors, "");
  const auto alone = [&](const std::string& line) { return lines_of(translate(line + "\n").output)[0]; };
  EXPECT_EQ(result.output, alone("one.") + " " + alone("Two.") + " " + alone("Three") + "\n");
}

/// The same model with other names of its words, on one side.
class SplitChinese : public Split {
 protected:
  /// Renames number words in one of the model's vocabularies: "one" and "eins" are 一, "three" and "drei" 三。
  void write_in_chinese(const std::string& vocabulary) const {
    std::string names = read_file(model + "/" + vocabulary);
    for (const auto& [word, chinese] : std::vector<std::pair<std::string, std::string>>{
             {"one", "一"}, {"two", "二"}, {"three", "三。"}, {"eins", "壹"}, {"zwei", "贰"}, {"drei", "叁。"}}) {
      names.replace(names.find("\n" + word + "\n"), word.size() + 2, "\n" + chinese + "\n");
    }
    write_file(model + "/" + vocabulary, names);
    nlohmann::json manifest = nlohmann::json::parse(read_file(model + "/manifest.json"));
    manifest["files"][vocabulary] = {{"sha256", sha256(names)}, {"size", names.size()}};
    write_file(model + "/manifest.json", manifest.dump());
  }
};

TEST_F(SplitChinese, SentencesAreJoinedWithoutABlank) {
  write_in_chinese("target.words");
  const Words sentences{"--split", "sentences"};
  EXPECT_EQ(translate("one two.\nThree two\n", sentences).output, "叁。 壹\n贰 叁。\n");
  EXPECT_EQ(translate("one two. \t Three two\n", sentences).output, "叁。 壹贰 叁。\n");
}

TEST_F(SplitChinese, SentencesOfChineseAreJoinedWithABlank) {
  write_in_chinese("source.words");
  const Words sentences{"--split", "sentences"};
  EXPECT_EQ(translate("一 二 三。一 二\n", sentences).output, "drei zwei eins zwei eins\n");
  const Words with_words{"--format", "json", "--json-alignment"};
  const auto object = nlohmann::json::parse(translate(R"({"source": "一 二 三。一 二"})"
                                                      "\n",
                                                      sentences + with_words)
                                                .output);
  EXPECT_EQ(object.at("source_words"), (Words{"一", "二", "三。一", "二"}));
  EXPECT_EQ(object.at("target_words"), (Words{"drei", "zwei", "eins", "zwei", "eins"}));
  for (const auto& link : object.at("alignment")) {
    EXPECT_LT(link.at(0), 4);
    EXPECT_LT(link.at(1), 5);
  }
}

/// Models that have read what others do not: TABs, and characters byte by byte.
class SplitCharacters : public testing::Test {
 protected:
  Result train(const Words& options) const {
    std::string source, target;
    for (int i = 0; i < 20; ++i) {
      source += "a b c\nb c a\nc a\n";
      target += "a\tb\nb\ta\nc\n";
    }
    return heed(Words{"train", "--source", folder.file("s", source), "--target", folder.file("t", target), "--model",
                      folder.path("model"), "--arch.d-model", "16", "--arch.encoder.layers", "1",
                      "--arch.decoder.layers", "1", "--train.max-steps", "2", "--threads", "1"} +
                options);
  }
  Result translate(const std::string& line, const Words& options) const {
    return heed(Words{"translate", "--model", folder.path("model"), "--search.max-length-factor", "0",
                      "--search.max-length-constant", "5", "--threads", "1"} +
                    options,
                line);
  }
  Folder folder;
};

TEST_F(SplitCharacters, OfMoreTokensThanAreReadAtOnceAreCutWithAWarning) {
  ASSERT_EQ(train({"--text.vocab-size", "280", "--text.byte-fallback", "true"}).code, 0);
  // One character whose compatible form has eighteen.
  const Result cut = translate("a \uFDFA b\n", {"--search.max-source-length", "8"});
  EXPECT_NE(cut.errors.find("heed: warning: line 1 has a character of more than "), std::string::npos) << cut.errors;
  EXPECT_NE(cut.errors.find(": the rest of them were left out; heed counts"), std::string::npos) << cut.errors;
}

TEST_F(SplitCharacters, ATabBeginsNoColumn) {
  ASSERT_EQ(train({"--text.type", "characters"}).code, 0);
  const Words prefix{"--prefix", folder.file("prefix", "a\tb\n")};
  EXPECT_TRUE(translate("a b\n", prefix).output.starts_with("a\tb"));
  const std::string columns = translate("a b\n", prefix + Words{"--format", "tsv"}).output;
  EXPECT_TRUE(columns.starts_with("a b\ta b")) << columns;
}

TEST_F(Split, OrNotAtAll) {
  const Result result = translate("one two three! Four five six\n", {"--split", "none"});
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.output.find('\n'), result.output.size() - 1);
}

}  // namespace
}  // namespace heed::end_to_end
