// Makes steps of text that is read once. The next data.shuffle-buffer pairs that are kept form a buffer. It is split
// into steps like a window of a stored corpus (window_plan.h). While training uses one buffer, the next one is read.
// So the order is a function of the seed and the lines, and every pair is used once. A position is the line at which
// the buffer begins, and the number of the step in the buffer.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <optional>

#include "heed/data/batches/batch_builder.h"
#include "heed/data/batches/batch_source.h"
#include "heed/data/streamed/buffer_source.h"

namespace heed::data {

class StreamedSource : public BatchSource {
 public:
  /// Reads nothing yet.
  StreamedSource(std::unique_ptr<BufferSource> buffers, BatchBuilder maker, int64_t step_tokens, uint64_t seed);
  ~StreamedSource() override;

  /// May throw what BufferSource does.
  std::optional<PlannedBatch> next() override;
  void give_up() override { buffers_->break_off(); }
  StepBatch make(const PlannedBatch& planned) const override { return maker_.make(planned); }
  /// Call it before the first next(), which then skips the lines before the position.
  void seek(const StreamPosition& position) override;
  void seek_about(const StreamPosition& position, double share) override;
  const StreamPosition& position() const override { return position_; }
  /// The length of the text is unknown.
  double progress() const override { return 0; }
  double steps_per_epoch() const override { return 0; }

 private:
  bool enter();
  void find_place();
  void pass();

  std::unique_ptr<BufferSource> buffers_;
  BatchBuilder maker_;
  int64_t step_tokens_;
  uint64_t seed_;
  StreamPosition position_;
  bool begun_ = false;
  bool sought_about_ = false;               // the position is of a stream with other options
  FilledBuffer buffer_;                     // the buffer at the position
  std::shared_ptr<const WindowPlan> plan_;  // plan of the buffer; null: the position is the start of the next buffer
  std::future<FilledBuffer> ahead_;         // the next buffer
};

}  // namespace heed::data
