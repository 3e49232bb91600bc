// Translates the lines of many requests together (continuous batching): a line joins a batch under way as soon as there
// is room for it, and is delivered as soon as it is translated. Requests take turns, so that a long one does not delay
// others by its length. Each line has the translation that it has by itself.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/options.h"
#include "heed/serve/served_model.h"
#include "heed/translation/lines/source_line.h"
#include "heed/translation/lines/translation.h"

namespace heed::serve {

struct BatchOptions {
  int64_t batch_lines = 32;  ///< lines of a batch
  int64_t longest_wait = 2;  ///< milliseconds that lines may join a batch ahead of a request that does not fit to it
  int64_t max_waiting = 20'000;  ///< lines that wait; a request that would exceed it is refused
};
void describe(BatchOptions& o, AnyOptionVisitor auto& visit) {
  visit("batch-lines", o.batch_lines, "lines, of any requests, that a thread translates together", between(1, 10'000));
  visit("longest-wait", o.longest_wait,
        "milliseconds that a request for another model, or with other settings than those under way, waits at most "
        "until no more lines join ahead of it",
        between(0, 10'000));
  visit("max-waiting", o.max_waiting, "lines that may wait; a request that would exceed it is refused (429)",
        between(1, 1e9));
}

/// Why a request has no translations.
class QueueFull : public Error {
 public:
  using Error::Error;
};
class TooLate : public Error {
 public:
  using Error::Error;
};
class Stopped : public Error {
 public:
  using Error::Error;
};

/// Lines to translate.
struct TranslationJob {
  std::shared_ptr<const ServedModel> model;
  TranslationSettings settings;
  std::vector<std::string> lines;                  ///< well-formed UTF-8
  bool alone = false;                              ///< not in a batch with other requests: its lines take further work
  std::vector<std::string> prefixes = {};          ///< what each line's translation begins with; empty: no prefixes
  std::chrono::steady_clock::time_point deadline;  ///< after it the job fails with TooLate
  /// Whether nobody waits for the job any more: its remaining lines are dropped, and nothing is called.
  std::function<bool()> is_abandoned = {};
  /// Called for each line as soon as it is translated, in any order; may be null. Not called after `done`.
  std::function<void(size_t line, const translation::Translation& translation)> on_line = {};
  /// Called once, in any thread: with all translations in order, or with the error.
  std::function<void(std::vector<translation::Translation>&& translations, std::exception_ptr error)> done;
};

/// Lines that were translated, for metrics.
struct TranslatedLines {
  int64_t lines = 1;
  int64_t together = 1;  ///< lines in the batch when they joined it, themselves included
  int64_t source_tokens = 0, target_tokens = 0;
  double waited = 0;   ///< seconds until they joined a batch
  double seconds = 0;  ///< from then on, until they were translated
};

class Batcher {
 public:
  using OnTranslated = std::function<void(const TranslatedLines& lines)>;

  /// threads: batches that are translated at the same time.
  Batcher(const BatchOptions& options, int64_t threads, OnTranslated on_translated = {});
  /// Calls stop().
  ~Batcher();
  Batcher(const Batcher&) = delete;
  Batcher& operator=(const Batcher&) = delete;

  /// Throws QueueFull; Stopped.
  void submit(TranslationJob job);
  int64_t waiting_lines() const;
  /// Fails the waiting jobs with Stopped and waits for the running batches.
  void stop();

 private:
  struct Request;
  struct BatchLine;
  struct Batch;
  using Requests = std::list<std::shared_ptr<Request>>;

  void work();
  void watch();
  void take_lines(Batch& batch, size_t most);
  size_t room(const Batch& batch) const;
  std::vector<translation::SourceLine> join(Batch& batch, size_t most);
  void translate(Batch& batch);
  void translate_continuously(Batch& batch);
  void translate_whole(Batch& batch);
  void deliver(const BatchLine& line, translation::Translation&& translation);
  void fail(const std::shared_ptr<Request>& request, const std::exception_ptr& error);

  const BatchOptions options_;
  const int64_t thread_count_;
  const OnTranslated on_translated_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable passed_;  // for watch(), which waits for deadlines
  Requests queue_;                  // requests with lines that wait
  Requests open_;                   // requests without all translations
  int64_t waiting_ = 0;             // lines
  int64_t running_ = 0;             // lines in batches
  bool stopping_ = false;
  std::vector<std::thread> threads_;
  std::thread watch_;
};

}  // namespace heed::serve
