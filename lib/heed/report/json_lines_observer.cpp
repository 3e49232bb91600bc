#include "heed/report/json_lines_observer.h"

#include <unistd.h>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/text/json_nesting.h"

namespace heed::report {

using Json = nlohmann::ordered_json;

namespace {

/// Null if the line is not JSON, or is nested deeper than anything heed writes.
Json parsed(std::string_view line) {
  if (is_nested_deeper(line)) return {};
  return Json::parse(line, nullptr, /*allow_exceptions=*/false);
}

bool belongs(std::string_view line, double steps) {
  const Json json = parsed(line);
  if (!json.is_object()) return false;
  const auto step = json.contains("step") ? json.find("step") : json.find("update");  // its name in earlier versions
  return step != json.end() && step->is_number() && step->get<double>() <= steps;
}

}  // namespace

std::string history_until(const std::string& history, double steps) {
  std::string kept;
  for (size_t begin = 0; begin < history.size();) {
    const size_t end = history.find('\n', begin);
    if (end == std::string::npos) break;
    const std::string line = history.substr(begin, end + 1 - begin);
    if (belongs(line, steps)) kept += line;
    begin = end + 1;
  }
  return kept;
}

std::optional<std::string> folder_of_start(const std::string& history) {
  std::optional<std::string> folder;
  std::istringstream lines(history);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(R"({"type":"start",)")) continue;
    const Json json = parsed(line);
    if (json.is_object() && json.contains("folder") && json["folder"].is_string()) folder = json["folder"];
  }
  return folder;
}

void JsonLinesObserver::begin() {
  const std::string kept = std::filesystem::exists(path_) ? history_until(read_regular_file(path_), kept_steps_) : "";
  write_file(path_, kept);
  sync_directory(std::filesystem::path(path_).parent_path());
  size_ = kept.size();
}

void JsonLinesObserver::sync() const {
  if (failing_) return;  // already reported
  const RegularFile file(path_);
  if (fsync(file.descriptor()) != 0) throw FileError(path_, "write", errno);
}

void JsonLinesObserver::write(const std::string& line) {
  std::error_code ignored;
  if (failing_) std::filesystem::resize_file(path_, *size_, ignored);  // part of a line may have been written
  errno = 0;
  if (!(std::ofstream(path_, std::ios::app) << line << std::flush)) throw FileError(path_, "write", errno);
  *size_ += line.size();
}

void JsonLinesObserver::take(const std::string& line) {
  try {
    if (!size_) begin();
    write(line);
    failing_ = false;
  } catch (const FileError&) {
    if (!std::exchange(failing_, true)) throw;
  }
}

void JsonLinesObserver::on_start(const training::StartReport& report) {
  size_.reset();
  kept_steps_ = report.resumed ? report.progress.steps : -1;
  JsonObserver::on_start(report);
}

void JsonLinesObserver::before_checkpoint(const std::string& path, const Progress& progress) {
  JsonObserver::on_checkpoint(path, progress);
  sync();
}

void JsonLinesObserver::on_finish(const training::FinalReport& report) {
  JsonObserver::on_finish(report);
  sync();
}

void JsonLinesObserver::on_stop(const std::string& reason, const Progress& progress) {
  JsonObserver::on_stop(reason, progress);
  sync();
}

void JsonLinesObserver::on_warning(const std::string& message) {
  if (size_) JsonObserver::on_warning(message);
}

}  // namespace heed::report
