// XLIFF 1.2 and 2, which translation tools exchange.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "heed/curation/files/pair_form.h"
#include "heed/curation/files/pair_format.h"
#include "heed/curation/files/pair_input.h"

namespace heed::curation {

/// Reads the units of a file as a whole, in UTF-8, UTF-16 or the encoding that it declares. Inline codes are left out.
/// Units without a translation, those whose state says that it is missing, and those that are not to be translated are
/// left out. A pair has the document of its `<file>`'s attribute `corpus.document_field`, such as original. Pair::line
/// counts all units. Throws InputError, with the line, for XML that is not well-formed and for other files.
std::unique_ptr<PairInput> open_xliff(const CorpusText& corpus, const std::string& path);

/// Writes pairs as units of XLIFF 1.2. A document is a `<file>`. languages: codes of source and target.
std::unique_ptr<PairForm> xliff_form(const std::pair<std::string, std::string>& languages);

}  // namespace heed::curation
