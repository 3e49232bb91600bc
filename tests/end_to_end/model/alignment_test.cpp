// Attention as users ask for it: `heed align` and `heed translate --alignment`, with a model that reverses number
// words.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

class Alignments : public testing::Test {
 protected:
  static Words with_model(Words command, const Words& more = {}) {
    const std::string model = std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1";
    command.insert(command.end(), {"--model", model, "--threads", "1"});
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }
  Words align(const Words& more = {}) const {
    Words options{"--source", source, "--target", target};
    options.insert(options.end(), more.begin(), more.end());
    return with_model({"align"}, options);
  }
  static std::string output_of(const Words& command, const std::string& input = "") {
    const Result result = heed(command, input);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_EQ(result.errors, "");
    return result.output;
  }

  Folder folder;
  std::string source = folder.file("source", "one two three\n\nseven nine\n");
  std::string target = folder.file("target", "drei zwei eins\n\nneun sieben\n");
};

TEST_F(Alignments, AreOneRecordALine) {
  EXPECT_EQ(output_of(align()), "0-2 1-1 2-0\n\n0-1 1-0\n");
  EXPECT_EQ(output_of(align({"--threshold", "0.99999"})), "\n\n\n");
  const Words soft = lines_of(output_of(align({"--format", "soft"})));
  ASSERT_EQ(soft.size(), 3U);
  EXPECT_EQ(std::count(soft[0].begin(), soft[0].end(), ','), 6);
  EXPECT_EQ(soft[1], "");
}

TEST_F(Alignments, AsJsonHoldEveryHeadOnRequest) {
  const Words lines = lines_of(output_of(align({"--format", "json", "--all-heads"})));
  ASSERT_EQ(lines.size(), 3U);
  const auto first = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(first["source"], (Words{"one", "two", "three"}));
  EXPECT_EQ(first["links"], nlohmann::json::parse("[[0,2],[1,1],[2,0]]"));
  ASSERT_GE(first["heads"].size(), 1U);
  const size_t heads = first["heads"][0].size();
  ASSERT_GE(heads, 2U);
  double sum = 0;
  for (const auto& head : first["heads"].back()) sum += head[0][2].get<double>();
  EXPECT_NEAR(first["weights"][0][2].get<double>(), sum / static_cast<double>(heads), 1e-3);
  EXPECT_TRUE(nlohmann::json::parse(lines[1])["source"].empty());
  const auto one =
      nlohmann::json::parse(lines_of(output_of(align({"--format", "json", "--layer", "1", "--head", "2"})))[0]);
  EXPECT_EQ(one["weights"], first["heads"][0][1]);
}

TEST_F(Alignments, ArePicturesByTheirFilesEnding) {
  EXPECT_EQ(output_of(align({"--output", folder.path("map.svg"), "--all-heads"})), "");
  const std::string svg = folder.read("map.svg");
  EXPECT_TRUE(svg.starts_with("<svg xmlns=")) << svg.substr(0, 100);
  EXPECT_NE(svg.find("<title>three – drei: "), std::string::npos);
  EXPECT_NE(svg.find(">layer 1</text>"), std::string::npos);
  EXPECT_EQ(output_of(align({"--output", folder.path("map.html"), "--all-heads"})), "");
  const std::string page = folder.read("map.html");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_NE(page.find("id=\"line3\""), std::string::npos);
  EXPECT_EQ(output_of(align({"--output", folder.path("links.txt")})), "");
  EXPECT_EQ(folder.read("links.txt"), "0-2 1-1 2-0\n\n0-1 1-0\n");
  const std::string blocks = output_of(align({"--format", "blocks"}));
  EXPECT_NE(blocks.find("┌ one\n"), std::string::npos) << blocks;
}

TEST_F(Alignments, ThatAreAskedForWronglyAreNot) {
  const std::string file = folder.path("out");
  expect_error(heed(align({"--output", file, "--layer", "9"})), 2,
               "`layer` is 9, but this model's attention has 1 layer");
  EXPECT_FALSE(std::filesystem::exists(file));
  const std::string blank = folder.file("blank", "\n");
  expect_error(heed(with_model({"align", "--source", blank, "--target", blank, "--layer", "9"})), 2,
               "`layer` is 9, but this model's attention has 1 layer");
  expect_error(heed(align({"--format", "soft", "--threshold", "0.5"})), 2,
               "`--threshold` chooses links, which the format soft does not show");
  expect_error(heed(align({"--output", folder.path("map.png")})), 2,
               "`--output` cannot be a .png file: figures are written as .svg, which a browser or rsvg-convert can "
               "convert");
  for (const char* command : {"align", "score"}) {
    expect_error(heed(with_model({command, "--target", folder.path("target")})), 2,
                 "`source` is missing: the text that was translated");
  }
  expect_error(heed(align({"--all-heads"})), 2, "`--all-heads` goes with `--format` json, svg or html");
  expect_error(heed(align({"--format", "png"})), 2,
               "`--format` must be one of pharaoh, soft, json, blocks, svg, html, but is `png`");
}

TEST_F(Alignments, OfTranslationsAreWrittenBesideThem) {
  const std::string file = folder.path("links");
  const std::string output = output_of(with_model({"translate", "--alignment", file}), "one two three\n\nnine\n");
  EXPECT_EQ(lines_of(output), (Words{"drei zwei eins", "", "neun"}));
  EXPECT_EQ(folder.read("links"), "0-2 1-1 2-0\n\n0-0\n");
  EXPECT_EQ(output_of(with_model({"translate", "--alignment", "-", "--output", folder.path("out")}), "nine\n"),
            "0-0\n");
}

TEST_F(Alignments, OfTranslationsShowLayersAndHeadsAsThoseOfGivenTextsDo) {
  const std::string file = folder.path("links");
  const Words json{"--format", "json", "--all-heads", "--layer", "1"};
  const Words command = with_model({"translate", "--alignment", file, "--alignment-format", "json",
                                    "--alignment-all-heads", "--alignment-layer", "1"});
  EXPECT_EQ(output_of(command, folder.read("source")), folder.read("target"));
  const Words given = lines_of(output_of(align(json))), found = lines_of(folder.read("links"));
  ASSERT_EQ(found.size(), given.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(nlohmann::json::parse(found[i]), nlohmann::json::parse(given[i]));
  }
  const auto refused = [&](const Words& more, const std::string& message) {
    Words wrong = with_model({"translate", "--alignment", folder.path("none")}, more);
    expect_error(heed(wrong, "one\n"), 2, message);
    EXPECT_FALSE(std::filesystem::exists(folder.path("none")));
  };
  refused({"--alignment-layer", "9"}, "`alignment-layer` is 9, but this model's attention has 1 layer");
  refused({"--alignment-all-heads"}, "`--alignment-all-heads` goes with `--alignment-format` json, svg or html");
  refused(
      {"--alignment-head", "1", "--ensemble", "model"},
      "`--ensemble` does not go with `--alignment-layer`, `--alignment-head` and `--alignment-all-heads`: layers and "
      "heads are one model's");
}

TEST_F(Alignments, OfASplitLineCountOn) {
  const std::string file = folder.path("links");
  const Words command =
      with_model({"translate", "--alignment", file, "--alignment-format", "json", "--search.max-source-length", "8"});
  const Result result = heed(command, "one two three four five six seven eight nine ten\n\nten\n");
  EXPECT_EQ(result.code, 0);
  const Words lines = lines_of(folder.read("links"));
  ASSERT_EQ(lines.size(), 3U);
  const auto split = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(split["source"].size(), 10U);
  std::string words;
  for (const std::string word : split["target"]) words += (words.empty() ? "" : " ") + word;
  EXPECT_EQ(words, lines_of(result.output)[0]);
  // No word of one half looks at the other half.
  EXPECT_EQ(split["weights"][0][9], 0);
  EXPECT_EQ(split["weights"].back()[0], 0);
  EXPECT_GT(split["weights"].back()[5].get<double>() + split["weights"].back()[6].get<double>(), 0.5);
}

TEST_F(Alignments, OfAnNBestListAreOneForEachOfItsLines) {
  const std::string file = folder.path("links");
  const std::string output =
      output_of(with_model({"translate", "--alignment", file, "--search.n-best", "3"}), "one two\n\nnine\n");
  EXPECT_EQ(lines_of(folder.read("links")).size(), lines_of(output).size());
}

TEST_F(Alignments, OfTranslationsNeedAFileOfTheirOwn) {
  for (const char* option : {"--alignment", "--output", "--checkpoint", "--language-model"}) {
    expect_error(heed(with_model({"translate", option, ""}), "one\n"), 2,
                 "`" + std::string(option) + "` is empty: give it a value, or leave it out");
  }
  expect_error(heed(with_model({"translate", "--ensemble", ""}), "one\n"), 2,
               "`--ensemble` must name directories of models, but one name is empty");
  expect_error(heed(with_model({"translate", "--alignment", "-"}), "one\n"), 2,
               "`--alignment` must be another file than that of `--output`");
  const std::string text = folder.file("kept", "one\n");
  for (const std::string& taken : {text, folder.path("./kept")}) {
    expect_error(heed(with_model({"translate", "--input", text, "--alignment", taken})), 2,
                 "`--alignment` must be another file than `" + text + "`, which is read");
    expect_error(heed(with_model({"align", "--source", text, "--target", "-", "--output", taken}), "eins\n"), 2,
                 "`--output` must be another file than `" + text + "`, which is read");
  }
  const std::string made = folder.path("new"), also_made = folder.path("./new");
  expect_error(heed(with_model({"translate", "--output", made, "--alignment", also_made})), 2,
               "`--alignment` must be another file than that of `--output`");
  EXPECT_EQ(folder.read("kept"), "one\n");
  expect_error(heed(with_model({"translate", "--alignment-format", "json"}), "one\n"), 2,
               "`--alignment-format` goes with `--alignment FILE`");
  expect_error(heed(with_model({"translate", "--alignment", folder.path("no/such/folder")}), "one\n"), 1,
               folder.path("no/such/folder") + ": cannot write: No such file or directory");
}

}  // namespace
}  // namespace heed::end_to_end
