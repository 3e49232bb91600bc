// The lattice of all segmentations of a text by a unigram model (Kudo 2018, https://arxiv.org/abs/1804.10959), to
// sample from.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "heed/core/random.h"
#include "heed/text/bpe/pair_statistics.h"
#include "heed/text/tokenizer.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace heed::text {

/// Draws segmentations x with probability proportional to P(x)^alpha among all that there are: sums over the ways to
/// each position from the left, then pieces drawn from the right (forward filtering, backward sampling). The cost is
/// linear in the text's length.
class UnigramLattice {
 public:
  explicit UnigramLattice(const sentencepiece::SentencePieceProcessor& model);
  /// The model's ids for a text that the model has normalized. Neighboring unknown characters are one id, or the ids of
  /// their bytes in a model with byte pieces.
  Ids sample(std::string_view normalized, double alpha, RandomStream& random) const;

 private:
  struct Edge {
    uint32_t begin;  // byte
    int32_t id;
    double score;  // alpha times the log-probability
  };
  /// The edges that end at each byte.
  using Edges = std::vector<std::vector<Edge>>;

  void add(std::string_view piece, int32_t id, double score);
  Edges edges_of(std::string_view text, double alpha) const;
  void append_unknown(std::string_view text, Ids& reversed) const;

  struct Node {
    int32_t id = -1;  // of the piece that ends here
    double score = 0;
  };
  PairTable steps_;          // from a node by a byte: to the node of this number plus one
  std::vector<Node> nodes_;  // the root first
  int32_t unknown_;
  double unknown_score_ = 0;
  std::vector<int32_t> bytes_;  // ids of the byte pieces, if the model has them
};

}  // namespace heed::text
