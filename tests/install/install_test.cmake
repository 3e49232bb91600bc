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
expect("BLEU 100\neins sieben\n" "the consumer")
file(REMOVE_RECURSE ${work})
