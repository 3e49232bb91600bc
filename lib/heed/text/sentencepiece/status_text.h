// The text of SentencePiece's error messages.
#pragma once

#include <string>
#include <string_view>

namespace heed::text {

/// Strips a status of its source location and failed condition: "Internal: ./src/trainer_interface.cc(660) [a == b]
/// Vocabulary size too high". If no other text is left, returns the condition.
std::string status_text(std::string_view status);

}  // namespace heed::text
