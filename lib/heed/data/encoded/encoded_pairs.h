// Encoded pairs that updates are made of, wherever they are: in the files of a corpus, or in the buffer of a stream.
#pragma once

#include <cstdint>
#include <string>

#include "heed/data/corpus/corpus_files.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/corpus/source_vectors.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// Any number of threads may read.
class EncodedPairs {
 public:
  virtual ~EncodedPairs() = default;

  virtual bool has_source() const = 0;
  virtual text::TargetKind target_kind() const = 0;
  /// Ids without bos and eos; empty for the source of a language model. Of word labels the target has an id for each of
  /// the source's: the label where a word begins, kNoLabel elsewhere.
  virtual text::Ids source_ids(int64_t pair) const = 0;
  virtual text::Ids target_ids(int64_t pair) const = 0;
  /// The lines as read.
  virtual TextPair text(int64_t pair) const = 0;
  /// Where the target (or pair) was read, "train.de:5", for messages.
  virtual std::string place(int64_t pair) const = 0;
  /// What the loss of a pair counts, above 0: 1, unless the text came with weights.
  virtual bool has_weights() const = 0;
  virtual float weight(int64_t pair) const = 0;
  /// The vectors of the sources, and which item of them is that of a pair; null: there are none.
  virtual const SourceVectors* vectors() const = 0;
  virtual int64_t vector_item(int64_t pair) const = 0;
  /// The numbers of ids, and of vectors that an encoder reads.
  virtual int64_t source_length(int64_t pair) const = 0;
  virtual int64_t target_length(int64_t pair) const = 0;
  /// What was left out.
  virtual const CorpusOptions& limits() const = 0;
};

}  // namespace heed::data
