// Applies byte-pair encoding to whole texts.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/text/bpe/bpe_segmenter.h"
#include "heed/text/bpe/words/plain_lines.h"
#include "heed/text/bpe/words/string_table.h"
#include "heed/text/bpe/words/text_lines.h"
#include "heed/text/bpe/words/unit_list.h"

namespace heed::text {

/// A buffer for text made of many short pieces.
class TextBuffer {
 public:
  std::string_view text() const { return {bytes_.data(), size_}; }
  size_t size() const { return size_; }
  /// Keeps the allocated memory.
  void clear() { size_ = 0; }

  void append(std::string_view piece) {
    make_room(piece.size());
    piece.copy(bytes_.data() + size_, piece.size());  // unlike memcpy, it accepts the null pointer of an empty piece
    size_ += piece.size();
  }
  void append(char byte) {
    make_room(1);
    bytes_[size_++] = byte;
  }
  /// Appends the first `size` bytes of an array. It copies the whole array, because a copy of constant size is much
  /// faster.
  template <size_t kSize>
  void append_of(const std::array<char, kSize>& bytes, size_t size) {
    make_room(kSize);
    std::memcpy(bytes_.data() + size_, bytes.data(), kSize);
    size_ += size;
  }

 private:
  void make_room(size_t count) {
    if (bytes_.size() - size_ < count) bytes_.resize(2 * bytes_.size() + count);
  }

  std::string bytes_;  // the text, then unused capacity
  size_t size_ = 0;
};

/// A cache of segmented words. It is emptied when it grows large, so that its memory is bounded.
class WordCache {
 public:
  /// Call it for several words before append().
  void prefetch(const PlainWord& word) const { short_.prefetch(word.key); }
  /// Appends the cached result of the word. Returns false if it is not cached.
  bool append(const PlainWord& word, TextBuffer& out) const {
    const ShortResult* result = word.key.empty() ? nullptr : short_.find(word.key);
    if (result == nullptr) return append_long(word.text, out);
    out.append_of(result->bytes, result->size);
    return true;
  }
  /// Caches the result of a word that is not cached yet.
  void keep(const PlainWord& word, std::string_view result);

 private:
  /// With this size a slot of the map has 48 bytes. Larger slots would cost more than the few long results do.
  struct ShortResult {
    std::array<char, 31> bytes;
    uint8_t size;
  };
  bool append_long(std::string_view word, TextBuffer& out) const;
  void forget_if_large();

  ShortWordMap<ShortResult> short_;  // short results of short words
  StringTable long_;                 // all other words
  std::string results_;              // results of the words in long_
  std::vector<size_t> ends_{0};      // 0, then the end of each result in results_
};

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
