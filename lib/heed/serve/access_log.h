// The access log: a line per request, written by a thread of its own, so that a slow disk or pipe stops no request.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace heed::serve {

class AccessLog {
 public:
  /// path: a file that lines are appended to; "-": standard output; "none": no log. Throws FileError.
  explicit AccessLog(const std::string& path);
  /// Writes what was added.
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  /// Adds a line, without its end. Lines beyond kMostWaiting bytes that are not written yet are left out.
  void add(const std::string& line);
  /// The number of lines that were left out.
  uint64_t left_out() const;
  /// Opens the file again, for programs that rotate logs. A file that cannot be opened keeps the old one, with a
  /// warning.
  void reopen();

  static constexpr size_t kMostWaiting = 1 << 20;

 private:
  void write();

  std::string path_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string waiting_;
  uint64_t left_out_ = 0;
  bool reopen_ = false;
  bool stopping_ = false;
  int descriptor_ = -1;
  std::thread thread_;
};

}  // namespace heed::serve
