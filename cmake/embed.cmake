# cmake -DFOLDER=DIR -DFILES=LIST -DOUTPUT=FILE.cpp -P embed.cmake: the definition of heed::embedded_file(), which has the
# files of LIST. Their paths are below FOLDER. In each, {{FILE}} becomes the contents of that file next to it.
set(rows "")
foreach(path IN LISTS FILES)
  file(READ "${FOLDER}/${path}" text)
  cmake_path(GET path PARENT_PATH parent)
  string(REGEX MATCHALL "{{[a-z.]+}}" parts "${text}")
  foreach(part IN LISTS parts)
    string(REGEX REPLACE "[{}]" "" name "${part}")
    file(READ "${FOLDER}/${parent}/${name}" content)
    string(REPLACE "${part}" "${content}" text "${text}")
  endforeach()
  string(APPEND rows "    {\"${path}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"heed/core/files/embedded_file.h\"

#include <algorithm>
#include <iterator>
#include <utility>

#include \"heed/core/error.h\"

namespace heed {

std::string_view embedded_file(std::string_view path) {
  static constexpr std::pair<std::string_view, std::string_view> kFiles[] = {
${rows}  };
  const auto* found = std::ranges::find(kFiles, path, &std::pair<std::string_view, std::string_view>::first);
  check(found != std::end(kFiles), \"an embedded file is missing\");
  return found->second;
}

}  // namespace heed
")
