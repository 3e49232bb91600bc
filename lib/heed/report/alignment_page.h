// Alignments as an HTML page: one self-contained file without scripts.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heed/report/source_attention_map.h"
#include "heed/text/alignment.h"

namespace heed::report {

/// The page before the first pair. shown: which attention the maps show; may be empty.
std::string page_begin(const std::string& title, const std::string& shown);
/// A section with both sentences and their heat map. With `heads`, a small map of each layer and head can be selected.
std::string page_pair(int64_t number, const text::Alignment& alignment, std::span<const text::Link> links,
                      const std::string& shown);
/// The style rules that show the selected head's map. Needed once, before the first pair that has heads.
std::string page_head_rules(size_t layers, size_t heads);
/// The beginning of a page of images, audio or other vectors.
std::string item_page_begin(const std::string& title);
/// A section with the words written for an item, its map and, if the source has text too, a heat map of the text.
std::string page_item(int64_t number, const SourceAttentionMap& map);
std::string page_end();

}  // namespace heed::report
