#include "heed/report/tensorboard_observer.h"

#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/text/json_nesting.h"
#include "heed/report/event_file.h"

namespace heed::report {
namespace {

namespace fs = std::filesystem;

constexpr std::array kTrainScalars{
    "loss", "objective", "learning_rate", "gradient_norm", "source_tokens_per_second", "target_tokens_per_second"};

/// Seconds since 1970 of "2026-03-04T05:06:07+01:00"; 0 if it is not such a time.
double seconds_of(const std::string& iso) {
  std::tm time{};
  char sign = '+', colon = ':';
  int hours = 0, minutes = 0;
  std::istringstream text(iso);
  if (!(text >> std::get_time(&time, "%Y-%m-%dT%H:%M:%S") >> sign >> hours >> colon >> minutes)) return 0;
  const int offset = (sign == '-' ? -1 : 1) * (3600 * hours + 60 * minutes);
  return static_cast<double>(timegm(&time) - offset);
}

std::string text_of(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The record of a line of metrics.jsonl; empty if it has no scalars.
std::string record_of(std::string_view line) {
  if (is_nested_deeper(line)) return "";
  const nlohmann::json json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return "";
  std::vector<std::pair<std::string, double>> scalars;
  const auto add = [&](const char* group, const std::string& name, const nlohmann::json& value) {
    if (value.is_number()) scalars.emplace_back(fmt::format("{}/{}", group, name), value.get<double>());
  };
  const std::string type = text_of(json, "type");
  if (type == "train") {
    for (const char* name : kTrainScalars) {
      if (json.contains(name)) add("train", name, json[name]);
    }
  } else if (type == "validation" && json.contains("scores") && json["scores"].is_object()) {
    for (const auto& [name, score] : json["scores"].items()) add("valid", name, score);
  }
  const auto step = json.contains("step") ? json.find("step") : json.find("update");  // its name in earlier versions
  if (scalars.empty() || step == json.end() || !step->is_number_integer()) return "";
  return scalar_event(seconds_of(text_of(json, "time")), step->get<int64_t>(), scalars);
}

}  // namespace

void TensorBoardObserver::on_start(const training::StartReport&) {
  size_.reset();
  failing_ = false;
  begin();
}

/// Writes the history so far, then removes the file of an earlier start.
void TensorBoardObserver::begin() {
  std::error_code refused;
  fs::create_directories(directory_, refused);
  if (refused) throw FileError(directory_, "make", refused.value());
  const auto now = static_cast<double>(clock_());
  std::string content = first_event(now) + restart_event(now, 0);
  std::istringstream lines(fs::exists(history_) ? read_regular_file(history_) : "");
  for (std::string line; std::getline(lines, line);) content += record_of(line);
  const std::string ending = fmt::format(".heed.{}", name_);
  path_ = fmt::format("{}/events.out.tfevents.{:010}{}", directory_, clock_(), ending);
  write_file(path_, content);
  size_ = content.size();
  for (const auto& entry : fs::directory_iterator(directory_)) {
    const std::string name = entry.path().filename();
    const bool is_earlier = name.starts_with("events.out.tfevents.") && name.ends_with(ending);
    if (is_earlier && entry.path() != path_) fs::remove(entry.path(), refused);
  }
}

void TensorBoardObserver::take(const std::string& line) {
  const std::string record = record_of(line);
  if (record.empty()) return;
  try {
    if (!size_) return begin();  // the history has this event, too
    std::error_code ignored;
    if (failing_) fs::resize_file(path_, *size_, ignored);  // part of a record may have been written
    errno = 0;
    if (!(std::ofstream(path_, std::ios::app | std::ios::binary) << record << std::flush)) {
      throw FileError(path_, "write", errno);
    }
    *size_ += record.size();
    failing_ = false;
  } catch (const FileError&) {
    if (!std::exchange(failing_, true)) throw;
  }
}

}  // namespace heed::report
