// The interface of tokenizers: text to ids and back, for one side. The special ids are the same for every tokenizer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/random.h"
#include "heed/text/target.h"

namespace heed::text {

/// Supplies the lines of a text that a tokenizer is learned from. Returns false at the end. An exception ends the
/// learning.
using LineSource = std::function<bool(std::string& line)>;
/// The lines of `first`, then those of `second`.
LineSource concatenated(LineSource first, LineSource second);

inline constexpr int32_t kPad = 0;  ///< padding of the rows of a batch; never part of a text
inline constexpr int32_t kUnk = 1;  ///< every token that is not in the vocabulary
inline constexpr int32_t kBos = 2;  ///< the decoder's first input
inline constexpr int32_t kEos = 3;  ///< the end of every source and target sentence

/// The words of a text, separated by white space, and the word of each id.
struct LineWords {
  std::vector<std::string> words;
  std::vector<int64_t> of_id;  ///< index of the word; an id of only white space belongs to the next word; -1: none
};

/// Immutable after construction. All member functions are thread-safe.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// The ids of one line of well-formed UTF-8, without bos and eos.
  virtual Ids encode(std::string_view line) const = 0;
  /// The same as the target of a source. Labels and numbers are not tokens (targets/).
  virtual Target target(std::string_view line) const { return encode(line); }
  /// Samples a segmentation with `random` (subword regularization). Same as encode() if the tokenizer does not sample.
  virtual Ids sample(std::string_view line, RandomStream& random) const;
  /// Whether sample() differs from encode().
  virtual bool samples() const { return false; }
  /// The text of ids. pad, bos and eos have no text.
  virtual std::string decode(std::span<const int32_t> ids) const = 0;
  /// The display form of a vocabulary entry, such as "▁the".
  virtual std::string piece(int32_t id) const = 0;
  /// The text that an entry adds to a line, including its spaces. The joined spellings of a line's ids are the line,
  /// perhaps with a space at its start or end. This holds for every segmentation. Byte pieces add single bytes.
  virtual std::string spelling(int32_t id) const { return piece(id); }
  /// For each id the index of its word in decode(ids), where words are separated by white space. An id of only white
  /// space belongs to the next word. -1 if there is no next word, and for pad, bos and eos.
  virtual std::vector<int64_t> words(std::span<const int32_t> ids) const = 0;
  /// The words of `line` as written, including unknown ones, and the word of each id of encode(line). If the line's
  /// tokens are joined by marks (separators), the words are the joined tokens.
  virtual LineWords line_words(std::string_view line) const = 0;
  /// The number of ids, including special ones.
  virtual int64_t size() const = 0;
  /// An empty target of the type that target() returns. Types other than Ids have no special ids.
  virtual Target target_type() const { return Ids{}; }

  /// The file ending by which load_tokenizer recognizes this kind, such as "spm".
  virtual std::string_view file_ending() const = 0;
  /// The content of the tokenizer's file.
  virtual std::string serialized() const = 0;
};

class Placeholders;

/// The tokenizers of both sides. With a joint vocabulary both have the same pieces. They are one object unless their
/// normalizers differ.
struct Tokenizers {
  std::shared_ptr<const Tokenizer> source;  ///< null for a language model
  std::shared_ptr<const Tokenizer> target;
  /// What replaces the protected text of both sides before the tokenizers read it; null: nothing.
  std::shared_ptr<const Placeholders> placeholders = nullptr;
};

}  // namespace heed::text
