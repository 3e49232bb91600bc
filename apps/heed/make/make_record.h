// What `heed make` has done so far: DIR/make/make.json has the finished stages and the decisions, DIR/make/seconds the
// time. Both are replaced as whole files, so that a kill at any moment loses neither.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace heed::apps::make {

using Json = nlohmann::ordered_json;

/// A finished stage.
struct StageRecord {
  std::string name;
  std::string command;  ///< as a line for a shell
  double seconds = 0;   ///< of all its starts, with what was lost by kills
};

class MakeRecord {
 public:
  /// Creates DIR/make, or reads what is there, and locks it. request: the options and checksums of the text; a
  /// directory that was begun with others is refused. Throws ConfigError, Error if another process works there, and
  /// FileError.
  MakeRecord(const std::string& directory, const Json& request);
  ~MakeRecord();
  MakeRecord(const MakeRecord&) = delete;
  MakeRecord& operator=(const MakeRecord&) = delete;

  /// The record of an existing directory, without a lock; null if nothing was made there. Throws InputError.
  static Json read(const std::string& directory);
  /// Throws ConfigError unless `made` began with this request. The hours may change until a training has begun.
  static void require_same(const std::string& directory, const Json& made, const Json& request);

  /// DIR/make/NAME
  std::string path(std::string_view name) const { return folder_ + '/' + std::string(name); }

  bool has(std::string_view stage) const;
  /// Records a finished stage: its time since the end of the one before, and checksums of the files `outputs`.
  void finish(std::string_view stage, const std::string& command, const std::vector<std::string>& outputs);
  /// Throws Error if a file that a finished stage wrote has changed or is missing.
  void require_outputs() const;
  std::vector<StageRecord> stages() const;

  /// The decision of this name. It is made once, by `decide`, and recorded.
  Json decision(std::string_view name, const std::function<Json()>& decide);
  /// Whether it is made.
  bool has_decided(std::string_view name) const { return made_["decisions"].contains(std::string(name)); }

  /// Seconds that this command has worked, in all its processes.
  double seconds() const;
  /// Writes them.
  void keep_time() const;

  /// Removes what was made if no stage is finished: nothing remains of a start that failed.
  void discard_if_nothing_is_finished();

 private:
  void lock();
  void write() const;

  std::string directory_, folder_;
  bool is_new_, folder_is_new_;
  int lock_ = -1;
  Json made_;
  double before_ = 0;  // seconds of earlier processes
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace heed::apps::make
