// The text that training reads: a stored corpus, or a stream that is read once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "heed/core/broadcast_stream.h"
#include "heed/data/batches/batch_source.h"
#include "heed/data/corpus/corpus_summary.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "heed/data/overlap/overlap_counts.h"
#include "heed/data/streamed/buffer_filler.h"
#include "heed/data/streamed/pair_stream.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

class TrainingText {
 public:
  virtual ~TrainingText() = default;
  virtual CorpusForm form() const = 0;
  bool has_source() const { return form().has_source; }
  /// Absent if the number is unknown before the end of the text.
  virtual std::optional<int64_t> pairs() const = 0;
  /// Duplicates, and pairs that are also in the validation text. Absent for a stream, and if another rank reports it.
  virtual std::optional<OverlapCounts> overlap() const { return std::nullopt; }
  /// See make_batch_source. Call it only once for a stream.
  virtual std::unique_ptr<BatchSource> batches(text::Tokenizers tokenizers, const StreamOptions& options,
                                               const MicroBatchShare& share, uint64_t seed) const = 0;
  /// Logs how many lines before a position were kept and left out, unless this was logged before training began.
  virtual void tell(const StreamPosition& position) const = 0;
};

class StoredText : public TrainingText {
 public:
  explicit StoredText(std::shared_ptr<const EncodedCorpus> corpus, std::optional<OverlapCounts> overlap = std::nullopt)
      : corpus_(std::move(corpus)), overlap_(std::move(overlap)) {}
  CorpusForm form() const override { return corpus_->form(); }
  std::optional<int64_t> pairs() const override { return corpus_->size(); }
  std::optional<OverlapCounts> overlap() const override { return overlap_; }
  std::unique_ptr<BatchSource> batches(text::Tokenizers tokenizers, const StreamOptions& options,
                                       const MicroBatchShare& share, uint64_t seed) const override;
  void tell(const StreamPosition&) const override {}

 private:
  std::shared_ptr<const EncodedCorpus> corpus_;
  std::optional<OverlapCounts> overlap_;
};

/// Text that is read once; options.context.shuffle_buffer is set. encoding: must have tokenizers that do not sample.
/// feed: sends the buffers to other ranks, which have a ReceivedText; null: there are no other ranks.
class StreamedText : public TrainingText {
 public:
  StreamedText(std::shared_ptr<PairStream> stream, StreamEncoding encoding,
               std::shared_ptr<BroadcastStream> feed = nullptr)
      : stream_(std::move(stream)), encoding_(std::move(encoding)), feed_(std::move(feed)) {}
  CorpusForm form() const override { return form_of(encoding_.tokenizers, stream_->files()); }
  std::optional<int64_t> pairs() const override { return std::nullopt; }
  std::unique_ptr<BatchSource> batches(text::Tokenizers tokenizers, const StreamOptions& options,
                                       const MicroBatchShare& share, uint64_t seed) const override;
  void tell(const StreamPosition& position) const override;

 private:
  std::shared_ptr<PairStream> stream_;
  StreamEncoding encoding_;
  std::shared_ptr<BroadcastStream> feed_;
};

/// A stream that rank 0 reads and sends. form, limits: those of its pairs.
class ReceivedText : public TrainingText {
 public:
  ReceivedText(std::shared_ptr<BroadcastStream> feed, const CorpusForm& form, CorpusOptions limits)
      : feed_(std::move(feed)), form_(form), limits_(std::move(limits)) {}
  CorpusForm form() const override { return form_; }
  std::optional<int64_t> pairs() const override { return std::nullopt; }
  std::unique_ptr<BatchSource> batches(text::Tokenizers tokenizers, const StreamOptions& options,
                                       const MicroBatchShare& share, uint64_t seed) const override;
  /// Does nothing: rank 0 logs it.
  void tell(const StreamPosition&) const override {}

 private:
  std::shared_ptr<BroadcastStream> feed_;
  CorpusForm form_;
  CorpusOptions limits_;
};

}  // namespace heed::data
