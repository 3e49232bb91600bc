// Translated files that wait to be downloaded. They are in memory only, for a limited time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace heed::serve {

class TranslatedFiles {
 public:
  /// most: bytes of all files; beyond it the oldest are removed. kept: how long a file stays.
  TranslatedFiles(int64_t most, std::chrono::steady_clock::duration kept);
  ~TranslatedFiles();
  TranslatedFiles(const TranslatedFiles&) = delete;
  TranslatedFiles& operator=(const TranslatedFiles&) = delete;

  /// Keeps a file; returns the key to it, which nobody can guess, and which ends in the name. None: it is too large.
  std::optional<std::string> add(const std::string& name, std::string bytes);

  struct File {
    std::string name;
    std::string bytes;
  };
  /// Null: the file was removed, or never existed.
  std::shared_ptr<const File> find(const std::string& key) const;
  int64_t bytes() const;

 private:
  struct Kept {
    std::string key;
    std::shared_ptr<const File> file;
    std::chrono::steady_clock::time_point until;
  };
  void remove_oldest();
  void watch();

  const int64_t most_;
  const std::chrono::steady_clock::duration kept_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Kept> files_;  // oldest first
  int64_t bytes_ = 0;
  bool ends_ = false;
  std::thread watch_;
};

}  // namespace heed::serve
