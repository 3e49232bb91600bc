// Word vectors (heed embeddings, word2vec, GloVe) as initial values of a model's embeddings.
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

/// Throws ConfigError if the options do not fit how the model shares its tables.
void validate(const EmbeddingVectorOptions& options, const models::ArchitectureOptions& arch);

/// The vectors of one file.
struct EmbeddingVectors {
  std::string file;
  vectors::WordVectors vectors;
};
/// The vectors of each side for which the options name a file.
struct SidesVectors {
  std::optional<EmbeddingVectors> source, target;
};
/// Throws FileError and InputError; ConfigError if the vectors do not have the width d_model.
SidesVectors read_embedding_vectors(const EmbeddingVectorOptions& options, int64_t d_model);

/// Sets the rows of the tokens that have a vector. A SentencePiece piece that begins a word is looked up as that word.
/// The vector of the file is what the model sees after embedding-scale. Logs how many tokens of the vocabulary have
/// one. Throws Error if no token has one.
void set_embedding_vectors(models::Model& model, const text::Tokenizers& tokenizers, const SidesVectors& given);

/// Turns off the gradient of the frozen embeddings.
void freeze_embeddings(models::Model& model, const EmbeddingVectorOptions& options);

}  // namespace heed::config
