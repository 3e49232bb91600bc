#include "heed/report/page_observer.h"

#include <filesystem>
#include <utility>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/scope_exit.h"

namespace heed::report {
namespace {

constexpr std::chrono::seconds kRenewal{60};

std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text.append(line).append("\n");
  return text;
}

}  // namespace

void PageObserver::renew() {
  written_ = std::chrono::steady_clock::now();
  try {
    keep_translations();
    if (!run_) read();
    write_file(directory_ + "/" + kRunPage, run_page({&*run_, 1}));
    failing_ = false;
  } catch (const Error&) {
    if (!std::exchange(failing_, true)) throw;
  }
}

void PageObserver::read() {
  std::filesystem::path path = std::filesystem::path(directory_).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  run_ = read_run(directory_, path.filename().string());
}

/// Without a run nothing is lost: the history, which is read later, has the line.
void PageObserver::take(const std::string& line) {
  if (run_) run_->history.add(line);
}

void PageObserver::on_start(const training::StartReport&) {
  run_.reset();
  const ScopeExit again([this] { run_.reset(); });  // config.toml gets this start's options later
  renew();
}

void PageObserver::on_training(const training::TrainingReport& report) {
  JsonObserver::on_training(report);
  if (!run_ || std::chrono::steady_clock::now() - written_ > kRenewal) renew();
}

void PageObserver::keep_translations() {
  if (translations_.empty()) return;
  AtomicFile references(directory_ + "/" + kValidReferences), translations(directory_ + "/" + kValidTranslations);
  references.write(lines_of(references_));
  translations.write(lines_of(translations_));
  AtomicFile* const files[] = {&references, &translations};
  commit_all(files);
  references_.clear();
  translations_.clear();
}

void PageObserver::on_validation(const training::ValidationReport& report) {
  JsonObserver::on_validation(report);
  if (report.best && !report.translations.empty()) {
    references_ = report.references;
    translations_ = report.translations;
  }
  renew();
}

void PageObserver::on_finish(const training::FinalReport& report) {
  JsonObserver::on_finish(report);
  renew();
}

void PageObserver::on_stop(const std::string& reason, const Progress& progress) {
  JsonObserver::on_stop(reason, progress);
  renew();
}

}  // namespace heed::report
