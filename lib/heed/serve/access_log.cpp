#include "heed/serve/access_log.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "heed/core/error.h"
#include "heed/core/log.h"

namespace heed::serve {
namespace {

int open_log(const std::string& path) {
  return path == "-" ? dup(STDOUT_FILENO) : open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
}

/// A line that cannot be written is lost; the server continues.
void write_all(int descriptor, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    done += static_cast<size_t>(count);
  }
}

}  // namespace

AccessLog::AccessLog(const std::string& path) : path_(path) {
  if (path_ == "none") return;
  descriptor_ = open_log(path_);
  if (descriptor_ < 0) throw FileError(path_, "write", errno);
  thread_ = std::thread([this] { write(); });
}

AccessLog::~AccessLog() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
  if (descriptor_ >= 0) close(descriptor_);
}

void AccessLog::add(const std::string& line) {
  if (path_ == "none") return;
  const std::lock_guard lock(mutex_);
  if (waiting_.size() + line.size() >= kMostWaiting) {
    ++left_out_;
    return;
  }
  waiting_ += line;
  waiting_ += '\n';
  changed_.notify_all();
}

uint64_t AccessLog::left_out() const {
  const std::lock_guard lock(mutex_);
  return left_out_;
}

void AccessLog::reopen() {
  if (path_ == "none" || path_ == "-") return;
  const std::lock_guard lock(mutex_);
  reopen_ = true;
  changed_.notify_all();
}

void AccessLog::write() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || reopen_ || !waiting_.empty(); });
    const std::string text = std::exchange(waiting_, {});
    const bool reopens = std::exchange(reopen_, false), stops = stopping_;
    lock.unlock();
    write_all(descriptor_, text);
    if (reopens) {
      if (const int opened = open_log(path_); opened >= 0) {
        close(std::exchange(descriptor_, opened));
      } else {
        log_warning(FileError(path_, "write", errno).what());
      }
    }
    if (stops && text.empty()) return;
    lock.lock();
    if (stopping_ && waiting_.empty()) return;
  }
}

}  // namespace heed::serve
