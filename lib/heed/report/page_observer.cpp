#include "heed/report/page_observer.h"

#include <filesystem>
#include <utility>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"

namespace heed::report {
namespace {

constexpr std::chrono::seconds kRenewal{60};

std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text.append(line).append("\n");
  return text;
}

}  // namespace

void PageObserver::renew(const training::ValidationReport* validated) {
  if (!started_) return;
  written_ = std::chrono::steady_clock::now();
  try {
    if (validated) keep_translations(*validated);
    write_file(directory_ + "/" + kRunPage, run_page({&run_, 1}));
    failing_ = false;
  } catch (const FileError&) {
    if (!std::exchange(failing_, true)) throw;
  }
}

void PageObserver::take(const std::string& line) {
  if (started_) run_.history.add(line);
}

void PageObserver::on_start(const training::StartReport&) {
  started_ = false;
  std::filesystem::path path = std::filesystem::path(directory_).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  run_ = read_run(directory_, path.filename().string());
  started_ = true;
  renew();
}

void PageObserver::on_training(const training::TrainingReport& report) {
  JsonObserver::on_training(report);
  if (std::chrono::steady_clock::now() - written_ > kRenewal) renew();
}

void PageObserver::keep_translations(const training::ValidationReport& report) const {
  if (!report.best || report.translations.empty()) return;
  AtomicFile references(directory_ + "/" + kValidReferences), translations(directory_ + "/" + kValidTranslations);
  references.write(lines_of(report.references));
  translations.write(lines_of(report.translations));
  AtomicFile* const files[] = {&references, &translations};
  commit_all(files);
}

void PageObserver::on_validation(const training::ValidationReport& report) {
  JsonObserver::on_validation(report);
  renew(&report);
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
