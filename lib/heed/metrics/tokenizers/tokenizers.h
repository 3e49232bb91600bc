// The tokenizers of BLEU: each separates the tokens of a line by white space, like sacreBLEU's tokenizer of that name.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace heed::metrics {

/// One name per tokenizer of `--tokenize`.
enum class BleuTokenizer { V13a, Intl, Zh, Char, None, JaMecab, KoMecab, Spm, Flores101, Flores200, SpBleu1K };
constexpr auto option_names(BleuTokenizer) {
  return std::array{std::pair{BleuTokenizer::V13a, "13a"},
                    std::pair{BleuTokenizer::Intl, "intl"},
                    std::pair{BleuTokenizer::Zh, "zh"},
                    std::pair{BleuTokenizer::Char, "char"},
                    std::pair{BleuTokenizer::None, "none"},
                    std::pair{BleuTokenizer::JaMecab, "ja-mecab"},
                    std::pair{BleuTokenizer::KoMecab, "ko-mecab"},
                    std::pair{BleuTokenizer::Spm, "spm"},
                    std::pair{BleuTokenizer::Flores101, "flores101"},
                    std::pair{BleuTokenizer::Flores200, "flores200"},
                    std::pair{BleuTokenizer::SpBleu1K, "spBLEU-1K"}};
}

/// Thread-safe.
class TextTokenizer {
 public:
  virtual ~TextTokenizer() = default;
  /// Writes the line to `tokens`, with white space between its tokens (any kind, any amount). line: well-formed UTF-8
  /// without white space at its end. scratch: a buffer.
  virtual void tokenize(std::string_view line, std::string& tokens, std::string& scratch) const = 0;
  /// The name in signatures.
  virtual std::string name() const = 0;
};

/// model: the SentencePiece model, which spm, flores101, flores200 and spBLEU-1K need; or the folder of the dictionary
/// for ja-mecab and ko-mecab (absent: where the system installs it). Throws ConfigError if a tokenizer needs a model or
/// accepts none, or if MeCab or its dictionary is not installed.
std::unique_ptr<const TextTokenizer> make_tokenizer(BleuTokenizer kind, const std::optional<std::string>& model = {});

}  // namespace heed::metrics
