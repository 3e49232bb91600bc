// Writes text with the escapes of a format.
#pragma once

#include <string>
#include <string_view>

#include "heed/documents/document.h"

namespace heed::documents {

/// Appends `text` as the segment's format writes it. at_begin: whether nothing is before it in the segment.
void append_escaped(std::string& out, std::string_view text, const Segment& segment, bool at_begin);

}  // namespace heed::documents
