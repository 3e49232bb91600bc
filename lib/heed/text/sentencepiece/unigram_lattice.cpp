#include "heed/text/sentencepiece/unigram_lattice.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <sentencepiece_processor.h>

namespace heed::text {
namespace {

// As in SentencePiece: an unknown character scores this much less than the least probable piece.
constexpr double kUnknownPenalty = 10;

size_t character_size(std::string_view text, size_t begin) {
  size_t end = begin + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) ++end;
  return end - begin;
}

double log_add(double a, double b) {
  const double high = std::max(a, b);
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

}  // namespace

UnigramLattice::UnigramLattice(const sentencepiece::SentencePieceProcessor& model)
    : nodes_(1), unknown_(model.unk_id()) {
  double lowest = std::numeric_limits<double>::max();
  double highest = std::numeric_limits<double>::lowest();
  std::vector<int32_t> user_symbols;
  for (int32_t id = 0; id < model.GetPieceSize(); ++id) {
    if (model.IsByte(id)) bytes_.push_back(id);
    if (model.IsByte(id) || model.IsControl(id) || model.IsUnknown(id) || model.IsUnused(id)) continue;
    const double score{model.GetScore(id)};
    // User symbols have the score 0; learned pieces never do.
    if (score == 0) {
      user_symbols.push_back(id);
      continue;
    }
    add(model.IdToPiece(id), id, score);
    lowest = std::min(lowest, score);
    highest = std::max(highest, score);
  }
  for (const int32_t id : user_symbols) {
    const std::string& piece = model.IdToPiece(id);
    add(piece, id, static_cast<double>(piece.size()) * highest - 0.1);
  }
  unknown_score_ = lowest - kUnknownPenalty;
}

void UnigramLattice::add(std::string_view piece, int32_t id, double score) {
  uint32_t node = 0;
  for (const char c : piece) {
    node = steps_.add(node, static_cast<unsigned char>(c)) + 1;
    if (node == nodes_.size()) nodes_.emplace_back();
  }
  nodes_[node] = {.id = id, .score = score};
}

UnigramLattice::Edges UnigramLattice::edges_of(std::string_view text, double alpha) const {
  Edges edges(text.size() + 1);
  for (size_t begin = 0; begin < text.size();) {
    const size_t character_end = begin + character_size(text, begin);
    bool covered = false;
    uint32_t node = 0;
    for (size_t end = begin; end < text.size();) {
      node = steps_.find(node, static_cast<unsigned char>(text[end])) + 1;  // if not found, kNone + 1 is 0: the root,
                                                                            // to which no edge leads
      if (node == 0) break;
      ++end;
      if (nodes_[node].id < 0) continue;
      edges[end].push_back({static_cast<uint32_t>(begin), nodes_[node].id, alpha * nodes_[node].score});
      covered = covered || end == character_end;
    }
    if (!covered) edges[character_end].push_back({static_cast<uint32_t>(begin), unknown_, alpha * unknown_score_});
    begin = character_end;
  }
  return edges;
}

Ids UnigramLattice::sample(std::string_view text, double alpha, RandomStream& random) const {
  const Edges edges = edges_of(text, alpha);
  std::vector<double> sums(text.size() + 1, -std::numeric_limits<double>::infinity());
  sums[0] = 0;
  for (size_t end = 1; end <= text.size(); ++end) {
    for (const Edge& edge : edges[end]) sums[end] = log_add(sums[end], sums[edge.begin] + edge.score);
  }
  Ids reversed;
  for (size_t end = text.size(); end > 0;) {
    double rest = random.uniform();
    size_t drawn = 0;
    for (; drawn + 1 < edges[end].size(); ++drawn) {
      const Edge& edge = edges[end][drawn];
      rest -= std::exp(sums[edge.begin] + edge.score - sums[end]);
      if (rest < 0) break;
    }
    const Edge& edge = edges[end][drawn];
    if (edge.id == unknown_)
      append_unknown(text.substr(edge.begin, end - edge.begin), reversed);
    else
      reversed.push_back(edge.id);
    end = edge.begin;
  }
  std::ranges::reverse(reversed);
  return reversed;
}

void UnigramLattice::append_unknown(std::string_view text, Ids& reversed) const {
  if (bytes_.size() == 256) {
    for (size_t i = text.size(); i > 0; --i) reversed.push_back(bytes_[static_cast<unsigned char>(text[i - 1])]);
  } else if (reversed.empty() || reversed.back() != unknown_) {
    reversed.push_back(unknown_);
  }
}

}  // namespace heed::text
