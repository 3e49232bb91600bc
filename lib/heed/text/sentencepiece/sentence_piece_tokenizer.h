// A tokenizer with the SentencePiece library (Kudo and Richardson 2018, https://aclanthology.org/D18-2012).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "heed/text/sentencepiece/unigram_lattice.h"
#include "heed/text/tokenizer.h"
#include "heed/text/tokenizer_options.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace heed::text {

/// A SentencePiece model, unigram or BPE, from any training program. If its special ids are not pad 0, unk 1, bos 2 and
/// eos 3, its pieces get new ids after these four. A TAB, which SentencePiece reserves, counts as a space. A decoded
/// line end (from a byte piece) becomes a space, so that a line remains one line. With a model that treats white space
/// as a suffix, decode drops the space after the last word.
class SentencePieceTokenizer : public Tokenizer {
 public:
  static constexpr std::string_view kEnding = "spm";

  /// `model` is the content of a .spm file. Throws InputError with `path` if it is not a model.
  SentencePieceTokenizer(const std::string& path, std::string model);
  /// The same model with subword regularization. Throws ConfigError unless it is a unigram model.
  std::shared_ptr<const Tokenizer> with(const NbestSampling& sampling) const;
  std::shared_ptr<const Tokenizer> with(const LatticeSampling& sampling) const;

  Ids encode(std::string_view line) const override;
  Ids sample(std::string_view line, RandomStream& random) const override;
  bool samples() const override { return nbest_ || lattice_; }
  std::string decode(std::span<const int32_t> ids) const override;
  std::string piece(int32_t id) const override;
  std::string spelling(int32_t id) const override { return texts_.at(static_cast<size_t>(id)); }
  std::vector<int64_t> words(std::span<const int32_t> ids) const override;
  LineWords line_words(std::string_view line) const override;
  int64_t size() const override { return static_cast<int64_t>(texts_.size()); }
  std::string_view file_ending() const override { return kEnding; }
  std::string serialized() const override { return *model_; }

 private:
  void number_pieces();
  /// Converts ids of the model to ids of this tokenizer.
  Ids numbered(const std::vector<int>& model_ids) const;
  std::shared_ptr<SentencePieceTokenizer> sampler() const;
  std::string normalized(std::string_view line) const;

  std::shared_ptr<const std::string> model_;
  std::shared_ptr<const sentencepiece::SentencePieceProcessor> processor_;
  std::vector<int32_t> ids_;        // by the model's id
  std::vector<int32_t> model_ids_;  // by id; -1 for a special id that the model does not have
  std::vector<std::string> texts_;  // by id
  bool marks_word_ends_ = false;    // whether a space belongs to the piece before it, even at the end of a line
  std::optional<NbestSampling> nbest_;
  std::shared_ptr<const UnigramLattice> lattice_;
  double alpha_ = 0;  // for sampling from the lattice
};

}  // namespace heed::text
