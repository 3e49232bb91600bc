#include "heed/model_directory/manifest.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <string>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/model_directory/settle.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::checkpoint {
namespace {

using testing::message_of;

struct ManifestOf : ::testing::Test {
  std::string complaint(const std::string& json) const {
    write_file(directory.file("manifest.json"), json);
    return message_of<CheckpointError>([this] { read_manifest(directory.path()); });
  }
  testing::TemporaryDirectory directory;
};

TEST_F(ManifestOf, ReadsWhatWasWritten) {
  write_file(directory.file("a"), "content");
  Manifest manifest;
  manifest.files["a"] = record_of(directory.file("a"));
  manifest.pending["b"] = {.size = 1, .sha256 = "00"};
  manifest.seed = ~uint64_t{0};
  manifest.corpus = {{"text", "abc"}};
  manifest.folder = "/a folder";
  manifest.origin.chosen = "averaged";
  manifest.origin.steps = {1, 2};
  manifest.origin.scores.by_name = {{"bleu", 0.1}};
  manifest.comparable_score = -3.5;
  manifest.scheduled = false;
  write_manifest(directory.path(), manifest);
  EXPECT_EQ(read_manifest(directory.path()), manifest);
  EXPECT_EQ(manifest.files["a"].size, 7);
  EXPECT_EQ(manifest.files["a"].sha256, "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73");
}

TEST_F(ManifestOf, AFinishedModelIsWhole) {
  const auto problem = [&] { return message_of<CheckpointError>([&] { verify_finished_model(directory.path()); }); };
  write_file(directory.file("a"), "content");
  Manifest manifest;
  manifest.files["a"] = record_of(directory.file("a"));
  write_manifest(directory.path(), manifest);
  EXPECT_EQ(problem(), directory.path() + ": has no finished model");
  manifest.origin.chosen = "best";
  write_manifest(directory.path(), manifest);
  EXPECT_EQ(problem(), "nothing was thrown");
  write_file(directory.file("a"), "contend");
  EXPECT_EQ(problem(), directory.file("a") + ": is damaged: its checksum is not the manifest's");
}

TEST_F(ManifestOf, KeepsFiniteScoresOnly) {
  Manifest manifest;
  manifest.origin.chosen = "last";
  manifest.origin.scores.by_name = {{"loss", std::numeric_limits<double>::quiet_NaN()}, {"bleu", 3}};
  manifest.comparable_score = -std::numeric_limits<double>::infinity();
  write_manifest(directory.path(), manifest);
  EXPECT_EQ(read_manifest(directory.path()).origin.scores.by_name, (std::map<std::string, double>{{"bleu", 3}}));
  EXPECT_FALSE(read_manifest(directory.path()).comparable_score);
}

TEST_F(ManifestOf, ANewerFormatIsRefused) {
  const std::string path = directory.file("manifest.json");
  EXPECT_EQ(complaint(R"({"format": 2, "files": {}})"),
            path + ": has format version 2, this program reads versions up to 1: use a newer heed");
  EXPECT_EQ(complaint(R"({"format": 1, "files": {}})"), "nothing was thrown");
  EXPECT_EQ(complaint(R"({"format": 0, "files": {}})"), path + ": has format version 0, which does not exist");
  for (const char* garbage :
       {"", "{", "[]", "7", R"({"format": "x"})", R"({"format": 1, "files": {"a": {"size": 1}}})"}) {
    EXPECT_EQ(complaint(garbage), path + ": is damaged: it is not the manifest of a model") << garbage;
  }
}

TEST_F(ManifestOf, ListsOnlyFilesOfItsDirectory) {
  const std::string path = directory.file("manifest.json");
  for (const std::string name : {"source./../../victim", "/etc/passwd", "a/b", "..", ".", ""}) {
    for (const char* list : {"files", "pending"}) {
      const std::string json = R"({"format": 1, "files": {}, ")" + std::string(list) + R"(": {")" + name +
                               R"(": {"size": 9, "sha256": "x"}}})";
      EXPECT_EQ(complaint(json), path + ": lists `" + name + "`, which is not the name of a file in its directory");
    }
  }
  EXPECT_NE(complaint(R"({"format": 1, "files": {"a\u0000b": {"size": 9, "sha256": "x"}}})"), "nothing was thrown");
  EXPECT_EQ(complaint(R"({"format": 1, "files": {"..a": {"size": 9, "sha256": "x"}}})"), "nothing was thrown");
}

TEST_F(ManifestOf, IsARegularFileOfBoundedSizeAndDepth) {
  const std::string path = directory.file("manifest.json");
  EXPECT_EQ(complaint(std::string(1'000'000, '[')), path + ": is damaged: it is nested deeper than 64 levels");
  EXPECT_EQ(complaint(std::string(1'000'000, '[') + std::string(1'000'000, ']')),
            path + ": is damaged: it is nested deeper than 64 levels");
  EXPECT_EQ(complaint(R"({"format": 1, "files": {}, "pending": )" + std::string(1'000'000, '[') +
                      std::string(1'000'000, ']') + "}"),
            path + ": is damaged: it is nested deeper than 64 levels");
  std::filesystem::resize_file(path, uint64_t{1} << 40);
  EXPECT_EQ(message_of<InputError>([&] { read_manifest(directory.path()); }),
            path + ": expected a file of at most 67108864 bytes, found 1099511627776");
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/dev/zero", path);
  EXPECT_EQ(message_of<InputError>([&] { read_manifest(directory.path()); }),
            path + ": expected a regular file, found a device");
}

TEST_F(ManifestOf, IsAsBeforeWhereAFileCannotTakeItsPlace) {
  Manifest manifest;
  write_manifest(directory.path(), manifest);
  std::filesystem::create_directories(directory.file("a"));
  write_file(directory.file("a.new"), "content");
  EXPECT_EQ(message_of<FileError>([&] { replace_file(directory.path(), manifest, "a", directory.file("a.new")); }),
            directory.file("a") + ": cannot write: Is a directory");
  EXPECT_EQ(read_manifest(directory.path()), Manifest());
  EXPECT_FALSE(std::filesystem::exists(directory.file("a.new")));
}

TEST_F(ManifestOf, ListsWhatTookItsPlaceBeforeAFailure) {
  write_file(directory.file("a"), "content");
  Manifest manifest;
  manifest.pending["a"] = record_of(directory.file("a"));
  manifest.pending["b"] = {.size = 1, .sha256 = "00"};
  settle(directory.path(), manifest);
  EXPECT_EQ(manifest.files, (std::map<std::string, FileRecord>{{"a", record_of(directory.file("a"))}}));
  EXPECT_TRUE(manifest.pending.empty());
  EXPECT_EQ(read_manifest(directory.path()), manifest);
}

TEST_F(ManifestOf, FindsMissingAndChangedFiles) {
  EXPECT_EQ(message_of<CheckpointError>([this] { read_manifest(directory.path()); }),
            directory.path() + ": is not a model directory: it has no manifest.json");
  const std::string path = directory.file("a");
  const auto problem = [&](const Manifest& manifest, Verify verify) {
    return message_of<CheckpointError>([&] { verify_files(directory.path(), manifest, verify); });
  };
  write_file(path, "content");
  Manifest manifest;
  manifest.files["a"] = record_of(path);
  EXPECT_EQ(problem(manifest, Verify::Checksums), "nothing was thrown");
  write_file(path, "confent");
  EXPECT_EQ(problem(manifest, Verify::Sizes), "nothing was thrown");
  EXPECT_EQ(problem(manifest, Verify::Checksums), path + ": is damaged: its checksum is not the manifest's");
  manifest.pending["a"] = record_of(path);
  EXPECT_EQ(problem(manifest, Verify::Checksums), "nothing was thrown") << "the file is being replaced";
  write_file(path, "");
  EXPECT_EQ(problem(manifest, Verify::Sizes), path + ": has 0 bytes, the manifest says 7");
}

}  // namespace
}  // namespace heed::checkpoint
