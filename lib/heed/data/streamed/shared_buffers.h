// The buffers of a stream that several ranks train on: rank 0 reads the text and hands what it has filled to the
// others, which need not see the text. So all of them make the same updates of it, each its own parts.
#pragma once

#include <atomic>
#include <memory>

#include "heed/core/block_feed.h"
#include "heed/data/corpus/corpus_summary.h"
#include "heed/data/streamed/buffer_source.h"

namespace heed::data {

/// Rank 0's: another source's, which the others get as well.
class SentBuffers : public BufferSource {
 public:
  SentBuffers(std::unique_ptr<BufferSource> buffers, std::shared_ptr<BlockFeed> feed)
      : buffers_(std::move(buffers)), feed_(std::move(feed)) {}
  StreamedLines start() const override { return buffers_->start(); }
  void skip(const StreamedLines& to) override { buffers_->skip(to); }
  FilledBuffer fill(const StreamedLines& from) override;
  void break_off() override { buffers_->break_off(); }

 private:
  std::unique_ptr<BufferSource> buffers_;
  std::shared_ptr<BlockFeed> feed_;
};

class ReceivedBuffers : public BufferSource {
 public:
  /// form, limits: of rank 0's pairs.
  ReceivedBuffers(std::shared_ptr<BlockFeed> feed, const CorpusForm& form, CorpusOptions limits)
      : feed_(std::move(feed)), form_(form), limits_(std::move(limits)) {}
  StreamedLines start() const override;
  /// Nothing: rank 0 does, and hands on what comes behind.
  void skip(const StreamedLines&) override {}
  FilledBuffer fill(const StreamedLines& from) override;
  void break_off() override { broken_off_ = true; }

 private:
  std::shared_ptr<BlockFeed> feed_;
  CorpusForm form_;
  CorpusOptions limits_;
  std::atomic<bool> broken_off_ = false;
};

}  // namespace heed::data
