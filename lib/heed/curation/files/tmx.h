// Translation memories in TMX (https://www.gala-global.org/tmx-14b). Units are read one after the other, so that memory
// does not depend on the size of the file; each is parsed by pugixml.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "heed/curation/files/pair_form.h"
#include "heed/curation/files/pair_format.h"
#include "heed/curation/files/pair_input.h"

namespace heed::curation {

/// Reads the units of a file, which is in UTF-8, UTF-16 or the encoding that it declares. Inline codes (bpt, ept, ph,
/// it, ut) are left out. Of a unit with several variants of a language, the first counts; units without one of the
/// languages are left out. corpus: source_field and target_field are codes of languages, such as en, which en-US is
/// too; without them, the first unit must have two languages; the source is that of the file's header.
/// Pair::line counts all units. next() throws InputError, with the line, for XML that is not well-formed and a
/// truncated file.
std::unique_ptr<PairInput> open_tmx(const CorpusText& corpus, const std::string& path);

/// Writes pairs as units. languages: codes of source and target.
std::unique_ptr<PairForm> tmx_form(const std::pair<std::string, std::string>& languages);

}  // namespace heed::curation
