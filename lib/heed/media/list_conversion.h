// Files that a list names, one path a line, as the items of one file of vectors.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "heed/core/files/vector_writer.h"

namespace heed::media {

/// What one file became: numbers of float32, or bytes where the file of vectors is of U8.
struct ListItem {
  GridShape shape;
  std::vector<float> values;
  std::vector<uint8_t> bytes;
};

struct MediaList {
  std::string name;                ///< for messages
  std::vector<std::string> paths;  ///< of each line; a path is relative to the folder of the list
};
/// `what` names in messages what a file is: "a picture". Throws FileError; InputError (list:line) for a line that is
/// empty, (list) where there is no line.
MediaList read_list(const std::string& path, const std::string& what);

/// Calls load(path) for every line of the list and writes what it gives in the order of the lines, so that the file is
/// the same with any number of threads. A path is relative to the folder of the list; all its bytes count, spaces and
/// "-" too. `what` names in messages what a file is. In memory are the list and a few items a thread. Throws FileError
/// for the list and the writer; InputError (list:line) for the first line that is empty or of which load() throws an
/// Error, (list) where there is no line.
void convert_list(const std::string& list, const std::string& what, int64_t threads, VectorWriter& writer,
                  const std::function<ListItem(const std::string& path)>& load);

}  // namespace heed::media
