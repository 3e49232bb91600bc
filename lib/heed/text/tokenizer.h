// One side's tokenizer: text to the ids a model sees, and back. The special ids are the same for every tokenizer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/random.h"

namespace heed::text {

using Ids = std::vector<int32_t>;

/// Gives the next line of a text that a tokenizer is learned from; false at its end. May throw, which ends the
/// learning.
using LineSource = std::function<bool(std::string& line)>;
/// The lines of `first`, then those of `second`.
LineSource concatenated(LineSource first, LineSource second);

inline constexpr int32_t kPad = 0;  ///< fills up the rows of a batch; never part of a text
inline constexpr int32_t kUnk = 1;  ///< whatever the vocabulary lacks
inline constexpr int32_t kBos = 2;  ///< the decoder's first input
inline constexpr int32_t kEos = 3;  ///< the end of every source and target sentence

/// The words of a text, which stand between white space, and the word that each id belongs to.
struct LineWords {
  std::vector<std::string> words;
  std::vector<int64_t> of_id;  ///< an id of nothing but white space belongs to the word after it; -1: none
};

/// What a line of the target is to a model.
enum class TargetKind {
  Text,        ///< tokens that a decoder writes one after the other
  Class,       ///< one label
  WordLabels,  ///< a label for each word of the source
  Numbers,     ///< always as many numbers
};

/// Immutable after construction; every member may be called from several threads at once.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// The ids of one line of well-formed UTF-8, without bos and eos.
  virtual Ids encode(std::string_view line) const = 0;
  /// One of several segmentations, drawn from `random` (subword regularisation); encode() where the tokenizer has one.
  virtual Ids sample(std::string_view line, RandomStream& random) const;
  /// Whether sample() differs from encode().
  virtual bool samples() const { return false; }
  /// The text of ids; pad, bos and eos vanish.
  virtual std::string decode(std::span<const int32_t> ids) const = 0;
  /// One vocabulary entry as its text form, such as "▁the".
  virtual std::string piece(int32_t id) const = 0;
  /// The text that an entry adds to a line, its spaces included. The spellings of a line's ids, joined, are the line,
  /// perhaps with a space at its begin or end, however the line is segmented. Byte pieces add single bytes.
  virtual std::string spelling(int32_t id) const { return piece(id); }
  /// For each id the index of the word of decode(ids) (words stand between white space) that it belongs to. An id of
  /// nothing but white space belongs to the word after it; -1 where there is none, and for pad, bos and eos.
  virtual std::vector<int64_t> words(std::span<const int32_t> ids) const = 0;
  /// The words of `line` as it is written, unknown ones too, with those of the ids of encode(line). Where marks join
  /// the line's tokens, its words are the joined ones.
  virtual LineWords line_words(std::string_view line) const = 0;
  /// The number of ids, special ones included.
  virtual int64_t size() const = 0;
  /// What lines of a target with this tokenizer are. But for text there are no special ids (targets/).
  virtual TargetKind target_kind() const { return TargetKind::Text; }

  /// The file ending that load_tokenizer knows this kind by, such as "spm".
  virtual std::string_view file_ending() const = 0;
  /// The content of that file.
  virtual std::string serialized() const = 0;
};

/// The two sides of a model. With a joint vocabulary both have the same pieces, and are one tokenizer unless they
/// normalize text differently.
struct Tokenizers {
  std::shared_ptr<const Tokenizer> source;  ///< null for a language model
  std::shared_ptr<const Tokenizer> target;
};

}  // namespace heed::text
