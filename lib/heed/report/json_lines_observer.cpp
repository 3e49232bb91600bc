#include "heed/report/json_lines_observer.h"

#include <unistd.h>
#include <cerrno>
#include <cstdint>
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

/// A line with another progress.
std::string line_at(Json json, const Progress& progress) {
  json.erase("update");
  json["step"] = static_cast<int64_t>(progress.steps);
  json["tokens"] = static_cast<int64_t>(progress.tokens);
  json["epochs"] = progress.epochs;
  return json.dump() + "\n";
}

/// The line as it is in the history up to this progress; empty if it is not.
std::string line_until(const std::string& line, const Progress& progress) {
  Json json = parsed(line);
  if (!json.is_object()) return "";
  const auto step = json.contains("step") ? json.find("step") : json.find("update");  // its name in earlier versions
  if (step == json.end() || !step->is_number()) return "";
  if (step->get<double>() <= progress.steps) return line;
  return line.starts_with(R"({"type":"change",)") ? line_at(std::move(json), progress) : "";
}

}  // namespace

std::string history_until(const std::string& history, const Progress& progress) {
  std::string kept;
  for (size_t begin = 0; begin < history.size();) {
    const size_t end = history.find('\n', begin);
    if (end == std::string::npos) break;
    kept += line_until(history.substr(begin, end + 1 - begin), progress);
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
  const bool keeps = resumed_ && std::filesystem::exists(path_);
  const std::string kept = keeps ? history_until(read_regular_file(path_), *resumed_) : "";
  write_file(path_, kept);
  sync_directory(std::filesystem::path(path_).parent_path());
  size_ = kept.size();
}

void JsonLinesObserver::sync() const {
  if (failing_) return;  // already reported
  const RegularFile file(path_);
  if (fsync(file.descriptor()) != 0) throw FileError(path_, "write", errno);
}

void JsonLinesObserver::write() {
  std::error_code ignored;
  if (failing_) std::filesystem::resize_file(path_, *size_, ignored);  // part of a line may have been written
  errno = 0;
  if (!(std::ofstream(path_, std::ios::app) << unwritten_ << std::flush)) throw FileError(path_, "write", errno);
  *size_ += unwritten_.size();
  unwritten_.clear();
}

void JsonLinesObserver::take(const std::string& line) {
  unwritten_ += line;
  try {
    if (!size_) begin();
    write();
    failing_ = false;
  } catch (const FileError&) {
    if (!std::exchange(failing_, true)) throw;
  }
}

void JsonLinesObserver::on_start(const training::StartReport& report) {
  unwritten_.clear();
  size_.reset();
  resumed_ = report.resumed ? std::optional(report.progress) : std::nullopt;
  JsonObserver::on_start(report);
}

void JsonLinesObserver::on_change(const training::OptionChange& change, const Progress& progress) {
  JsonObserver::on_change(change, progress);
  sync();
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
  if (size_ || !unwritten_.empty()) JsonObserver::on_warning(message);
}

}  // namespace heed::report
