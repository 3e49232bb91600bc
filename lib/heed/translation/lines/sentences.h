// The sentences of a line.
#pragma once

#include <string_view>
#include <vector>

namespace heed::translation {

/// The stretches of `line` between the boundaries of sentences that Unicode has (UAX 29, by ICU, of no language in
/// particular), and behind marks that stand alone as in tokenized text ("a cat . a dog ."). An ASCII mark inside a
/// word, as in http://a.b/c?d, ends no sentence. Joined they are the line; none of a line without characters. line:
/// well-formed UTF-8.
std::vector<std::string_view> sentences(std::string_view line);

}  // namespace heed::translation
