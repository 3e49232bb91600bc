// Puts protected text back into the translation of a line.
#pragma once

#include <string>

#include "heed/documents/document.h"
#include "heed/text/protected_text.h"

namespace heed::documents {

/// The translation in which each protected text of `line` is as in the line, as often as there; see place_marks.
std::string with_protected_text(const std::string& line, const SegmentTranslation& translation,
                                const text::ProtectedText& rules);

}  // namespace heed::documents
