// Supplies the shuffle buffers of a stream. This process fills them from the text, or receives them from another rank.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heed/data/batches/stream_position.h"
#include "heed/data/corpus/corpus_summary.h"
#include "heed/data/encoded/encoded_pair.h"
#include "heed/data/encoded/encoded_pairs.h"

namespace heed::data {

/// The encoded pairs of a shuffle buffer, in memory. Their targets are text. Takes the bytes of the text, 4 bytes per
/// token and 32 bytes per pair.
class PairBuffer : public EncodedPairs {
 public:
  /// first: index of the first pair among all pairs that the stream has returned.
  PairBuffer(const CorpusForm& form, CorpusOptions limits, int64_t first);
  /// Restores the pairs from packed() of a buffer with the same form.
  PairBuffer(const CorpusForm& form, CorpusOptions limits, int64_t first, std::string_view packed);
  /// Serializes the pairs for a process on a machine of the same architecture. Their places are not included.
  std::string packed() const;

  void add(const EncodedPair& pair);
  /// Sets the places of the pairs' lines. place() needs them.
  void set_places(LineLocations places) { places_ = std::move(places); }
  const LineLocations& places() const { return places_; }

  int64_t first() const { return first_; }
  int64_t size() const { return static_cast<int64_t>(entries_.size()); }

  const CorpusForm& form() const override { return form_; }
  text::Ids source_ids(int64_t pair) const override;
  text::Target target(int64_t pair) const override;
  TextPair text(int64_t pair) const override;
  std::string place(int64_t pair) const override;
  float weight(int64_t pair) const override { return entry(pair).weight; }
  const SourceVectors* vectors() const override { return nullptr; }
  int64_t vector_item(int64_t pair) const override;
  int64_t source_length(int64_t pair) const override { return entry(pair).source_ids; }
  int64_t target_length(int64_t pair) const override { return entry(pair).target_ids; }
  const CorpusOptions& limits() const override { return limits_; }

 private:
  struct Entry {
    uint64_t line;
    uint64_t ids, text;  // where ids and text of the pair begin
    uint32_t source_ids, target_ids;
    uint32_t source_bytes, target_bytes, alignment_bytes;
    float weight;
  };
  const Entry& entry(int64_t pair) const;
  text::Ids ids(uint64_t begin, uint32_t count) const;

  CorpusForm form_;
  CorpusOptions limits_;
  int64_t first_;
  LineLocations places_;
  std::vector<Entry> entries_;
  std::vector<int32_t> ids_;
  std::string text_;
};

struct FilledBuffer {
  std::shared_ptr<const PairBuffer> pairs;  ///< empty at the end of the stream
  StreamedLines after;                      ///< where the next buffer begins
  bool last = false;                        ///< the stream has ended
};

class BufferSource {
 public:
  virtual ~BufferSource() = default;
  /// The position of the first line.
  virtual StreamedLines start() const = 0;
  /// Skips the lines before the position. Throws InputError if the stream has fewer lines, or different ones.
  virtual void skip(const StreamedLines& to) = 0;
  /// Fills a buffer with the next pairs that are kept. from: the position of the stream. Throws what reading throws,
  /// ReadCancelled after break_off(), and InputError if the stream ends and no pair was kept.
  virtual FilledBuffer fill(const StreamedLines& from) = 0;
  /// Ends a fill() that waits. Call no fill() after it. Thread-safe.
  virtual void break_off() = 0;
};

}  // namespace heed::data
