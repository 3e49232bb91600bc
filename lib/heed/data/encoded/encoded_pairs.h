// The interface of encoded pairs that updates are made of. They are in the files of a corpus or in the buffer of a
// stream.
#pragma once

#include <cstdint>
#include <string>

#include "heed/data/corpus/corpus_files.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/corpus/source_vectors.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// Thread-safe.
class EncodedPairs {
 public:
  virtual ~EncodedPairs() = default;

  virtual bool has_source() const = 0;
  virtual text::TargetKind target_kind() const = 0;
  /// Ids without bos and eos. The source of a language model has none. A target of word labels has one entry per source
  /// id: the label if a word begins there, else kNoLabel.
  virtual text::Ids source_ids(int64_t pair) const = 0;
  virtual text::Ids target_ids(int64_t pair) const = 0;
  /// The lines as read.
  virtual TextPair text(int64_t pair) const = 0;
  /// The place where the target (or pair) was read, for messages: "train.de:5".
  virtual std::string place(int64_t pair) const = 0;
  /// The weight of a pair's loss, above 0. It is 1 if the text has no weights.
  virtual bool has_weights() const = 0;
  virtual float weight(int64_t pair) const = 0;
  /// The vectors of the sources, and the item of a pair among them. Null: there are none.
  virtual const SourceVectors* vectors() const = 0;
  virtual int64_t vector_item(int64_t pair) const = 0;
  /// The number of ids, plus the vectors that the encoder reads.
  virtual int64_t source_length(int64_t pair) const = 0;
  virtual int64_t target_length(int64_t pair) const = 0;
  /// The options that decided which pairs were left out.
  virtual const CorpusOptions& limits() const = 0;
};

}  // namespace heed::data
