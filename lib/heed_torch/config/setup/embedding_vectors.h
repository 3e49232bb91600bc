// Word vectors (heed embeddings, word2vec, GloVe) as the first values of a model's embeddings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "heed/architecture/architecture.h"
#include "heed/text/tokenizer.h"
#include "heed/vectors/word_vectors.h"
#include "heed_torch/config/embedding_vector_options.h"
#include "heed_torch/models/model.h"

namespace heed::config {

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
