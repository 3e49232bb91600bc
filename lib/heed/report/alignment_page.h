// Alignments as a page for a browser: one file without scripts that needs nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heed/report/item_map.h"
#include "heed/text/alignment.h"

namespace heed::report {

/// What stands before the pairs. shown: which attention the maps are of; may be empty.
std::string page_begin(const std::string& title, const std::string& shown);
/// A section with both sentences and their heat map; with `heads`, a small map of each layer and head to choose from.
std::string page_pair(int64_t number, const text::Alignment& alignment, std::span<const text::Link> links,
                      const std::string& shown);
/// The style rules by which a chosen head's map is shown; once before the first pair that has heads.
std::string page_head_rules(size_t layers, size_t heads);
/// The same of items that are no text.
std::string item_page_begin(const std::string& title);
/// A section with what was written of an item, its map and, where text stands beside it, a heat map of that.
std::string page_item(int64_t number, const ItemMap& map);
std::string page_end();

}  // namespace heed::report
