// A zip archive in memory, by minizip.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace heed::documents {

/// The contents of the files whose names `is_wanted` accepts, by name. Throws InputError unless the bytes are an
/// archive whose files are whole, or if they have more bytes than `largest`. name: of the archive, in messages.
std::map<std::string, std::string> read_zip(const std::string& archive, const std::string& name,
                                            bool (*is_wanted)(const std::string& file), size_t largest);

/// The archive with other contents for some of its files. The others keep their compressed bytes.
std::string replace_in_zip(const std::string& archive, const std::map<std::string, std::string>& contents);

}  // namespace heed::documents
