// Word vectors (heed embeddings, word2vec, GloVe) as the first values of a model's embeddings.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "heed/core/options.h"
#include "heed/models/model.h"
#include "heed/text/tokenizer.h"
#include "heed/vectors/word_vectors.h"

namespace heed::config {

/// Which embeddings keep their first values.
enum class FrozenEmbeddings { None, Source, Target, Both };
constexpr auto option_names(FrozenEmbeddings) {
  using Name = std::pair<FrozenEmbeddings, std::string_view>;
  return std::array{Name{FrozenEmbeddings::None, "none"}, Name{FrozenEmbeddings::Source, "source"},
                    Name{FrozenEmbeddings::Target, "target"}, Name{FrozenEmbeddings::Both, "both"}};
}

struct EmbeddingVectorOptions {
  std::string source;  ///< file of vectors; empty: drawn as all other parameters
  std::string target;
  FrozenEmbeddings frozen = FrozenEmbeddings::None;
  bool operator==(const EmbeddingVectorOptions&) const = default;

  bool freezes_source() const { return frozen == FrozenEmbeddings::Source || frozen == FrozenEmbeddings::Both; }
  bool freezes_target() const { return frozen == FrozenEmbeddings::Target || frozen == FrozenEmbeddings::Both; }
};
void describe(EmbeddingVectorOptions& o, AnyOptionVisitor auto& visit) {
  visit("source", o.source, "`FILE` of word vectors (word2vec's or GloVe's text format) as initial source embeddings");
  visit("target", o.target, "`FILE` of word vectors as initial target embeddings");
  visit("frozen", o.frozen,
        "embeddings that training does not change; the target's only with arch.tied-embeddings none");
}

/// Throws ConfigError where tables are shared in a way that the options do not fit.
void validate(const EmbeddingVectorOptions& options, const models::ArchitectureOptions& arch);

/// The vectors of one file.
struct EmbeddingVectors {
  std::string file;
  vectors::WordVectors vectors;
};
/// Those of each side, where the options name a file.
struct SidesVectors {
  std::optional<EmbeddingVectors> source, target;
};
/// Throws FileError and InputError, ConfigError for vectors that are not of the width d_model.
SidesVectors read_embedding_vectors(const EmbeddingVectorOptions& options, int64_t d_model);

/// Sets the rows of the tokens that have a vector; a SentencePiece piece that begins a word is that word. What the
/// model sees, embedding-scale included, is the file's vector. Logs how many tokens of the vocabulary have one. Throws
/// Error when none has.
void set_embedding_vectors(models::Model& model, const text::Tokenizers& tokenizers, const SidesVectors& given);

/// Takes the gradient from the frozen embeddings.
void freeze_embeddings(models::Model& model, const EmbeddingVectorOptions& options);

}  // namespace heed::config
