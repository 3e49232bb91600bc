#include "heed/translation/same_vocabulary.h"

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::translation {

void require_same_vocabulary(const text::Tokenizer& tokenizer, const text::Tokenizer& other, const std::string& option,
                             const std::string& side) {
  const auto refuse = [&](const std::string& difference) {
    throw ConfigError(option, fmt::format("must have the {} vocabulary of the first model, but {}; train it with "
                                          "`text.tokenizers` = given and that model's tokenizer",
                                          side, difference));
  };
  if (tokenizer.size() != other.size()) {
    refuse(fmt::format("has {} entries instead of {}", other.size(), tokenizer.size()));
  }
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    if (tokenizer.piece(id) == other.piece(id)) continue;
    refuse(fmt::format("its entry {} is `{}` instead of `{}`", id, other.piece(id), tokenizer.piece(id)));
  }
}

}  // namespace heed::translation
