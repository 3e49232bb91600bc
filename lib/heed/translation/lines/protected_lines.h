// Lines with protected text: with placeholders for it, and their translations with the text in its place.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heed/text/alignment.h"
#include "heed/text/placeholders.h"
#include "heed/text/protected_text.h"
#include "heed/translation/lines/source_line.h"
#include "heed/translation/lines/translation.h"

namespace heed::translation {

/// Lines as a model reads them that was trained with placeholders.
struct MaskedLines {
  std::vector<SourceLine> lines;
  std::vector<text::Placeholders::Originals> originals;  ///< of each line
  /// Puts the originals of line i into its translation, its words and its n-best list. Placeholders that the line does
  /// not have, or not so often, are removed.
  void unmask(size_t i, Translation& best) const;
};
/// Replaces the protected text of the lines, and the same text in their prefixes.
MaskedLines masked(std::span<const SourceLine> lines, const text::Placeholders& placeholders);

/// Words with the originals, which may have spaces. The tokens of a placeholder belong to the first word of its
/// original. left: see text::Placeholders::unmasked.
text::AlignmentUnits unmasked(const text::AlignmentUnits& words, const text::Placeholders::Originals& originals,
                              text::Placeholders::Counts* left = nullptr);

/// Puts protected text of a line back into its translation and the n-best list: as in the line, as often as there,
/// where the alignment says. The translations need the attention.
void restore(Translation& best, const std::string& line, const text::ProtectedText& rules);

}  // namespace heed::translation
