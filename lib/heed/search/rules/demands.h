// What is demanded of the translation of one sentence beside being likely.
#pragma once

#include <span>
#include <vector>

#include "heed/text/spellings.h"
#include "heed/text/tokenizer.h"

namespace heed::search {

struct Demands {
  text::Ids prefix = {};                 ///< how it begins
  size_t tag = 0;                        ///< of the prefix, the tokens that only tell the model which language to write
  std::vector<text::Ids> required = {};  ///< phrases that stand in it, each as often as it stands here; not empty
  std::span<const text::Spellings> forbidden = {};  ///< phrases that do not; what is demanded above goes before

  /// The tokens of the shortest translation that has all of it, if nothing overlaps.
  int64_t tokens() const {
    size_t sum = prefix.size();
    for (const text::Ids& phrase : required) sum += phrase.size();
    return static_cast<int64_t>(sum);
  }
};

}  // namespace heed::search
