// Rule-based tokenizers, identical to sacreBLEU 2.6.0: NIST's mteval-v13a.pl and mteval-v14.pl (international),
// Chinese, and characters.
#pragma once

#include <string>
#include <string_view>

#include "heed/metrics/tokenizers/tokenizers.h"

namespace heed::metrics {

/// The standard tokenizer of BLEU. It splits off ASCII punctuation, but keeps periods and commas between digits, and
/// decodes four HTML entities.
class Tokenizer13a : public TextTokenizer {
 public:
  void tokenize(std::string_view line, std::string& tokens, std::string& scratch) const override;
  std::string name() const override { return "13a"; }
};

/// Splits off punctuation and symbols of all scripts by Unicode's general categories, but keeps punctuation next to a
/// number.
class InternationalTokenizer : public TextTokenizer {
 public:
  void tokenize(std::string_view line, std::string& tokens, std::string& scratch) const override;
  std::string name() const override { return "intl"; }
};

/// Splits off each Chinese character, and punctuation as in 13a, but without padding the line or decoding entities.
class ChineseTokenizer : public TextTokenizer {
 public:
  void tokenize(std::string_view line, std::string& tokens, std::string& scratch) const override;
  std::string name() const override { return "zh"; }
};

class CharacterTokenizer : public TextTokenizer {
 public:
  void tokenize(std::string_view line, std::string& tokens, std::string& scratch) const override;
  std::string name() const override { return "char"; }
};

/// The line, unchanged.
class NoTokenizer : public TextTokenizer {
 public:
  void tokenize(std::string_view line, std::string& tokens, std::string& scratch) const override;
  std::string name() const override { return "none"; }
};

}  // namespace heed::metrics
