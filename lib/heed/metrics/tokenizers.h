// The tokenizers of BLEU: each makes a line's tokens stand between white space, as sacreBLEU's tokenizer of that name.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace heed::metrics {

/// One name per tokenizer of `--tokenize`.
enum class BleuTokenizer { V13a, None };
constexpr auto option_names(BleuTokenizer) {
  return std::array{std::pair{BleuTokenizer::V13a, "13a"}, std::pair{BleuTokenizer::None, "none"}};
}

class TextTokenizer {
 public:
  virtual ~TextTokenizer() = default;
  /// The line with white space between its tokens (any white space, any amount); `line` is well-formed UTF-8.
  virtual std::string operator()(std::string_view line) const = 0;
  /// The name in signatures.
  virtual std::string name() const = 0;
};

std::unique_ptr<const TextTokenizer> make_tokenizer(BleuTokenizer kind);

}  // namespace heed::metrics
