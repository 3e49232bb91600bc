#include "heed/data/streamed/streamed_source.h"

#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::data {

StreamedSource::StreamedSource(std::unique_ptr<BufferSource> buffers, BatchBuilder maker, int64_t step_tokens,
                               uint64_t seed)
    : buffers_(std::move(buffers)), maker_(std::move(maker)), step_tokens_(step_tokens), seed_(seed) {
  position_.lines = buffers_->start();
}

StreamedSource::~StreamedSource() { buffers_->break_off(); }  // ends a fill() that is running

std::optional<PlannedBatch> StreamedSource::next() {
  while (!plan_) {
    if (!enter()) return std::nullopt;
  }
  PlannedBatch planned{.pairs = buffer_.pairs,
                       .plan = plan_,
                       .window = Window{.begin = buffer_.pairs->first(), .size = buffer_.pairs->size()},
                       .position = position_,
                       .next = {}};
  pass();
  planned.next = position_;
  return planned;
}

/// Gets the buffer that begins at the position. Returns false if the text has ended.
bool StreamedSource::enter() {
  if (!std::exchange(begun_, true)) buffers_->skip(*position_.lines);
  buffer_ = ahead_.valid() ? ahead_.get() : buffers_->fill(*position_.lines);
  if (buffer_.pairs->size() == 0) {
    position_.lines = buffer_.after;
    return false;
  }
  if (!buffer_.last) {
    ahead_ = std::async(std::launch::async, [this, from = buffer_.after] { return buffers_->fill(from); });
  }
  const Window window{.begin = buffer_.pairs->first(), .size = buffer_.pairs->size()};
  position_.lines->usual_source_length = buffer_.after.usual_source_length;
  plan_ = std::make_shared<const WindowPlan>(*buffer_.pairs, window, step_tokens_, seed_, position_.epoch);
  find_place();
  return true;
}

/// Moves to the step of a position set by seek() or seek_about().
void StreamedSource::find_place() {
  if (!std::exchange(sought_about_, false)) {
    if (position_.step < plan_->steps()) return;
    throw Error(fmt::format("cannot resume at step {} of the buffer that begins after line {}: it has {} steps",
                            position_.step, position_.lines->before.read, plan_->steps()));
  }
  const int64_t wanted = std::exchange(position_.lines->given, 0);
  position_.step = 0;
  while (plan_ && position_.lines->given < wanted) pass();
}

void StreamedSource::pass() {
  position_.lines->given += static_cast<int64_t>(plan_->pairs(position_.step).size());
  if (++position_.step < plan_->steps()) return;
  plan_.reset();
  position_ = {.epoch = position_.epoch, .window = position_.window + 1, .step = 0, .lines = buffer_.after};
}

void StreamedSource::seek(const StreamPosition& position) {
  check(!begun_, "text that is read once has no way back");
  check(position.lines.has_value() && position.step >= 0, "a position of text that is read once names a line");
  position_ = position;
}

void StreamedSource::seek_about(const StreamPosition& position, double /*share*/) {
  seek(position);
  sought_about_ = true;
}

}  // namespace heed::data
