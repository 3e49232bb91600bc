// A line of input whose source may have vectors, and whose translation may have a given prefix.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heed/search/source_item.h"

namespace heed::translation {

struct SourceLine {
  std::string text;                                     ///< empty if the source has only vectors
  std::shared_ptr<const search::SourceItem> item = {};  ///< null if the source has only text
  std::string prefix = {};                              ///< the translation begins with this; blank: no constraint

  /// Whether the source has only vectors.
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
