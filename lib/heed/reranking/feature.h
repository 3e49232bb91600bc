// The features of a candidate in an n-best list, and the file with their weights.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::reranking {

/// Log-probabilities are natural logarithms, per token: of the candidate, or for `Reverse` of the source.
enum class FeatureKind {
  List,          ///< the score in the n-best list
  Length,        ///< characters of the candidate, divided by the mean of its list
  Forward,       ///< log p(candidate | source) under another translation model
  Reverse,       ///< log p(source | candidate) under a model of the reverse direction (Li et al. 2016)
  RightToLeft,   ///< log p(candidate's words from right to left | source) (Liu et al. 2016, Sennrich et al. 2016)
  LanguageModel  ///< log p(candidate) under a language model
};
constexpr auto option_names(FeatureKind) {
  return std::array{std::pair{FeatureKind::List, "list"},
                    std::pair{FeatureKind::Length, "length"},
                    std::pair{FeatureKind::Forward, "forward"},
                    std::pair{FeatureKind::Reverse, "reverse"},
                    std::pair{FeatureKind::RightToLeft, "right-to-left"},
                    std::pair{FeatureKind::LanguageModel, "language-model"}};
}

struct Feature {
  FeatureKind kind = FeatureKind::List;
  std::string model = {};  ///< model directory, for the kinds that need one
  double weight = 0;
  bool operator==(const Feature&) const = default;
};
constexpr bool has_model(FeatureKind kind) { return kind != FeatureKind::List && kind != FeatureKind::Length; }

/// The `Length` feature of each candidate.
std::vector<double> relative_lengths(std::span<const std::string> candidates);

/// The words of a line in reverse order. Words are separated by white space in the input and by one space in the
/// result.
std::string from_right_to_left(const std::string& text);

/// As JSON: {"features": [{"kind": "list", "weight": 0.5}, {"kind": "reverse", "model": "DIR", "weight": 0.2}, ...]}.
std::string format_features(std::span<const Feature> features);
/// Reads a file with that text, of at least one feature. Throws FileError, InputError.
std::vector<Feature> read_features(const std::string& path);

}  // namespace heed::reranking
