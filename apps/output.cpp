#include "output.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "heed/core/error.h"
#include "program.h"

namespace heed::apps {

Output::Output(const std::string& path) : path_(path) {
  if (path == "-") return;
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) {
    file_ = std::make_unique<AtomicFile>(path);
    return;
  }
  stream_ = std::fopen(path.c_str(), "wb");
  if (stream_ == nullptr) throw FileError(path, "open", errno);
}

Output::~Output() {
  if (stream_ != nullptr) std::fclose(stream_);
}

void Output::write(std::string_view text) {
  if (file_) return file_->write(text);
  if (stream_ == nullptr) return print(text);
  if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) throw FileError(path_, "write", errno);
}

void Output::finish() {
  if (file_) file_->commit();
  if (stream_ != nullptr && std::fflush(stream_) != 0) throw FileError(path_, "write", errno);
}

}  // namespace heed::apps
