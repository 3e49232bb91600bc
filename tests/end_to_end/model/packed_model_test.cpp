// `heed pack`: a model in one file.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"

namespace heed::end_to_end {
namespace {

namespace fs = std::filesystem;

std::string stored(const std::string& file) {
  return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1" + file;
}

class PackedModel : public ::testing::Test {
 protected:
  PackedModel() : made(heed({"pack", "--model", stored(""), "--output", file})) {}
  std::string translated(const std::string& model, const Words& more = {}) const {
    const Result result = heed(Words{"translate", "--model", model} + more, read_file(stored("/input.txt")));
    EXPECT_EQ(result.code, 0) << result.errors;
    return result.output;
  }

  Folder folder;
  const std::string file = folder.path("en-de.heed");
  Result made;
};

TEST_F(PackedModel, TranslatesAsTheDirectoryAndUnpacksNothing) {
  EXPECT_EQ(made.code, 0) << made.errors;
  EXPECT_EQ(made.output, "");
  EXPECT_NE(made.errors.find("heed: 5 files, "), std::string::npos) << made.errors;
  EXPECT_EQ(translated(file), read_file(stored("/expected.txt")));
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(file).parent_path()), {}), 1);
  fs::create_symlink(file, folder.path("link"));
  EXPECT_EQ(translated(folder.path("link")), read_file(stored("/expected.txt")));
}

TEST_F(PackedModel, IsTakenByCommandsWithLibTorch) {
  EXPECT_EQ(translated(file, {"--checkpoint", "best", "--threads", "1"}), translated(stored(""), {"--threads", "1"}));
  const std::string source = folder.file("s", "seven one\n"), target = folder.file("t", "eins sieben\n");
  const Words score{"score", "--source", source, "--target", target, "--threads", "1", "--model"};
  EXPECT_EQ(heed(score + Words{file}).output, heed(score + Words{stored("")}).output);
  const Result tuned =
      heed({"train", "--from", file, "--source", source, "--target", target, "--model", folder.path("m"), "--threads",
            "1", "--train.max-steps", "1", "--valid-source", source, "--valid-target", target});
  EXPECT_EQ(tuned.code, 0) << tuned.errors;
  EXPECT_EQ(heed({"export", "--to", "ctranslate2", "--model", file, "--output", folder.path("ct2")}).output,
            heed({"export", "--to", "ctranslate2", "--model", stored(""), "--output", folder.path("other")}).output);
}

TEST_F(PackedModel, LeavesOutWhatOnlyATrainingNeeds) {
  const std::string copy = folder.path("copy");
  fs::copy(stored(""), copy, fs::copy_options::recursive);
  write_file(copy + "/metrics.jsonl", "{}\n");
  EXPECT_EQ(heed({"pack", "--model", copy, "--output", folder.path("other")}).code, 0);
  EXPECT_EQ(folder.read("other"), folder.read("en-de.heed"));
  EXPECT_EQ(heed({"pack", "--model", file, "--output", folder.path("again")}).code, 0);
  EXPECT_EQ(folder.read("again"), folder.read("en-de.heed"));
}

TEST_F(PackedModel, DamageHasOneClearLine) {
  std::string content = folder.read("en-de.heed");
  const auto error = [&](const std::string& message) {
    expect_error(heed({"translate", "--model", file}), 1, file + message);
  };
  folder.file("en-de.heed", content.substr(0, content.size() / 2));
  error(": is damaged: the list of its files is missing or wrong; was it copied completely?");
  std::string changed = content;
  const size_t at = content.size() / 2;  // most of it is the parameters
  changed[at] = static_cast<char>(changed[at] ^ 1);
  folder.file("en-de.heed", changed);
  error("/model.safetensors: is damaged: its checksum is not the manifest's");
  folder.file("en-de.heed", "not a model\n");
  error(": is neither a directory nor a file that `heed pack` made");
}

TEST_F(PackedModel, IsNotMadeOfDamagedOrUnfinishedModels) {
  const std::string copy = folder.path("copy");
  fs::copy(stored(""), copy, fs::copy_options::recursive);
  write_file(copy + "/target.words", read_file(copy + "/target.words") + "more\n");
  expect_error(heed({"pack", "--model", copy, "--output", folder.path("other")}), 1,
               copy + "/target.words: is damaged: its checksum is not the manifest's");
  EXPECT_FALSE(fs::exists(folder.path("other")));
  expect_error(heed({"pack", "--model", folder.path("none"), "--output", folder.path("other")}), 1,
               folder.path("none") + ": is not a model directory: it does not exist");
  expect_error(heed({"pack", "--model", copy}), 2, "`--output` is missing: name the file for the model");
  expect_error(heed({"pack", "--output", "x"}), 2, "`--model` is missing: name the directory that `heed train` made");
}

}  // namespace
}  // namespace heed::end_to_end
