// The end of a file of an encoded corpus. It has the positions of the other parts.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "heed/data/encoded/corpus_layout.h"

namespace heed::data {

/// Checks the start and the end of a file. Throws CheckpointError if the file is incomplete.
FileTrailer checked_trailer(std::span<const std::byte> file, std::span<const char> magic, const std::string& path);

std::string trailing_json(std::span<const std::byte> file, const FileTrailer& trailer);

/// The error to throw about a damaged file.
CheckpointError damaged_corpus(const std::string& path);

}  // namespace heed::data
