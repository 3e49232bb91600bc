#include "make/stage_runner.h"

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "heed/core/files/line_reader.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/shell_word.h"

namespace heed::apps::make {
namespace {

/// Prints the last message of a command whose messages are in a file.
void show_last_message(const std::string& log) {
  std::string last;
  LineReader reader(log, InvalidText::Replace);
  for (std::string line; reader.next(line);) {
    if (!line.empty()) last = line;
  }
  std::fputs((last + '\n').c_str(), stderr);
}

std::string shell_word(const std::string& word) { return word.starts_with("--") ? word : shell_path(word); }

}  // namespace

std::string shell_line(const std::vector<std::string>& words) {
  std::string line = "heed";
  for (const std::string& word : words) line += ' ' + shell_word(word);
  return line;
}

void StageRunner::run(const Stage& stage) {
  if (record_.has(stage.name)) {
    if (!told_) log_info("continues after the stages that are finished");
    told_ = true;
    return;
  }
  told_ = true;
  log_info(fmt::format("{}: {} ({} of {} are over)", stage.name, stage.purpose, format_duration(record_.seconds()),
                       format_duration(seconds_)));
  log_info("  " + shell_line(stage.words));
  const ChildEnd end = run_child(stage.words, {.output = stage.output_file, .errors = stage.log_file}, signals_, [&] {
    keep_time();
    return stage.deadline && record_.seconds() > *stage.deadline && std::filesystem::exists(stage.begun_file);
  });
  const bool done = end.code == 0 || (end.late && !end.stopped);
  if (done) record_.finish(stage.name, shell_line(stage.words), stage.outputs);
  if (end.stopped) throw StageEnded("stopped; the same command continues", StageEnded::kInterrupted);
  if (done) return;
  if (!stage.log_file.empty()) show_last_message(stage.log_file);
  throw StageEnded(fmt::format("the stage {} failed", stage.name), end.code);
}

void StageRunner::keep_time() {
  constexpr double kInterval = 5;
  if (record_.seconds() < kept_ + kInterval) return;
  record_.keep_time();
  kept_ = record_.seconds();
}

}  // namespace heed::apps::make
