// What the tests of imports share.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "heed_torch/interchange/interchange.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::interchange {

/// Imports of small files of one toolkit, which tests change. Files: MarianFiles or CTranslate2Files.
template <class Files, Format format>
class Imports : public ::testing::Test {
 protected:
  static ImportOptions options_of(const Files& files) {
    return {.from = format, .input = files.directory, .model = files.directory + "-heed"};
  }
  /// What of the files the model cannot keep.
  static std::vector<std::string> import(const Files& files) { return import_model(options_of(files)); }
  static checkpoint::NamedTensors imported(const Files& files) {
    files.write();
    import(files);
    return checkpoint::read_tensors(files.directory + "-heed/model.safetensors").tensors;
  }
  /// What the import says, in one line, after a change of the files. Nothing may be left behind.
  static std::string refused(
      const std::function<void(Files&)>& change,
      const std::function<void(const std::string&)>& damage = [](const std::string&) {}) {
    const testing::TemporaryDirectory apart;
    Files changed(apart.file("m"));
    change(changed);
    changed.write();
    damage(changed.directory);
    std::string message = testing::message_of<CheckpointError>([&] { import(changed); });
    EXPECT_FALSE(std::filesystem::exists(changed.directory + "-heed")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    const size_t place = message.find(changed.directory + "/");
    return place == 0 ? message.substr(changed.directory.size() + 1) : message;
  }

  testing::TemporaryDirectory folder;
  Files files{folder.file("m")};
};

}  // namespace heed::interchange
