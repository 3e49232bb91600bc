// The files of a machine with control groups, below a temporary folder.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/temporary_directory.h"

namespace heed::testing {

class ControlGroupFiles : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::string& content) const {
    const std::filesystem::path file = folder.path() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << content;
  }
  /// The groups of this process, and what is mounted: lines ROOT POINT TYPE OPTIONS.
  void process(const std::string& groups, const std::string& root, const std::string& point, const std::string& type,
               const std::string& options = "rw") {
    write("/proc/self/cgroup", groups);
    mounts +=
        "31 23 0:28 " + root + " " + point + " rw,relatime shared:9 - " + type + " " + type + " " + options + "\n";
    write("/proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/vda1 rw\n" + mounts);
  }

  TemporaryDirectory folder;

 private:
  std::string mounts;
};

}  // namespace heed::testing
