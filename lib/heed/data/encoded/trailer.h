// The end of a file of an encoded corpus, which says where its parts are.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "heed/data/encoded/corpus_layout.h"

namespace heed::data {

/// Checks the begin and the end of a file. Throws CheckpointError where it is not whole.
FileTrailer checked_trailer(std::span<const std::byte> file, std::span<const char> magic, const std::string& path);

std::string json_of(std::span<const std::byte> file, const FileTrailer& trailer);

/// What to throw about a file that is not what was written.
CheckpointError damaged_corpus(const std::string& path);

}  // namespace heed::data
