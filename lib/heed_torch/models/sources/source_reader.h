// Computes the encoder's input from a source: embeddings of its tokens, its vectors, or both, tokens first.
#pragma once

#include <cstdint>
#include <memory>

#include <torch/nn/module.h>

#include "heed_torch/models/sources/source.h"
#include "heed_torch/models/sources/vector_reader.h"
#include "heed_torch/nn/embedding.h"

namespace heed::models {

class SourceReader {
 public:
  /// embedding: null without text. borrowed: another module owns and registers the embedding. vectors: null without
  /// vectors.
  SourceReader(int64_t d_model, nn::TokenEmbedding embedding, bool borrowed, std::shared_ptr<VectorReader> vectors);

  SourceStates read(const Source& source);
  /// Registers its own modules as `embedding` and `vectors`.
  void register_in(torch::nn::Module& encoder) const;
  int64_t d_model() const { return d_model_; }
  const std::shared_ptr<VectorReader>& vectors() const { return vectors_; }

 private:
  SourceStates read_tokens(const Tensor& tokens);

  int64_t d_model_;
  nn::TokenEmbedding embedding_;
  bool borrowed_;
  std::shared_ptr<VectorReader> vectors_;
};

/// Concatenates both in each row and moves all padding to the end.
SourceStates joined(const SourceStates& first, const SourceStates& second);

}  // namespace heed::models
