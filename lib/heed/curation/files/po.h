// PO files of gettext, which have the texts of programs.
#pragma once

#include <memory>
#include <string>

#include "heed/curation/files/pair_form.h"
#include "heed/curation/files/pair_format.h"
#include "heed/curation/files/pair_input.h"

namespace heed::curation {

/// Reads the messages of a file as a whole, in the encoding that its header names. The second form of a message for
/// several things (msgid_plural) is a pair of its own, with the last translation. Messages without a translation, fuzzy
/// and obsolete ones are left out. A pair has the document of the message's context if corpus.document_field is
/// msgctxt. Pair::line counts all messages. Throws InputError, with the line, for what is not a PO file, and
/// ConfigError for another document_field.
std::unique_ptr<PairInput> open_po(const CorpusText& corpus, const std::string& path);

/// Writes pairs as messages. A source that comes again gets a context: 2, 3, ... target: the code of the target's
/// language; may be empty.
std::unique_ptr<PairForm> po_form(const std::string& target);

}  // namespace heed::curation
