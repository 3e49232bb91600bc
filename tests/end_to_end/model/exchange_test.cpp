// Models of other toolkits, there and back.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"

namespace heed::end_to_end {
namespace {

TEST(Exchange, AModelComesBackAndSaysWhatWasLeftOut) {
  const Folder folder;
  const std::string model = std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1";
  const std::string theirs = folder.path("theirs"), back = folder.path("back");
  const Result exported = heed({"export", "--to", "ctranslate2", "--model", model, "--output", theirs});
  ASSERT_EQ(exported.code, 0) << exported.errors;
  folder.file("theirs/vmap.txt", "");
  const Result imported = heed({"import", "--from", "ctranslate2", "--input", theirs, "--model", back});
  ASSERT_EQ(imported.code, 0) << imported.errors;
  EXPECT_TRUE(imported.errors.starts_with("heed: vmap.txt is left out: `heed shortlist` makes heed's own shortlists\n"))
      << imported.errors;
  EXPECT_EQ(heed({"translate", "--model", back, "--threads", "1"}, read_file(model + "/input.txt")).output,
            read_file(model + "/expected.txt"));
}

TEST(Exchange, AFolderWithoutAModelIsNamed) {
  const Folder folder;
  const std::string other = folder.path("other"), model = folder.path("model");
  std::filesystem::create_directory(other);
  expect_error(heed({"import", "--from", "huggingface", "--input", other, "--model", model}), 1,
               other + ": is not a model of huggingface: it has no config.json");
  expect_error(heed({"import", "--from", "ctranslate2", "--input", other, "--model", model}), 1,
               other + ": is not a model of ctranslate2: it has no model.bin");
}

}  // namespace
}  // namespace heed::end_to_end
