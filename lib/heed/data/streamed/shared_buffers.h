// The buffers of a stream that several ranks train on. Rank 0 reads the text, fills the buffers and sends them to the
// other ranks, which do not need access to the text. So all ranks make the same steps, and each computes its own
// parts.
#pragma once

#include <atomic>
#include <memory>

#include "heed/core/broadcast_stream.h"
#include "heed/data/corpus/corpus_summary.h"
#include "heed/data/streamed/buffer_source.h"

namespace heed::data {

/// For rank 0: fills buffers from another source and sends them to the other ranks.
class SendingBuffers : public BufferSource {
 public:
  SendingBuffers(std::unique_ptr<BufferSource> buffers, std::shared_ptr<BroadcastStream> feed)
      : buffers_(std::move(buffers)), feed_(std::move(feed)) {}
  StreamedLines start() const override { return buffers_->start(); }
  void skip(const StreamedLines& to) override { buffers_->skip(to); }
  FilledBuffer fill(const StreamedLines& from) override;
  void break_off() override { buffers_->break_off(); }

 private:
  std::unique_ptr<BufferSource> buffers_;
  std::shared_ptr<BroadcastStream> feed_;
};

class ReceivingBuffers : public BufferSource {
 public:
  /// form, limits: those of rank 0's pairs.
  ReceivingBuffers(std::shared_ptr<BroadcastStream> feed, const CorpusForm& form, CorpusOptions limits)
      : feed_(std::move(feed)), form_(form), limits_(std::move(limits)) {}
  StreamedLines start() const override;
  /// Does nothing: rank 0 skips the lines and sends what follows.
  void skip(const StreamedLines&) override {}
  FilledBuffer fill(const StreamedLines& from) override;
  void break_off() override { broken_off_ = true; }

 private:
  std::shared_ptr<BroadcastStream> feed_;
  CorpusForm form_;
  CorpusOptions limits_;
  std::atomic<bool> broken_off_ = false;
};

}  // namespace heed::data
