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
constexpr size_t kBatchBytes = 32'768;            // of text in a batch; a longer line is a batch by itself

/// Ends the translation of a batch for which nobody waits.
struct NobodyWaits : std::exception {};

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

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

/// Lines that are translated together.
struct Batcher::Batch {
  struct Line {
    std::shared_ptr<Request> request;
    size_t number;
  };
  std::vector<Line> lines;
  double waited = 0;
};

Batcher::Batcher(const BatchOptions& options, int64_t threads, OnBatch on_batch)
    : options_(options), on_batch_(std::move(on_batch)) {
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

bool Batcher::fits_together(const Request& one, const Request& other) {
  if (&one == &other) return true;
  if (one.job.alone || other.job.alone) return false;
  return one.job.model == other.job.model && one.job.settings == other.job.settings && one.job.model->mixes_requests();
}

/// Whether a batch should wait for more lines, and until when.
bool Batcher::should_wait(Clock::time_point& until) const {
  if (running_ == 0 || waiting_ >= options_.batch_lines) return false;
  until = queue_.front()->begin + std::chrono::milliseconds(options_.longest_wait);
  return Clock::now() < until;
}

void Batcher::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    if (Clock::time_point until; should_wait(until)) {
      changed_.wait_until(lock, until);
      continue;
    }
    Batch batch = take_batch();
    if (batch.lines.empty()) continue;
    ++running_;
    lock.unlock();
    translate(batch);
    batch = {};
    lock.lock();
    --running_;
    if (!queue_.empty()) changed_.notify_one();
  }
}

/// Takes lines of the first request and of those that fit to it, in turns. The caller holds the mutex.
Batcher::Batch Batcher::take_batch() {
  Batch batch;
  const std::shared_ptr<Request> first = queue_.front();
  const bool mixes = first->job.model->mixes_requests();
  const size_t most = mixes ? static_cast<size_t>(options_.batch_lines) : first->job.lines.size();
  batch.waited = seconds_since(first->begin);
  size_t bytes = 0;
  bool full = false;
  for (bool any = true; any && !full;) {
    any = false;
    for (auto at = queue_.begin(); at != queue_.end() && !full;) {
      const std::shared_ptr<Request> request = *at;
      const auto here = at++;
      if (!fits_together(*first, *request)) continue;
      for (size_t turn = 0; turn < kTurn && request->has_waiting() && !full; ++turn) {
        const size_t size = request->job.lines[request->next].size();
        full = batch.lines.size() >= most || (mixes && bytes > 0 && bytes + size > kBatchBytes);
        if (full) break;
        batch.lines.push_back({request, request->next++});
        bytes += size;
        --waiting_;
        any = true;
      }
      if (!request->has_waiting()) queue_.erase(here);
    }
  }
  if (first->has_waiting()) queue_.splice(queue_.end(), queue_, std::ranges::find(queue_, first));
  return batch;
}

void Batcher::translate(Batch& batch) {
  try {
    translate_lines(batch);
  } catch (const NobodyWaits&) {
    return;
  } catch (...) {
    const auto error = std::current_exception();
    std::vector<std::shared_ptr<Request>> requests;
    for (const Batch::Line& line : batch.lines) {
      if (requests.empty() || requests.back() != line.request) requests.push_back(line.request);
    }
    if (std::ranges::all_of(requests, [&](const auto& request) { return request == requests.front(); })) {
      return fail(requests.front(), error);
    }
    for (Batch::Line& line : batch.lines) {  // one of them has no translation: which one?
      Batch alone{.lines = {line}};
      translate(alone);
    }
  }
}

void Batcher::translate_lines(Batch& batch) {
  const auto begin = Clock::now();
  const Request& first = *batch.lines.front().request;
  const translation::Translator translator = first.job.model->translator(first.job.settings);
  std::vector<translation::SourceLine> sources;
  for (const auto& [request, number] : batch.lines) {
    const TranslationJob& job = request->job;
    sources.push_back({.text = job.lines[number], .prefix = job.prefixes.empty() ? "" : job.prefixes[number]});
  }
  const auto nobody_waits = [&](const Batch::Line& line) {
    if (!line.request->over && line.request->job.is_abandoned) line.request->over = line.request->job.is_abandoned();
    return line.request->over;
  };
  BatchSummary summary{.lines = std::ssize(batch.lines), .waited = batch.waited};
  auto translations = translator.translate(sources, [&](const translation::TranslationProgress& now) {
    summary.source_tokens = now.source_tokens;
    summary.target_tokens = now.target_tokens;
    const std::lock_guard lock(mutex_);
    if (std::ranges::all_of(batch.lines, nobody_waits)) throw NobodyWaits();
  });
  summary.seconds = seconds_since(begin);
  const Request* last = nullptr;
  for (const Batch::Line& line : batch.lines) {
    summary.requests += line.request.get() != last;
    last = line.request.get();
  }
  if (on_batch_) on_batch_(summary);
  deliver(batch, std::move(translations));
}

void Batcher::deliver(Batch& batch, std::vector<Translation>&& translations) {
  for (size_t i = 0; i < batch.lines.size(); ++i) {
    const auto& [request, number] = batch.lines[i];
    {
      const std::lock_guard lock(mutex_);
      if (request->over) continue;
    }
    if (request->job.on_line) request->job.on_line(number, translations[i]);
    std::vector<Translation> all;
    {
      const std::lock_guard lock(mutex_);
      if (request->over) continue;
      request->translations[number] = std::move(translations[i]);
      if (--request->left > 0) continue;
      request->over = true;
      open_.remove(request);
      all = std::move(request->translations);
    }
    request->job.done(std::move(all), nullptr);
  }
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
