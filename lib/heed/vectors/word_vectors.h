// Word vectors, their text files, and nearest words. A file has one line per word: the word, then its numbers,
// separated by spaces. word2vec's files start with a line "COUNT WIDTH"; GloVe's do not.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heed::vectors {

enum class VectorFormat { Word2vec, Glove };
constexpr auto option_names(VectorFormat) {
  return std::array{std::pair{VectorFormat::Word2vec, "word2vec"}, std::pair{VectorFormat::Glove, "glove"}};
}

class WordVectors {
 public:
  WordVectors() = default;
  /// values: one row of `width` for each word. Throws std::invalid_argument if the sizes do not match or a word occurs
  /// twice.
  WordVectors(std::vector<std::string> words, int64_t width, std::vector<float> values);

  int64_t size() const { return static_cast<int64_t>(words_.size()); }
  int64_t width() const { return width_; }
  const std::vector<std::string>& words() const { return words_; }
  std::span<const float> vector(int64_t word) const;
  /// The index of a word, -1 if it has no vector.
  int64_t find(std::string_view word) const;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  std::vector<std::string> words_;
  int64_t width_ = 0;
  std::vector<float> values_;  // [words, width]
  std::unordered_map<std::string, int64_t, Hash, std::equal_to<>> index_;
};

/// Reads either format, plain or .gz; a first line of two integers means word2vec's. If a word occurs twice, its first
/// vector counts, with a warning. Throws FileError; InputError (path:line) if a line is not a vector of the first
/// vector's width; Error if word2vec's first line gives another number of words.
WordVectors read_word_vectors(const std::string& path);

/// The text of the file. Numbers are written with the fewest digits that read back the same.
std::string format_word_vectors(const WordVectors& vectors, VectorFormat format);

struct Neighbor {
  std::string word;
  double cosine;  ///< of the angle between the vectors, in [-1, 1]
};

/// The `count` words whose vectors have the highest cosine with `query`, highest first, ties in the order of the table.
/// Words in `except` (indices) and words with a zero vector are left out.
std::vector<Neighbor> nearest(const WordVectors& vectors, std::span<const float> query, int64_t count,
                              const std::vector<int64_t>& except = {});

/// b - a + c of unit vectors: the word that is to c as b is to a (Mikolov et al. 2013,
/// https://aclanthology.org/N13-1090).
std::vector<float> analogy(const WordVectors& vectors, int64_t a, int64_t b, int64_t c);

}  // namespace heed::vectors
