// heed.Tokenizer.
#pragma once

#include <memory>

#include "heed/text/tokenizer.h"

namespace heed::python {

struct TokenizerObject {
  std::shared_ptr<const text::Tokenizer> tokenizer;
};

}  // namespace heed::python
