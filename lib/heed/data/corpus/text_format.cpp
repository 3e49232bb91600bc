#include "heed/data/corpus/text_format.h"

#include "heed/core/error.h"

namespace heed::data {

void validate(const TextFormat& format, bool has_pairs, const std::string& prefix) {
  if (has_pairs) return;
  const auto refuse = [&](bool is_set, const char* option) {
    if (is_set)
      throw ConfigError(prefix + option, "has no effect without `pairs`: it is about lines of SOURCE TAB TARGET");
  };
  refuse(format.quotes != Quotes::None, "quotes");
  refuse(format.header, "header");
  refuse(format.bad_rows != BadRows::Fail, "bad-rows");
}

}  // namespace heed::data
