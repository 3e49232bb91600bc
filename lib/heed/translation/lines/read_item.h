// Reads the vectors of a source from their file.
#pragma once

#include <cstdint>
#include <memory>

#include "heed/data/corpus/source_vectors.h"
#include "heed/search/source_item.h"

namespace heed::translation {

/// has_text: whether the source has text too. Throws InputError if a number is not finite.
std::shared_ptr<const search::SourceItem> read_item(const data::SourceVectors& vectors, int64_t item, bool has_text);

}  // namespace heed::translation
