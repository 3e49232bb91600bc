// A buffer for text made of many short pieces.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <string_view>

namespace heed::text {

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

}  // namespace heed::text
