// The lattice of all segmentations of a text by a unigram model (Kudo 2018, https://arxiv.org/abs/1804.10959), for
// sampling.
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

/// Samples a segmentation x from all segmentations with probability proportional to P(x)^alpha. It uses forward
/// filtering and backward sampling: it sums over all paths to each position from the left, then samples pieces from the
/// right. The cost is linear in the length of the text.
class UnigramLattice {
 public:
  explicit UnigramLattice(const sentencepiece::SentencePieceProcessor& model);
  /// The model's ids for a text that the model has already normalized. Adjacent unknown characters are one id. In a
  /// model with byte pieces they are the ids of their bytes.
  Ids sample(std::string_view normalized, double alpha, RandomStream& random) const;

 private:
  struct Edge {
    uint32_t begin;  // byte offset
    int32_t id;
    double score;  // alpha times the log-probability
  };
  /// By byte: the edges that end there.
  using Edges = std::vector<std::vector<Edge>>;

  void add(std::string_view piece, int32_t id, double score);
  Edges edges_of(std::string_view text, double alpha) const;
  void append_unknown(std::string_view text, Ids& reversed) const;

  struct Node {
    int32_t id = -1;  // of the piece that ends at the node; -1: none
    double score = 0;
  };
  PairTable steps_;          // trie edges (node, byte); the number of the pair plus one is the next node
  std::vector<Node> nodes_;  // the root is first
  int32_t unknown_;
  double unknown_score_ = 0;
  std::vector<int32_t> bytes_;  // ids of the byte pieces; empty if the model has none
};

}  // namespace heed::text
