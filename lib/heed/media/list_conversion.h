// Converts the files in a list, one path per line, to one file of vectors.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "heed/core/files/vector_file.h"

namespace heed::media {

/// The vectors of one file: float32 numbers, or bytes if the file of vectors has type U8.
struct ListItem {
  GridShape shape;
  std::vector<float> values;
  std::vector<uint8_t> bytes;
};

struct MediaList {
  std::string name;                ///< for messages
  std::vector<std::string> paths;  ///< one per line, relative to the folder of the list
};
/// Reads a list. what: the kind of file, for messages ("a PNG file"). Throws FileError; InputError (list:line) for an
/// empty line, (list) if there are no lines.
MediaList read_list(const std::string& path, const std::string& what);

/// Calls load(path) for every line of the list and writes the results in the order of the lines, so the file does not
/// depend on the number of threads. A path is relative to the folder of the list and may contain any bytes, including
/// spaces and "-". what: the kind of file, for messages. Memory holds the list and a few items per thread.
/// Throws FileError for the list and the writer. Throws InputError (list:line) for the first line that is empty or for
/// which load() throws an Error; (list) if there are no lines.
void convert_list(const std::string& list, const std::string& what, int64_t threads, VectorWriter& writer,
                  const std::function<ListItem(const std::string& path)>& load);

}  // namespace heed::media
