// Updates of text that is read once. The next data.shuffle-buffer pairs that are kept make a buffer, which becomes
// updates as a window of a stored corpus does (window_plan.h); while it is trained on, the next one is read. So the
// order is a function of the seed and the lines, every pair comes once, and where it stands is the number of the line
// at which the buffer begins and that of the update in it.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <optional>

#include "heed/data/batches/update_maker.h"
#include "heed/data/batches/update_source.h"
#include "heed/data/streamed/buffer_source.h"

namespace heed::data {

class StreamedSource : public UpdateSource {
 public:
  /// Reads nothing yet.
  StreamedSource(std::unique_ptr<BufferSource> buffers, UpdateMaker maker, int64_t update_tokens, uint64_t seed);
  ~StreamedSource() override;

  /// May throw what BufferSource does.
  std::optional<PlannedUpdate> next() override;
  void give_up() override { buffers_->break_off(); }
  Update make(const PlannedUpdate& planned) const override { return maker_.make(planned); }
  /// Before the first next(), which then passes over the lines before.
  void seek(const StreamPosition& position) override;
  void seek_about(const StreamPosition& position, double share) override;
  const StreamPosition& position() const override { return position_; }
  /// Nobody knows how long the text is.
  double progress() const override { return 0; }
  double updates_per_epoch() const override { return 0; }

 private:
  bool enter();
  void find_place();
  void pass();

  std::unique_ptr<BufferSource> buffers_;
  UpdateMaker maker_;
  int64_t update_tokens_;
  uint64_t seed_;
  StreamPosition position_;
  bool begun_ = false;
  bool sought_about_ = false;               // the position is of other options
  FilledBuffer buffer_;                     // at the position
  std::shared_ptr<const WindowPlan> plan_;  // of it; null: the position is at the begin of the next one
  std::future<FilledBuffer> ahead_;         // the next one
};

}  // namespace heed::data
