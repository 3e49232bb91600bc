#include "heed/report/observer.h"

#include <exception>
#include <utility>

#include <fmt/format.h>

#include "heed/core/exception_text.h"
#include "heed/core/log.h"

namespace heed::training {

ObserverGroup::ObserverGroup(std::vector<Observer*> observers) : observers_(std::move(observers)) {}

template <class Tell>
void ObserverGroup::for_each(const Tell& tell) const {
  std::vector<std::pair<const Observer*, std::string>> failures;
  for (Observer* observer : observers_) {
    try {
      tell(*observer);
    } catch (const std::exception& error) {
      failures.emplace_back(observer, fmt::format("a report of training could not be written: {}", sentence_of(error)));
    }
  }
  for (const auto& [failed, message] : failures) report_failure(*failed, message);
}

void ObserverGroup::report_failure(const Observer& failed, const std::string& message) const {
  log_warning(message);
  for (Observer* observer : observers_) {
    if (observer == &failed) continue;
    try {
      observer->on_failed_observer(message);
    } catch (const std::exception& error) {
      log_warning(sentence_of(error));
    }
  }
}

void ObserverGroup::on_start(const StartReport& report) {
  for_each([&](Observer& observer) { observer.on_start(report); });
}

void ObserverGroup::on_change(const OptionChange& change, const Progress& progress) {
  for_each([&](Observer& observer) { observer.on_change(change, progress); });
}

void ObserverGroup::on_training(const TrainingReport& report) {
  for_each([&](Observer& observer) { observer.on_training(report); });
}

void ObserverGroup::on_progress(const TrainingReport& report) {
  for_each([&](Observer& observer) { observer.on_progress(report); });
}

void ObserverGroup::on_forecast(const std::string& forecast) {
  for_each([&](Observer& observer) { observer.on_forecast(forecast); });
}

void ObserverGroup::on_validating(const ValidatingReport& report) {
  for_each([&](Observer& observer) { observer.on_validating(report); });
}

void ObserverGroup::on_validation(const ValidationReport& report) {
  for_each([&](Observer& observer) { observer.on_validation(report); });
}

void ObserverGroup::before_checkpoint(const std::string& path, const Progress& progress) {
  for_each([&](Observer& observer) { observer.before_checkpoint(path, progress); });
}

void ObserverGroup::on_checkpoint(const std::string& path, const Progress& progress) {
  for_each([&](Observer& observer) { observer.on_checkpoint(path, progress); });
}

void ObserverGroup::on_finish(const FinalReport& report) {
  for_each([&](Observer& observer) { observer.on_finish(report); });
}

void ObserverGroup::on_warning(const std::string& message) {
  for_each([&](Observer& observer) { observer.on_warning(message); });
}

void ObserverGroup::on_stop(const std::string& reason, const Progress& progress) {
  for_each([&](Observer& observer) { observer.on_stop(reason, progress); });
}

}  // namespace heed::training
