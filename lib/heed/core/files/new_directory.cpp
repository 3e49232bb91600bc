#include "heed/core/files/new_directory.h"

#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/temporary_name.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

/// The absolute path of the directory without links, whether or not it exists.
std::string final_name(const std::string& path) {
  const fs::path name = fs::weakly_canonical(fs::absolute(resolve_links(path)));
  return name.has_filename() ? name : name.parent_path();  // parent_path() removes the slash of "directory/"
}

/// Removes those files from `directory` that are also in the hidden directory (same inode).
void take_back(const std::string& hidden, const std::string& directory) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(hidden, ignored)) {
    const fs::path put = fs::path(directory) / entry.path().filename();
    if (fs::equivalent(entry.path(), put, ignored)) fs::remove(put, ignored);
  }
}

/// Whether everything in `directory` is also in the hidden directory.
bool holds_only(const std::string& hidden, const std::string& directory) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    const fs::path made = fs::path(hidden) / entry.path().filename();
    if (entry.path() != fs::path(hidden) && !fs::equivalent(made, entry.path(), ignored)) return false;
  }
  return true;
}

/// The error of a file in the hidden directory, with the path that the file would have had.
class HiddenFileError : public FileError {
 public:
  explicit HiddenFileError(std::string message) : FileError("", "write", 0), message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

NewDirectory::NewDirectory(std::string option, std::string path)
    : option_(std::move(option)), path_(std::move(path)), final_(final_name(path_)), exists_(fs::is_directory(final_)) {
  const std::string made = exists_ ? final_ + "/new" : final_;
  const auto before_removal = [this](const std::string& left) {
    if (exists_ && holds_only(left, final_)) take_back(left, final_);
  };
  if (!remove_abandoned_of(made, before_removal)) throw FileError(path_, "make", errno);
  require_empty();
  parents_.emplace(fs::path(final_).parent_path(), path_);
  std::string name;
  lock_ = create_temporary_directory(made, name);
  if (lock_ < 0) throw FileError(path_, "make", errno);
  hidden_ = name;
}

NewDirectory::~NewDirectory() {
  std::error_code ignored;
  if (!hidden_.empty()) fs::remove_all(hidden_, ignored);
  if (lock_ >= 0) close(lock_);
}

void NewDirectory::require_empty() const {
  bool holds_something = fs::exists(final_) && !fs::is_directory(final_);
  if (exists_) {
    for (const auto& entry : fs::directory_iterator(final_)) holds_something |= entry.path() != fs::path(hidden_);
  }
  if (!holds_something) return;
  throw ConfigError(option_, "must be a new or an empty directory, but " + path_ + " holds something already");
}

void NewDirectory::fill(const std::function<void(const std::string& directory)>& write) {
  try {
    write(hidden_);
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find(hidden_) == std::string::npos) throw;
    throw HiddenFileError(replaced(message, hidden_, path_));
  }
  sync_directory(hidden_);
  exists_ ? put_inside() : put_beside();
}

void NewDirectory::put_beside() {
  const std::string parent = fs::path(final_).parent_path();
  if (std::rename(hidden_.c_str(), final_.c_str()) != 0) throw FileError(path_, "make", errno);
  try {
    sync_directory(parent);
  } catch (...) {
    std::rename(final_.c_str(), hidden_.c_str());
    throw;
  }
  hidden_.clear();
}

/// Moves the files up as hard links, which are removed again if something fails. Renames files if the file system has
/// no hard links.
void NewDirectory::put_inside() const {
  require_empty();
  try {
    const std::vector<fs::path> made(fs::directory_iterator(hidden_), {});
    for (const fs::path& file : made) {
      const fs::path put = fs::path(final_) / file.filename();
      if (link(file.c_str(), put.c_str()) == 0) continue;
      if (errno == EEXIST || std::rename(file.c_str(), put.c_str()) != 0) throw FileError(path_, "write", errno);
    }
    sync_directory(final_);
  } catch (...) {
    take_back(hidden_, final_);
    throw;
  }
  std::error_code ignored;
  fs::remove_all(hidden_, ignored);
}

}  // namespace heed
