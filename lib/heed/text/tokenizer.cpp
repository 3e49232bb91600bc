#include "heed/text/tokenizer.h"

namespace heed::text {

Ids Tokenizer::sample(std::string_view line, RandomStream&) const { return encode(line); }

}  // namespace heed::text
