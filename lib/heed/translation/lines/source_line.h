// What stands for a line where sources are not text alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heed/search/source_item.h"

namespace heed::translation {

struct SourceLine {
  std::string text;                                     ///< empty where the source is vectors alone
  std::shared_ptr<const search::SourceItem> item = {};  ///< null where the source is text alone
  std::string prefix = {};                              ///< how its translation begins; blank: as it will

  /// Whether vectors are the whole source.
  bool has_item_alone() const { return item && !item->has_text; }
};

/// Lines of text only.
inline std::vector<SourceLine> source_lines(const std::vector<std::string>& texts) {
  std::vector<SourceLine> lines;
  lines.reserve(texts.size());
  for (const std::string& text : texts) lines.push_back({.text = text});
  return lines;
}

}  // namespace heed::translation
