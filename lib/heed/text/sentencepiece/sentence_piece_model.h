// A SentencePiece model with its own pieces and ids, as in SentencePiece's programs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace heed::text {

/// The output format of pieces.
enum class PieceFormat { Piece, Id };
constexpr auto option_names(PieceFormat) {
  return std::array{std::pair{PieceFormat::Piece, "piece"}, std::pair{PieceFormat::Id, "id"}};
}

/// Sampling of segmentations, with the library's own random numbers.
struct SentencePieceSampling {
  int64_t nbest = -1;  ///< number of best segmentations to sample from; -1: all
  double alpha = 0.1;  ///< unigram: sharpness; BPE: probability of skipping a merge
  int64_t seed = 1;
};

/// Whether a model can list its n best segmentations. Only unigram models can.
bool has_best_lists(const sentencepiece::SentencePieceProcessor& processor);

class SentencePieceModel {
 public:
  /// Throws FileError, InputError.
  explicit SentencePieceModel(const std::string& path);
  ~SentencePieceModel();
  SentencePieceModel(const SentencePieceModel&) = delete;
  SentencePieceModel& operator=(const SentencePieceModel&) = delete;

  /// Whether sampling from the n best segmentations is possible (has_best_lists()).
  bool draws_from_lists() const;
  /// From now on encode() samples. The random numbers are those of the calling thread and start at its first use.
  void sample(const SentencePieceSampling& sampling);
  /// Sets "bos", "eos", "reverse", "unk", joined by colons, as in spm_encode. Throws ConfigError.
  void set_extra_options(const std::string& options);

  /// The pieces or ids of a line, separated by spaces.
  std::string encode(const std::string& line, PieceFormat format) const;
  /// The text of pieces or ids that are separated by spaces. Throws std::invalid_argument (without text) for an invalid
  /// id.
  std::string decode(const std::string& line, PieceFormat format) const;

 private:
  std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_;
  std::optional<SentencePieceSampling> sampling_;
};

/// The contents of the two files that spm_train writes.
struct TrainedPieces {
  std::string model;       ///< as from spm_train, without the name of its file
  std::string vocabulary;  ///< one line per piece: the piece, a TAB and its score
};
/// Trains in memory with the options of spm_train, given by name, except model_prefix. Throws ConfigError with the
/// library's message if an option is invalid, else Error. The library reports a value out of range as an internal
/// error.
TrainedPieces train_sentence_pieces(const std::map<std::string, std::string>& options);

}  // namespace heed::text
