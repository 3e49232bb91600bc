# Everything runs as in a new shell: the environment says nothing of LibTorch, nor where libraries are.
set(in_a_new_shell ${CMAKE_COMMAND} -E env --unset=LIBTORCH --unset=Torch_DIR --unset=HEED_TORCH_ROOT
  --unset=LD_LIBRARY_PATH)

function(run)  # run(COMMAND... [INPUT_FILE file]): sets `output`
  execute_process(COMMAND ${in_a_new_shell} ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed (${status}):\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect wanted)  # expect(TEXT OF): `output`, which is OF's, must be TEXT
  if(NOT output STREQUAL wanted)
    message(FATAL_ERROR "${ARGN} printed:\n${output}\nand not:\n${wanted}")
  endif()
endfunction()

file(READ ${SOURCE}/main.cpp program)
string(REGEX REPLACE "^(//[^\n]*\n)+" "" program "${program}")
file(READ ${DOCUMENT} document)
string(FIND "${document}" "```cpp\n${program}```" place)
if(place EQUAL -1)
  message(FATAL_ERROR "${DOCUMENT} has another program than ${SOURCE}/main.cpp")
endif()

set(work ${BUILD}/install_test)
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

run(${BUILD}/bin/heed --version)
set(version "${output}")
run(${prefix}/bin/heed --version)
expect("${version}" "the installed heed --version")
string(REPLACE "." "\\." release "${VERSION}")
if(NOT version MATCHES "^heed ${release}( \\([0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]+(-dirty)?\\))?\n$")
  message(FATAL_ERROR "the installed heed --version printed: ${version}")
endif()

file(READ ${MODEL}/expected.txt translations)
run(${prefix}/bin/heed translate --model ${MODEL} INPUT_FILE ${MODEL}/input.txt)
expect("${translations}" "the installed heed translate")

run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${work}/build -DCMAKE_PREFIX_PATH=${prefix} "-DCMAKE_CXX_FLAGS=${FLAGS}"
  -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer ${MODEL} "seven one")
if(NOT output MATCHES "^eins sieben\nsieben looks at seven: [01]\\.[0-9][0-9]\neins looks at one: [01]\\.[0-9][0-9]\nlog p = -[0-9]+\\.[0-9]\nchrF = 100\n$")
  message(FATAL_ERROR "the consumer printed:\n${output}")
endif()
execute_process(COMMAND ${in_a_new_shell} ${work}/build/consumer ${MODEL}/none "seven one"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(NOT status EQUAL 1 OR NOT errors MATCHES "^[^\n]*none: [^\n]+\n$")
  message(FATAL_ERROR "the consumer said of a directory that is not there (${status}):\n${errors}")
endif()
file(REMOVE_RECURSE ${work})
