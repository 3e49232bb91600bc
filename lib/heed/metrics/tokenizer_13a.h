// The tokenizer of NIST's mteval-v13a.pl as sacreBLEU has it, the field's standard for BLEU.
#pragma once

#include "heed/metrics/tokenizers.h"

namespace heed::metrics {

/// Splits off ASCII punctuation, but keeps periods and commas between digits and undoes four HTML entities.
class Tokenizer13a : public TextTokenizer {
 public:
  std::string operator()(std::string_view line) const override;
  std::string name() const override { return "13a"; }
};

}  // namespace heed::metrics
