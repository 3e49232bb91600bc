// Applies byte-pair encoding to whole texts.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/text/bpe/bpe_segmenter.h"
#include "heed/text/bpe/words/plain_lines.h"
#include "heed/text/bpe/words/text_buffer.h"
#include "heed/text/bpe/words/text_lines.h"
#include "heed/text/bpe/words/unit_list.h"
#include "heed/text/bpe/words/word_cache.h"

namespace heed::text {

/// Segments lines. White space before the first word and after the last word is kept; words are joined by one space.
/// Without dropout, results are cached by word. Use one object per thread.
class LineSegmenter {
 public:
  explicit LineSegmenter(const BpeSegmenter& words) : words_(words) {}
  /// With dropout. `uniform` gives the random numbers, in the order of the text.
  LineSegmenter(const BpeSegmenter& words, double dropout, UniformSource uniform)
      : words_(words), dropout_(dropout), uniform_(std::move(uniform)) {}

  /// Appends the segmented lines of a block.
  void add_block(std::string_view block, LineEnds ends, TextBuffer& out);

 private:
  void add_plain_words(LineEnds ends, TextBuffer& out);
  void add_line(std::string_view line, LineEnds ends, TextBuffer& out);
  void add_known(const PlainWord& word, LineEnds ends, TextBuffer& out);
  void add_word(std::string_view word, TextBuffer& out);

  const BpeSegmenter& words_;
  double dropout_ = 0;
  UniformSource uniform_;
  UnitList units_;
  WordCache known_;
  std::vector<PlainWord> plain_words_;  // of the current lines
};

/// Segments a file (.gz too; "-" is standard input) on `threads` threads and passes the result to `write` in blocks.
/// With dropout, one thread reads the text in order. Throws FileError, InputError and what `write` throws.
void segment_text(const std::string& path, LineEnds ends, const BpeSegmenter& words, int64_t threads,
                  const std::function<void(std::string_view)>& write);
void segment_text(const std::string& path, LineEnds ends, LineSegmenter& lines,
                  const std::function<void(std::string_view)>& write);

}  // namespace heed::text
