# cmake -DINPUT=FILE -DOUTPUT=FILE.cpp -DNAME=kName -P embed.cmake: makes a file of the server a constant of the program.
# Of a page, a line {{FILE}} becomes the contents of that file beside it.
file(READ "${INPUT}" text)
cmake_path(GET INPUT PARENT_PATH folder)
string(REGEX MATCHALL "{{[a-z.]+}}" parts "${text}")
foreach(part IN LISTS parts)
  string(REGEX REPLACE "[{}]" "" name "${part}")
  file(READ "${folder}/${name}" content)
  string(REPLACE "${part}" "${content}" text "${text}")
endforeach()
file(WRITE "${OUTPUT}" "#include \"heed/serve/embedded.h\"

namespace heed::serve {
const std::string_view ${NAME} = R\"embedded(${text})embedded\";
}
")
