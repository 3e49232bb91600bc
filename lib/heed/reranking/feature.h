// What a candidate of an n-best list is judged by, and the file that says how much each of it weighs.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::reranking {

/// Log-probabilities are natural, a token: of the candidate, of `Reverse` of the source.
enum class FeatureKind {
  List,          ///< the score in the n-best list
  Length,        ///< the candidate's characters, divided by the mean of its list
  Forward,       ///< log p(candidate | source) under another translation model
  Reverse,       ///< log p(source | candidate) under a model that translates back (Li et al. 2016)
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
  std::string model = {};  ///< the model directory, of the kinds that have one
  double weight = 0;
  bool operator==(const Feature&) const = default;
};
constexpr bool has_model(FeatureKind kind) { return kind != FeatureKind::List && kind != FeatureKind::Length; }

/// The `Length` of each candidate.
std::vector<double> relative_lengths(std::span<const std::string> candidates);

/// The words of a line, which stand between white space, from right to left, a space between two.
std::string from_right_to_left(const std::string& text);

/// As JSON: {"features": [{"kind": "list", "weight": 0.5}, {"kind": "reverse", "model": "DIR", "weight": 0.2}, ...]}.
std::string format_features(std::span<const Feature> features);
/// Reads a file with that text, of at least one feature. Throws FileError, InputError.
std::vector<Feature> read_features(const std::string& path);

}  // namespace heed::reranking
