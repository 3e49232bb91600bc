#include "heed/vectors/word_vectors.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <unordered_set>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/log.h"
#include "heed/core/parsed_number.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"

namespace heed::vectors {
namespace {

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return parsed_number<Number>(text);
}

/// The number as a float; absent if it is infinite or NaN as a float. Numbers too small for a float become 0.
std::optional<float> number_of(std::string_view text) {
  const auto number = parsed<double>(text);
  if (!number || !std::isfinite(static_cast<float>(*number))) return std::nullopt;
  return static_cast<float>(*number);
}

/// The first line of word2vec's format: the number of words and the width of their vectors.
struct Sizes {
  int64_t words, width;
};

std::optional<Sizes> sizes_of(const std::vector<std::string_view>& parts) {
  if (parts.size() != 2) return std::nullopt;
  const auto words = parsed<int64_t>(parts[0]), width = parsed<int64_t>(parts[1]);
  if (!words || !width || *words < 1 || *width < 1) return std::nullopt;
  return Sizes{*words, *width};
}

/// The words and vectors read so far. A repeated word keeps its first vector.
struct VectorTable {
  std::vector<std::string> words;
  std::vector<float> values;
  size_t width = 0;            ///< 0: the first line decides
  bool width_is_said = false;  ///< whether word2vec's first line gave the width
  int64_t repeated = 0;        ///< number of lines that repeat a word
  std::unordered_set<std::string> seen;

  /// Adds the line of a word; returns an error message if it is wrong. Words in published files can contain spaces, so
  /// the vector is the last `width` parts.
  std::optional<std::string> add(const std::vector<std::string_view>& parts) {
    if (parts.size() < 2) return "expected a word and the numbers of its vector, with spaces between them";
    if (width == 0) width = parts.size() - 1;
    const size_t first = parts.size() - std::min(width, parts.size() - 1);
    if (parts.size() - 1 < width || (first > 1 && parsed<double>(parts[first - 1]))) {
      return fmt::format("expected a word and {} numbers, as {}, found {}", width,
                         width_is_said ? "the first line says" : "before", parts.size() - 1);
    }
    if (auto wrong = add_values(std::span(parts).subspan(first))) return wrong;
    std::string word(parts[0].data(), parts[first - 1].data() + parts[first - 1].size());
    if (seen.insert(word).second) {
      words.push_back(std::move(word));
    } else {
      values.resize(values.size() - width);
      ++repeated;
    }
    return std::nullopt;
  }

  std::optional<std::string> add_values(std::span<const std::string_view> numbers) {
    for (const std::string_view number : numbers) {
      const auto value = number_of(number);
      if (!value) return fmt::format("expected a finite number, found '{}'", number);
      values.push_back(*value);
    }
    return std::nullopt;
  }
};

double product(std::span<const float> a, std::span<const float> b) {
  const auto times = [](double x, double y) { return x * y; };  // in double, since a float might overflow
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(), times);
}

double length(std::span<const float> a) { return std::sqrt(product(a, a)); }

}  // namespace

WordVectors::WordVectors(std::vector<std::string> words, int64_t width, std::vector<float> values)
    : words_(std::move(words)), width_(width), values_(std::move(values)) {
  if (values_.size() != words_.size() * static_cast<size_t>(width_)) {
    throw std::invalid_argument("as many numbers as words times width");
  }
  for (int64_t i = 0; i < size(); ++i) {
    if (!index_.emplace(words_[static_cast<size_t>(i)], i).second) throw std::invalid_argument("a word twice");
  }
}

std::span<const float> WordVectors::vector(int64_t word) const {
  return std::span(values_).subspan(static_cast<size_t>(word * width_), static_cast<size_t>(width_));
}

int64_t WordVectors::find(std::string_view word) const {
  const auto found = index_.find(word);
  return found == index_.end() ? -1 : found->second;
}

WordVectors read_word_vectors(const std::string& path) {
  LineReader reader(path);
  VectorTable table;
  std::optional<Sizes> sizes;
  for (std::string line; reader.next(line);) {
    const auto parts = split_spaces(line);
    if (reader.line_number() == 1) sizes = sizes_of(parts);
    if (reader.line_number() == 1 && sizes) {
      table.width = static_cast<size_t>(sizes->width);
      table.width_is_said = true;
      continue;
    }
    if (const auto wrong = table.add(parts)) throw InputError(reader.path(), reader.line_number(), *wrong);
  }
  if (table.words.empty()) throw Error(reader.path() + ": has no vectors");
  if (table.repeated > 0) {
    log_warning(fmt::format("{}: {} of words that came before: their first vectors count", reader.path(),
                            counted(table.repeated, "line")));
  }
  if (const int64_t lines = reader.line_number() - 1; sizes && lines != sizes->words) {
    throw Error(
        fmt::format("{}: expected {} words, as its first line says, found {}", reader.path(), sizes->words, lines));
  }
  return {std::move(table.words), static_cast<int64_t>(table.width), std::move(table.values)};
}

std::string format_word_vectors(const WordVectors& vectors, VectorFormat format) {
  std::string text;
  if (format == VectorFormat::Word2vec) text = fmt::format("{} {}\n", vectors.size(), vectors.width());
  for (int64_t i = 0; i < vectors.size(); ++i) {
    text += vectors.words()[static_cast<size_t>(i)];
    for (const float value : vectors.vector(i)) text += fmt::format(" {}", value);
    text += '\n';
  }
  return text;
}

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
