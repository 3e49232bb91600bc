// A vector for each word, and the text files they are exchanged in: a line for each word, the word and then its numbers
// with spaces between them. word2vec's files begin with a line of the two sizes, "COUNT WIDTH"; GloVe's do not.
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
  /// values: one row of `width` for each word. Throws std::invalid_argument when the sizes do not agree or a word is
  /// there twice.
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

/// Reads either format (a first line of two whole numbers is word2vec's), plain or .gz; of a word that is there twice
/// the first vector counts, with a warning. Throws FileError, and InputError (path:line) on what is no vector of the
/// width of the first, and Error where word2vec's first line names another number of words.
WordVectors read_word_vectors(const std::string& path);

/// The file's lines, the shortest numbers that read back the same.
std::string format_word_vectors(const WordVectors& vectors, VectorFormat format);

}  // namespace heed::vectors
