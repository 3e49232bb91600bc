#include "fuzz/target.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <typeinfo>

#include "heed/core/error.h"
#include "heed/core/text/printable.h"

namespace heed::fuzz {
namespace {

/// The folder of this process, which is removed when it ends normally.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("heed-fuzz-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

const Target& target_named(std::string_view name) {
  const auto found = std::ranges::find(all_targets(), name, &Target::name);
  if (found != all_targets().end()) return *found;
  std::fprintf(stderr, "there is no target `%s`; the targets are:", std::string(name).c_str());
  for (const Target& target : all_targets()) std::fprintf(stderr, " %s", std::string(target.name).c_str());
  std::fprintf(stderr, "\n");
  std::exit(2);
}

void run(const Target& target, std::string_view input) {
  try {
    attempt([&] { target.read(input); });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: throws %s: %s\n", std::string(target.name).c_str(), typeid(error).name(), error.what());
    std::abort();
  }
}

void require(bool holds) {
  if (!holds) std::abort();
}

void attempt(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    const std::string shown = printable_message(error.what());
    require(!shown.empty() && shown.find('\n') == std::string::npos);
  }
}

std::string as_file(std::string_view input, const std::string& name) {
  static const Folder folder;
  const std::filesystem::path path = folder.path() / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary).write(input.data(), static_cast<std::streamsize>(input.size()));
  return path.string();
}

}  // namespace heed::fuzz
