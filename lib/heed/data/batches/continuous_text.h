// Reads a corpus of one language as one continuous text, for language models that carry their state from line to line.
// The text is "bos ids eos" of every line, in order. It is split between lines into columns of nearly equal length. The
// columns are read in parallel, `steps` tokens at a time (Zaremba et al. 2014, https://arxiv.org/abs/1409.2329, section
// 4.1). Every token except bos is predicted exactly once: no remainder is dropped.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "heed/data/corpus/data_options.h"
#include "heed/data/corpus/micro_batch.h"
#include "heed/data/encoded/encoded_corpus.h"

namespace heed::data {

class ContinuousText {
 public:
  /// Takes 8 bytes of memory per line.
  ContinuousText(std::shared_ptr<const EncodedCorpus> corpus, const TextContext& context);

  int64_t columns() const { return static_cast<int64_t>(begins_.size()) - 1; }
  int64_t windows() const { return windows_; }
  /// The n-th window of all columns, as batches of at most `micro-batches` groups of columns. Each row begins with the
  /// last token of the window before and has `steps` more tokens. Columns that end earlier are padded. A group whose
  /// columns have all ended is left out.
  std::vector<MicroBatch> window(int64_t window, int64_t micro_batches) const;

 private:
  int64_t length(int64_t column) const { return lengths_[static_cast<size_t>(column)]; }
  MicroBatch group(int64_t window, int64_t first, int64_t last) const;
  void fill(MicroBatch& batch, IdMatrix& target, int64_t row, int64_t column, int64_t begin) const;

  std::shared_ptr<const EncodedCorpus> corpus_;
  int64_t steps_;
  int64_t windows_ = 0;
  std::vector<int64_t> begins_;   // first line of each column; then the number of lines
  std::vector<int64_t> lengths_;  // tokens of each column
  std::vector<int64_t> places_;   // position of each line's bos in its column
};

/// The whole corpus, window by window.
std::vector<MicroBatch> text_batches(std::shared_ptr<const EncodedCorpus> corpus, const TextContext& context);

}  // namespace heed::data
