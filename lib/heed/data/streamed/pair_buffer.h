// The encoded pairs of a stream's shuffle buffer, in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heed/data/corpus/corpus_summary.h"
#include "heed/data/encoded/encoded_pair.h"
#include "heed/data/encoded/encoded_pairs.h"

namespace heed::data {

/// Their targets are text. Takes the bytes of the text, 4 bytes per token and 32 bytes per pair.
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
  void set_places(LinePlaces places) { places_ = std::move(places); }
  const LinePlaces& places() const { return places_; }

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
    uint32_t source_bytes, target_bytes;
    float weight;
  };
  const Entry& entry(int64_t pair) const;
  text::Ids ids(uint64_t begin, uint32_t count) const;

  CorpusForm form_;
  CorpusOptions limits_;
  int64_t first_;
  LinePlaces places_;
  std::vector<Entry> entries_;
  std::vector<int32_t> ids_;
  std::string text_;
};

}  // namespace heed::data
