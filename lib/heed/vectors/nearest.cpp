#include "heed/vectors/nearest.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace heed::vectors {
namespace {

double product(std::span<const float> a, std::span<const float> b) {
  const auto times = [](double x, double y) { return x * y; };  // in double, since a float might overflow
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(), times);
}

double length(std::span<const float> a) { return std::sqrt(product(a, a)); }

}  // namespace

std::vector<Neighbor> nearest(const WordVectors& vectors, std::span<const float> query, int64_t count,
                              const std::vector<int64_t>& except) {
  struct Candidate {
    double cosine;
    int64_t word;
  };
  std::vector<Candidate> candidates;
  const double own = length(query);
  for (int64_t word = 0; word < vectors.size(); ++word) {
    const double other = length(vectors.vector(word));
    if (own == 0 || other == 0 || std::ranges::find(except, word) != except.end()) continue;
    candidates.push_back({product(query, vectors.vector(word)) / (own * other), word});
  }
  const auto wanted = std::min<int64_t>(count, std::ssize(candidates));
  std::ranges::partial_sort(candidates, candidates.begin() + wanted, [](const Candidate& a, const Candidate& b) {
    return a.cosine != b.cosine ? a.cosine > b.cosine : a.word < b.word;
  });
  std::vector<Neighbor> found;
  for (const Candidate& candidate : std::span(candidates).first(static_cast<size_t>(wanted))) {
    found.push_back({vectors.words()[static_cast<size_t>(candidate.word)], candidate.cosine});
  }
  return found;
}

std::vector<float> analogy(const WordVectors& vectors, int64_t a, int64_t b, int64_t c) {
  std::vector<float> sum(static_cast<size_t>(vectors.width()), 0);
  const auto add = [&](int64_t word, double sign) {
    const auto vector = vectors.vector(word);
    const double own = length(vector);
    for (size_t i = 0; own > 0 && i < sum.size(); ++i) sum[i] += static_cast<float>(sign * vector[i] / own);
  };
  add(b, 1);
  add(a, -1);
  add(c, 1);
  return sum;
}

}  // namespace heed::vectors
