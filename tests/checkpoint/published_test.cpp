#include "heed/model_directory/published.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/model_directory/manifest.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::checkpoint {
namespace {

namespace fs = std::filesystem;
using testing::message_of;

struct Published : ::testing::Test {
  Published() { publish("first"); }

  /// As a training does.
  void publish(const std::string& content) {
    write_file(directory.file("model.safetensors.new"), content);
    replace_file(directory.path(), manifest, kPublishedModel, directory.file("model.safetensors.new"));
  }
  /// What a reader finds before whose `at`-th look at the files a training publishes.
  std::string read_while_publishing(int at) {
    int looks = 0;
    const auto look = [&] {
      if (++looks == at) publish("second");
    };
    return read_consistently(directory.path(), [&] {
      look();
      const Manifest read = read_manifest(directory.path());
      look();
      verify_files(directory.path(), read, Verify::Checksums);
      look();
      return read_file(directory.file(kPublishedModel));
    });
  }

  testing::TemporaryDirectory directory;
  Manifest manifest;
};

TEST_F(Published, AReaderGetsTheOldOrTheNewWheneverATrainingPublishes) {
  for (int at = 1; at <= 3; ++at) {
    publish("first");
    EXPECT_EQ(read_while_publishing(at), "second") << at;
  }
  publish("first");
  EXPECT_EQ(read_while_publishing(9), "first");
}

TEST_F(Published, DamageIsSaidAtOnce) {
  write_file(directory.file(kPublishedModel), "fierst");
  int reads = 0;
  EXPECT_EQ(message_of<CheckpointError>([&] {
              read_consistently(directory.path(), [&] {
                ++reads;
                verify_files(directory.path(), read_manifest(directory.path()), Verify::Checksums);
              });
            }),
            directory.file(kPublishedModel) + ": has 6 bytes, the manifest says 5");
  EXPECT_EQ(reads, 1);
}

TEST_F(Published, ReadingEndsHoweverOftenATrainingPublishes) {
  int reads = 0;
  EXPECT_EQ(message_of<Error>([&] {
              read_consistently(directory.path(), [&] {
                publish(std::to_string(++reads));
                throw Error("lost");
              });
            }),
            "lost");
  EXPECT_EQ(reads, 50);
}

TEST_F(Published, CheckpointsCountToo) {
  const std::string before = publication(directory.path());
  fs::create_directories(directory.file("checkpoints/0000001"));
  const std::string one = publication(directory.path());
  EXPECT_NE(one, before);
  EXPECT_EQ(publication(directory.path()), one);
  fs::create_directory(directory.file("another"));
  fs::rename(directory.file("another"), directory.file("checkpoints/0000001"));
  EXPECT_NE(publication(directory.path()), one) << "replaced by one of the same update";
}

}  // namespace
}  // namespace heed::checkpoint
