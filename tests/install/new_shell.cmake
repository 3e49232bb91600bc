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
