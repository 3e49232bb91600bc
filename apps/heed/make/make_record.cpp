#include "make/make_record.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/checksum.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/log.h"

namespace heed::apps::make {
namespace {

namespace fs = std::filesystem;

constexpr int kFormat = 1;

std::string folder_of(const std::string& directory) { return directory + "/make"; }

constexpr const char* kHours = "hours";

/// "`--hours` (was 1, is 2)"; empty: no difference that matters.
std::string difference(const Json& made, const Json& now) {
  const Json& before = made["request"];
  for (const auto& [name, value] : now.items()) {
    if (before.contains(name) && before[name] == value) continue;
    if (name == kHours && !made["decisions"].contains(kHours)) continue;
    if (name == "text") return "the text (its content has changed)";
    if (name == "config") return "the files of `--config`";
    const auto shown = [](const Json& json) { return json.is_string() ? json.get<std::string>() : json.dump(); };
    return fmt::format("`--{}` (was {}, is {})", name, before.contains(name) ? shown(before[name]) : "nothing",
                       shown(value));
  }
  return {};
}

}  // namespace

Json MakeRecord::read(const std::string& directory) {
  const std::string path = folder_of(directory) + "/make.json";
  if (!fs::exists(path)) return {};
  const Json json = Json::parse(read_regular_file(path), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("format", 0) != kFormat || !json.contains("request")) {
    throw InputError(path, 0, "is not what this version of `heed make` writes: use another directory");
  }
  return json;
}

void MakeRecord::require_same(const std::string& directory, const Json& made, const Json& request) {
  const std::string changed = difference(made, request);
  if (changed.empty()) return;
  throw ConfigError(
      fmt::format("{} was begun with other options that must stay: {}; use another directory for a new "
                  "model",
                  directory, changed));
}

MakeRecord::MakeRecord(const std::string& directory, const Json& request)
    : directory_(directory),
      folder_(folder_of(directory)),
      is_new_(!fs::exists(directory)),
      folder_is_new_(!fs::exists(folder_)) {
  std::error_code refused;
  fs::create_directories(path("data"), refused);
  if (refused) throw FileError(path("data"), "create", refused.value());
  lock();
  made_ = read(directory);
  if (made_.is_null()) {
    made_ = Json{{"format", kFormat}, {"request", request}, {"decisions", Json::object()}, {"stages", Json::array()}};
    write();
  }
  require_same(directory, made_, request);
  made_["request"] = request;
  if (fs::exists(path("seconds"))) before_ = std::strtod(read_regular_file(path("seconds")).c_str(), nullptr);
}

MakeRecord::~MakeRecord() { close(lock_); }

/// The commands that a process starts inherit the lock. So a process that follows a killed one waits until the last
/// command has stopped too.
void MakeRecord::lock() {
  constexpr int kTries = 150;
  constexpr auto kPause = std::chrono::milliseconds(200);
  const std::string file = path(".lock");
  lock_ = open(file.c_str(), O_RDWR | O_CREAT, 0666);
  if (lock_ < 0) throw FileError(file, "open", errno);
  for (int i = 0; flock(lock_, LOCK_EX | LOCK_NB) != 0; ++i) {
    if (errno != EWOULDBLOCK) {
      log_warning(folder_ + ": this file system has no locks: take care that only one `heed make` runs here");
      return;
    }
    if (i == 0) log_info("the last command in this directory is still running: waiting for it");
    if (i == kTries) throw Error(directory_ + ": another `heed make` is running in this directory");
    std::this_thread::sleep_for(kPause);
  }
}

void MakeRecord::write() const { write_file(path("make.json"), made_.dump(1) + '\n'); }

bool MakeRecord::has(std::string_view stage) const {
  return std::ranges::any_of(made_["stages"], [&](const Json& made) { return made["name"] == stage; });
}

void MakeRecord::finish(std::string_view stage, const std::string& command, const std::vector<std::string>& outputs) {
  double begin = 0;
  for (const StageRecord& before : stages()) begin += before.seconds;
  Json files = Json::object();
  for (const std::string& output : outputs) {
    files[fs::path(output).lexically_relative(folder_).string()] = sha256_of_file(output);
  }
  made_["stages"].push_back(
      {{"name", stage}, {"command", command}, {"seconds", seconds() - begin}, {"outputs", files}});
  keep_time();
  write();
}

void MakeRecord::require_outputs() const {
  for (const Json& stage : made_["stages"]) {
    for (const auto& [name, sum] : stage["outputs"].items()) {
      if (fs::exists(path(name)) && sha256_of_file(path(name)) == sum.get<std::string>()) continue;
      throw Error(
          fmt::format("{} is missing or has changed since the stage {} wrote it: restore it, or use another "
                      "directory for a new model",
                      path(name), stage["name"].get<std::string>()));
    }
  }
}

std::vector<StageRecord> MakeRecord::stages() const {
  std::vector<StageRecord> stages;
  for (const Json& stage : made_["stages"]) {
    stages.push_back({.name = stage["name"], .command = stage["command"], .seconds = stage["seconds"]});
  }
  return stages;
}

Json MakeRecord::decision(std::string_view name, const std::function<Json()>& decide) {
  Json& decisions = made_["decisions"];
  const std::string key(name);
  if (!decisions.contains(key)) {
    decisions[key] = decide();
    write();
  }
  return decisions[key];
}

double MakeRecord::seconds() const {
  return before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void MakeRecord::keep_time() const { write_file(path("seconds"), fmt::format("{:.1f}\n", seconds())); }

void MakeRecord::discard_if_nothing_is_finished() {
  if (!folder_is_new_ || !made_["stages"].empty()) return;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  if (is_new_) fs::remove(directory_, ignored);  // only if it is empty
}

}  // namespace heed::apps::make
