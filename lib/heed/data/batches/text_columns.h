// A corpus of one language as one text, for language models whose state goes on from line to line. The text is "bos ids
// eos" of every line, one after the other; it is cut between lines into columns of nearly equal length, which are read
// side by side, `steps` tokens at a time (Zaremba et al. 2014, https://arxiv.org/abs/1409.2329, section 4.1). Every
// token but bos is predicted exactly once: no remainder is dropped.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "heed/data/corpus/batch.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/encoded/encoded_corpus.h"

namespace heed::data {

class TextColumns {
 public:
  /// Takes 8 bytes of memory a line.
  TextColumns(std::shared_ptr<const EncodedCorpus> corpus, const TextContext& context);

  int64_t columns() const { return static_cast<int64_t>(begins_.size()) - 1; }
  int64_t windows() const { return windows_; }
  /// A window of all columns, as batches of at most `parts` groups of columns; groups of which no column goes on are
  /// left out. A row begins with the last token of the window before and has `steps` more; columns that end earlier are
  /// padded.
  std::vector<Batch> window(int64_t window, int64_t parts) const;

 private:
  int64_t length(int64_t column) const { return lengths_[static_cast<size_t>(column)]; }
  Batch group(int64_t window, int64_t first, int64_t last) const;
  void fill(Batch& batch, int64_t row, int64_t column, int64_t begin) const;

  std::shared_ptr<const EncodedCorpus> corpus_;
  int64_t steps_;
  int64_t windows_ = 0;
  std::vector<int64_t> begins_;   // each column's first line, and the number of lines
  std::vector<int64_t> lengths_;  // of each column, in tokens
  std::vector<int64_t> places_;   // of each line's bos in its column
};

/// The whole corpus in order of its windows.
std::vector<Batch> text_batches(std::shared_ptr<const EncodedCorpus> corpus, const TextContext& context);

}  // namespace heed::data
