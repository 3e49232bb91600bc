// The interface of encoded pairs that steps are made of. They are in the files of a corpus or in the buffer of a
// stream.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "heed/data/corpus/corpus_files.h"
#include "heed/data/corpus/corpus_summary.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/corpus/source_vectors.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// Thread-safe.
class EncodedPairs {
 public:
  virtual ~EncodedPairs() = default;

  virtual const CorpusForm& form() const = 0;
  bool has_source() const { return form().has_source; }
  /// Without bos and eos. The source of a language model has no ids.
  virtual text::Ids source_ids(int64_t pair) const = 0;
  virtual text::Target target(int64_t pair) const = 0;
  /// The tokens of a target that is text. Throws std::bad_variant_access for other targets.
  text::Ids target_ids(int64_t pair) const { return std::get<text::Ids>(target(pair)); }
  /// The lines as read.
  virtual TextPair text(int64_t pair) const = 0;
  /// The place where the target (or pair) was read, for messages: "train.de:5".
  virtual std::string place(int64_t pair) const = 0;
  /// The weight of a pair's loss, above 0. It is 1 if the text has no weights.
  bool has_weights() const { return form().has_weights; }
  virtual float weight(int64_t pair) const = 0;
  /// The vectors of the sources, and the item of a pair among them. Null: there are none.
  virtual const SourceVectors* vectors() const = 0;
  virtual int64_t vector_item(int64_t pair) const = 0;
  /// The number of ids, plus the vectors that the encoder reads.
  virtual int64_t source_length(int64_t pair) const = 0;
  /// text::length() of the target.
  virtual int64_t target_length(int64_t pair) const = 0;
  /// The options that decided which pairs were left out.
  virtual const CorpusOptions& limits() const = 0;
};

}  // namespace heed::data
