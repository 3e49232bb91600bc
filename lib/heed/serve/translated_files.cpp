#include "heed/serve/translated_files.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <random>
#include <utility>

#include <fmt/format.h>

namespace heed::serve {
namespace {

using Clock = std::chrono::steady_clock;

/// 128 bits of the system's random numbers.
std::string random_key() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

}  // namespace

TranslatedFiles::TranslatedFiles(int64_t most, Clock::duration kept)
    : most_(most), kept_(kept), watch_([this] { watch(); }) {}

TranslatedFiles::~TranslatedFiles() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    changed_.notify_all();
  }
  watch_.join();
}

std::optional<std::string> TranslatedFiles::add(const std::string& name, std::string bytes) {
  const auto size = std::ssize(bytes);
  if (size > most_) return std::nullopt;
  std::string key = random_key() + "." + name;
  auto file = std::make_shared<const File>(File{.name = name, .bytes = std::move(bytes)});
  const std::lock_guard lock(mutex_);
  while (bytes_ + size > most_) remove_oldest();
  files_.push_back({.key = key, .file = std::move(file), .until = Clock::now() + kept_});
  bytes_ += size;
  changed_.notify_all();
  return key;
}

std::shared_ptr<const TranslatedFiles::File> TranslatedFiles::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(files_, key, &Kept::key);
  return found == files_.end() ? nullptr : found->file;
}

int64_t TranslatedFiles::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

/// The caller holds the mutex.
void TranslatedFiles::remove_oldest() {
  bytes_ -= std::ssize(files_.front().file->bytes);
  files_.pop_front();
}

/// Removes each file when its time is over.
void TranslatedFiles::watch() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    while (!files_.empty() && files_.front().until <= Clock::now()) remove_oldest();
    files_.empty() ? changed_.wait(lock) : static_cast<void>(changed_.wait_until(lock, files_.front().until));
  }
}

}  // namespace heed::serve
