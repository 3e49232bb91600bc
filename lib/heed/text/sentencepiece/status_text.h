// What SentencePiece says of an error.
#pragma once

#include <string>
#include <string_view>

namespace heed::text {

/// The text of a status without the place in SentencePiece's source and the condition that failed there,
/// "Internal: ./src/trainer_interface.cc(660) [a == b] Vocabulary size too high". A status that says no more than those
/// gives the condition.
std::string status_text(std::string_view status);

}  // namespace heed::text
