#include "heed/serve/batcher.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "heed/core/text/counted.h"

namespace heed::serve {
namespace {

using Clock = std::chrono::steady_clock;
using translation::Translation;

constexpr size_t kTurn = 16;                      // lines that a request adds to a batch before others have their turn
constexpr std::chrono::milliseconds kWatch(250);  // between two looks at deadlines

/// Ends the translation of a batch for which nobody waits.
struct NobodyWaits : std::exception {};

double elapsed(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

struct Batcher::Request {
  TranslationJob job;
  Clock::time_point begin = Clock::now();
  size_t next = 0;  // the first line that waits
  size_t left = 0;  // lines without a translation
  std::vector<Translation> translations;
  bool over = false;  // done was called, or nobody waits

  bool has_waiting() const { return next < job.lines.size(); }
};

/// A line that is being translated.
struct Batcher::BatchLine {
  std::shared_ptr<Request> request;
  size_t number;
  int64_t together;  // lines in the batch when it joined
  Clock::time_point begin = Clock::now();

  translation::SourceLine source() const {
    const TranslationJob& job = request->job;
    return {.text = job.lines[number], .prefix = job.prefixes.empty() ? "" : job.prefixes[number]};
  }
};

/// Lines that are translated together: those of one request, and of others that fit to it.
struct Batcher::Batch {
  std::shared_ptr<Request> first;
  bool mixes;                              // whether lines of other requests may join
  std::map<size_t, BatchLine> lines = {};  // under way, by their number in the batch
  size_t count = 0;                        // of all lines so far

  /// Takes the next line of a request.
  void take(const std::shared_ptr<Request>& request) {
    const auto together = static_cast<int64_t>(lines.size()) + 1;
    lines.emplace(count++, BatchLine{.request = request, .number = request->next++, .together = together});
  }
  bool fits(const Request& other) const {
    if (first.get() == &other) return true;
    const TranslationJob &one = first->job, &two = other.job;
    return mixes && !one.alone && !two.alone && one.model == two.model && one.settings == two.settings;
  }
  bool nobody_waits() const {
    return !lines.empty() && std::ranges::all_of(lines, [](const auto& line) { return line.second.request->over; });
  }
};

Batcher::Batcher(const BatchOptions& options, int64_t threads, OnTranslated on_translated)
    : options_(options), thread_count_(threads), on_translated_(std::move(on_translated)) {
  for (int64_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  watch_ = std::thread([this] { watch(); });
}

Batcher::~Batcher() { stop(); }

void Batcher::submit(TranslationJob job) {
  if (job.lines.empty()) return job.done({}, nullptr);
  const auto request = std::make_shared<Request>();
  request->left = job.lines.size();
  request->translations.resize(job.lines.size());
  request->job = std::move(job);
  const auto lines = static_cast<int64_t>(request->left);
  const std::lock_guard lock(mutex_);
  if (stopping_) throw Stopped("the server stops");
  if (waiting_ > 0 && waiting_ + lines > options_.max_waiting) {
    throw QueueFull(fmt::format("{} wait already; try again later", counted(waiting_, "line")));
  }
  waiting_ += lines;
  queue_.push_back(request);
  open_.push_back(request);
  changed_.notify_one();
}

int64_t Batcher::waiting_lines() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

void Batcher::stop() {
  Requests late;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ && threads_.empty()) return;
    stopping_ = true;
    late = open_;
    changed_.notify_all();
    passed_.notify_all();
  }
  for (const auto& request : late) fail(request, std::make_exception_ptr(Stopped("the server stops")));
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  if (watch_.joinable()) watch_.join();
}

void Batcher::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    Batch batch{.first = queue_.front(), .mixes = queue_.front()->job.model->mixes_requests()};
    if (!batch.mixes) take_lines(batch, batch.first->job.lines.size());
    lock.unlock();
    translate(batch);
    lock.lock();
    running_ -= std::ssize(batch.lines);
    if (!queue_.empty()) changed_.notify_one();
  }
}

/// Takes lines of the requests that fit, in turns. The caller holds the mutex.
void Batcher::take_lines(Batch& batch, size_t most) {
  for (auto at = queue_.begin(); at != queue_.end() && most > 0;) {
    const auto here = at++;
    const std::shared_ptr<Request>& request = *here;
    if (!batch.fits(*request)) continue;
    for (size_t turn = 0; turn < kTurn && request->has_waiting() && most > 0; ++turn, --most) {
      batch.take(request);
      --waiting_;
      ++running_;
    }
    if (request->has_waiting()) {  // its next turn comes after the others'
      queue_.splice(queue_.end(), queue_, here);
      if (at == queue_.end()) at = here;
    } else {
      queue_.erase(here);
    }
  }
  if (!queue_.empty()) changed_.notify_one();
}

/// Lines that may join a batch: not more than its share of all lines, so that no thread is idle while another has many.
/// None if a request that does not fit has waited long enough: then the batch ends. The caller holds the mutex.
size_t Batcher::room(const Batch& batch) const {
  if (queue_.empty()) return 0;
  const Request& oldest = *queue_.front();
  const auto longest_wait = std::chrono::milliseconds(options_.longest_wait);
  if (!batch.fits(oldest) && Clock::now() >= oldest.begin + longest_wait) return 0;
  const int64_t share = (running_ + waiting_ + thread_count_ - 1) / thread_count_;
  return static_cast<size_t>(std::max(std::min(share, options_.batch_lines) - std::ssize(batch.lines), int64_t{0}));
}

/// The lines that join a batch before its next step.
std::vector<translation::SourceLine> Batcher::join(Batch& batch, size_t most) {
  std::vector<translation::SourceLine> sources;
  const std::lock_guard lock(mutex_);
  if (batch.nobody_waits()) throw NobodyWaits();
  const size_t before = batch.count;
  take_lines(batch, std::min(most, room(batch)));
  for (auto line = batch.lines.lower_bound(before); line != batch.lines.end(); ++line) {
    sources.push_back(line->second.source());
  }
  return sources;
}

void Batcher::translate(Batch& batch) {
  try {
    batch.mixes ? translate_continuously(batch) : translate_whole(batch);
  } catch (const NobodyWaits&) {
    return;
  } catch (...) {
    const auto error = std::current_exception();
    const std::shared_ptr<Request> one = batch.lines.empty() ? batch.first : batch.lines.begin()->second.request;
    if (std::ranges::all_of(batch.lines, [&](const auto& line) { return line.second.request == one; })) {
      return fail(one, error);
    }
    for (const auto& [number, line] : batch.lines) {  // one of them has no translation: which one?
      Batch alone{.first = line.request, .mixes = false, .lines = {{0, line}}};
      translate(alone);
    }
  }
}

void Batcher::translate_continuously(Batch& batch) {
  const translation::Translator translator = batch.first->job.model->translator(batch.first->job.settings);
  translator.translate_continuously([&](size_t most) { return join(batch, most); },
                                    [&](translation::FinishedLine&& finished) {
                                      const BatchLine& line = batch.lines.at(finished.number);
                                      if (on_translated_) {
                                        on_translated_({.together = line.together,
                                                        .source_tokens = finished.source_tokens,
                                                        .target_tokens = finished.target_tokens,
                                                        .waited = elapsed(line.request->begin, line.begin),
                                                        .seconds = elapsed(line.begin, Clock::now())});
                                      }
                                      deliver(line, std::move(finished.translation));
                                      batch.lines.erase(finished.number);
                                      const std::lock_guard lock(mutex_);
                                      --running_;
                                    });
}

/// Translates lines that no others may join.
void Batcher::translate_whole(Batch& batch) {
  if (batch.lines.empty()) return;
  const translation::Translator translator = batch.first->job.model->translator(batch.first->job.settings);
  std::vector<translation::SourceLine> sources;
  for (const auto& [number, line] : batch.lines) sources.push_back(line.source());
  const BatchLine& first = batch.lines.begin()->second;
  TranslatedLines summary{.lines = std::ssize(sources),
                          .together = std::ssize(sources),
                          .waited = elapsed(first.request->begin, first.begin)};
  auto translations = translator.translate(sources, [&](const translation::TranslationProgress& now) {
    summary.source_tokens = now.source_tokens;
    summary.target_tokens = now.target_tokens;
    const std::lock_guard lock(mutex_);
    if (batch.nobody_waits()) throw NobodyWaits();
  });
  summary.seconds = elapsed(first.begin, Clock::now());
  if (on_translated_) on_translated_(summary);
  size_t next = 0;
  for (const auto& [number, line] : batch.lines) deliver(line, std::move(translations[next++]));
}

void Batcher::deliver(const BatchLine& line, Translation&& translation) {
  Request& request = *line.request;
  {
    const std::lock_guard lock(mutex_);
    if (request.over) return;
  }
  if (request.job.on_line) request.job.on_line(line.number, translation);
  std::vector<Translation> all;
  {
    const std::lock_guard lock(mutex_);
    if (request.over) return;
    request.translations[line.number] = std::move(translation);
    if (--request.left > 0) return;
    request.over = true;
    open_.remove(line.request);
    all = std::move(request.translations);
  }
  request.job.done(std::move(all), nullptr);
}

void Batcher::fail(const std::shared_ptr<Request>& request, const std::exception_ptr& error) {
  {
    const std::lock_guard lock(mutex_);
    if (request->over && std::ranges::find(open_, request) == open_.end()) return;
    const bool over = std::exchange(request->over, true);
    waiting_ -= static_cast<int64_t>(request->job.lines.size() - request->next);
    request->next = request->job.lines.size();
    queue_.remove(request);
    open_.remove(request);
    if (over) return;
  }
  request->job.done({}, error);
}

/// Fails requests whose deadline has passed, and forgets those for which nobody waits.
void Batcher::watch() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto now = Clock::now();
    Clock::time_point next = now + kWatch;
    Requests late;
    for (const auto& request : open_) {
      if (!request->over && request->job.is_abandoned && request->job.is_abandoned()) request->over = true;
      if (request->over || request->job.deadline <= now) {
        late.push_back(request);
      } else {
        next = std::min(next, request->job.deadline);
      }
    }
    if (late.empty()) {
      passed_.wait_until(lock, next);
      continue;
    }
    lock.unlock();
    for (const auto& request : late) fail(request, std::make_exception_ptr(TooLate("the translation took too long")));
    lock.lock();
  }
}

}  // namespace heed::serve
