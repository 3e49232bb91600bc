// A SentencePiece model as SentencePiece's own programs use it: its pieces and ids as they are.
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

/// How pieces are written.
enum class PieceFormat { Piece, Id };
constexpr auto option_names(PieceFormat) {
  return std::array{std::pair{PieceFormat::Piece, "piece"}, std::pair{PieceFormat::Id, "id"}};
}

/// Drawing from segmentations, with the library's own generator.
struct SentencePieceSampling {
  int64_t nbest = -1;  ///< of how many best ones; -1: all
  double alpha = 0.1;  ///< unigram: sharpness; BPE: probability of leaving out a merge
  int64_t seed = 1;
};

/// Whether a model can list the best segmentations, as unigram models can.
bool has_best_lists(const sentencepiece::SentencePieceProcessor& processor);

class SentencePieceModel {
 public:
  /// Throws FileError, InputError.
  explicit SentencePieceModel(const std::string& path);
  ~SentencePieceModel();
  SentencePieceModel(const SentencePieceModel&) = delete;
  SentencePieceModel& operator=(const SentencePieceModel&) = delete;

  /// Whether drawing may be from the best segmentations (has_best_lists()) instead of from all.
  bool draws_from_lists() const;
  /// From now on encode() draws. The generator is that of the calling thread, whose sequence begins at its first use.
  void sample(const SentencePieceSampling& sampling);
  /// "bos", "eos", "reverse", "unk" joined by colons, as spm_encode has them. Throws ConfigError.
  void set_extra_options(const std::string& options);

  /// The pieces or ids of a line with spaces between them.
  std::string encode(const std::string& line, PieceFormat format) const;
  /// The text of pieces or ids with spaces between them. Throws std::invalid_argument (without text) where one is no
  /// id.
  std::string decode(const std::string& line, PieceFormat format) const;

 private:
  std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_;
  std::optional<SentencePieceSampling> sampling_;
};

/// The content of the two files that spm_train writes.
struct TrainedPieces {
  std::string model;       ///< as spm_train's, without the name of its file in it
  std::string vocabulary;  ///< a line per piece: the piece, a TAB and its score
};
/// Trains in memory by the options of spm_train, by name; model_prefix has no place among them. Throws with the
/// library's message: ConfigError where an option is to blame (it calls a value out of range an internal error), else
/// Error.
TrainedPieces train_sentence_pieces(const std::map<std::string, std::string>& options);

}  // namespace heed::text
