#include "heed/report/json_lines_observer.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"

namespace heed::report {

using Json = nlohmann::ordered_json;

namespace {

bool belongs(std::string_view line, double updates) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  return json.is_object() && json.contains("update") && json["update"].is_number() &&
         json["update"].get<double>() <= updates;
}

}  // namespace

std::string history_until(const std::string& history, double updates) {
  std::string kept;
  for (size_t begin = 0; begin < history.size();) {
    const size_t end = history.find('\n', begin);
    if (end == std::string::npos) break;
    const std::string line = history.substr(begin, end + 1 - begin);
    if (belongs(line, updates)) kept += line;
    begin = end + 1;
  }
  return kept;
}

void JsonLinesObserver::begin() {
  const std::string kept = std::filesystem::exists(path_) ? history_until(read_file(path_), kept_updates_) : "";
  write_file(path_, kept);
  size_ = kept.size();
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
  kept_updates_ = report.resumed ? report.progress.updates : -1;
  JsonObserver::on_start(report);
}

void JsonLinesObserver::on_warning(const std::string& message) {
  if (size_) JsonObserver::on_warning(message);
}

}  // namespace heed::report
