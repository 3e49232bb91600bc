// `heed translate --split`: several sentences on a line.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"

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
            "translated in 2 parts\n");
  const std::string first = translate("one two three!\n").output, second = translate("Four five six\n").output;
  EXPECT_EQ(lines_of(result.output)[1], lines_of(first)[0] + " " + lines_of(second)[0]);
}

TEST_F(Split, WhereThereIsNoPlaceTheyAreNot) {
  const Result result = translate("one two three four five\n");
  EXPECT_EQ(result.output, translate("one two three four five\n", {"--split", "none"}).output);
  EXPECT_EQ(result.errors,
            "heed: warning: line 1 has more than 4 tokens, which few lines have that the model was trained on, and no "
            "place to cut it: translated whole\n");
}

TEST_F(Split, OnRequestEverySentenceIsTranslatedByItself) {
  const Result result = translate("one. Two. Three\n", {"--split", "sentences"});
  EXPECT_EQ(result.errors, "");
  const auto alone = [&](const std::string& line) { return lines_of(translate(line + "\n").output)[0]; };
  EXPECT_EQ(result.output, alone("one.") + " " + alone("Two.") + " " + alone("Three") + "\n");
}

TEST_F(Split, OrNotAtAll) {
  const Result result = translate("one two three! Four five six\n", {"--split", "none"});
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.output.find('\n'), result.output.size() - 1);
}

}  // namespace
}  // namespace heed::end_to_end
