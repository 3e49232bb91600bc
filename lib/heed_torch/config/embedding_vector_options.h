// Options for word vectors as initial values of a model's embeddings (setup/embedding_vectors.h).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "heed/core/options.h"

namespace heed::config {

/// Which embeddings training does not change.
enum class FrozenEmbeddings { None, Source, Target, Both };
constexpr auto option_names(FrozenEmbeddings) {
  using Name = std::pair<FrozenEmbeddings, std::string_view>;
  return std::array{Name{FrozenEmbeddings::None, "none"}, Name{FrozenEmbeddings::Source, "source"},
                    Name{FrozenEmbeddings::Target, "target"}, Name{FrozenEmbeddings::Both, "both"}};
}

struct EmbeddingVectorOptions {
  std::string source;  ///< file of vectors; empty: random initial values
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

}  // namespace heed::config
